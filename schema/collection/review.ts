import type {
  Review,
  ReviewedAccount,
  ReviewedAddress,
  ReviewedIdentity,
} from '../../src/domain/collection/review.ts';
import { builder } from '../builder.ts';

const CollectionReviewIdentity = builder
  .objectRef<ReviewedIdentity>('CollectionReviewIdentity')
  .implement({
    description: 'Who the payee is, as far as it was saved and may be shown.',
    fields: (t) => ({
      firstName: t.exposeString('firstName', {
        nullable: true,
        description: 'Person: given names.',
      }),
      lastName: t.exposeString('lastName', { nullable: true, description: 'Person: family name.' }),
      businessName: t.exposeString('businessName', {
        nullable: true,
        description: 'Business: legal name.',
      }),
      country: t.exposeString('country', {
        nullable: true,
        description: 'ISO 3166-1 alpha-2 country of residence or of incorporation.',
      }),
      birthYear: t.exposeString('birthYear', {
        nullable: true,
        description: 'Person: year of birth. Day and month are not shown.',
      }),
      registrationNumberEnd: t.exposeString('registrationNumberEnd', {
        nullable: true,
        description:
          'Business: the last characters of the registration number, four at most and at most half of it.',
      }),
    }),
  });

const CollectionReviewAddress = builder
  .objectRef<ReviewedAddress>('CollectionReviewAddress')
  .implement({
    description: 'The postal address that was saved, with a masked street.',
    fields: (t) => ({
      line1: t.exposeString('line1', {
        description: 'First line, of each word the first character: `1••• M••• S•••`.',
      }),
      city: t.exposeString('city', { description: 'Town.' }),
      country: t.exposeString('country', { description: 'ISO 3166-1 alpha-2 country.' }),
    }),
  });

const CollectionReviewAccount = builder
  .objectRef<ReviewedAccount>('CollectionReviewAccount')
  .implement({
    description: 'The bank account that was saved, with a masked identifier.',
    fields: (t) => ({
      accountHolderName: t.exposeString('accountHolderName', {
        description: 'Name of the account holder.',
      }),
      country: t.exposeString('country', {
        description: 'ISO 3166-1 alpha-2 country of the bank.',
      }),
      currency: t.exposeString('currency', { description: 'ISO 4217 currency of the account.' }),
      identifier: t.exposeString('identifier', {
        description:
          'The field that names the account: iban, accountNumber, clabe, pixKey or swiftBic.',
      }),
      last4: t.exposeString('last4', {
        description: 'The last four characters of that identifier.',
      }),
    }),
  });

export const CollectionReview = builder.objectRef<Review>('CollectionReview').implement({
  description:
    'What a payee has saved, as whoever holds the link may see it: names, countries and the ends of numbers, never a whole identifier, date of birth or street.',
  fields: (t) => ({
    identity: t.expose('identity', {
      type: CollectionReviewIdentity,
      nullable: true,
      description: 'Null while nothing of it is saved.',
    }),
    address: t.expose('address', {
      type: CollectionReviewAddress,
      nullable: true,
      description: 'Null while none is saved.',
    }),
    bankAccount: t.expose('bankAccount', {
      type: CollectionReviewAccount,
      nullable: true,
      description: 'Null while none is saved.',
    }),
  }),
});
