import type {
  Review,
  ReviewedAccount,
  ReviewedAddress,
  ReviewedIdentity,
} from '../../src/domain/collection/review.ts';
import { of, text } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';

const CollectionReviewIdentity = builder
  .objectRef<ReviewedIdentity>('CollectionReviewIdentity')
  .implement({
    description: 'Who the payee is, as far as it was saved and may be shown.',
    fields: (t) =>
      shown(t, {
        firstName: text.orNull('Person: given names.'),
        lastName: text.orNull('Person: family name.'),
        businessName: text.orNull('Business: legal name.'),
        country: text.orNull('ISO 3166-1 alpha-2 country of residence or of incorporation.'),
        birthYear: text.orNull('Person: year of birth. Day and month are not shown.'),
        registrationNumberEnd: text.orNull(
          'Business: the last characters of the registration number, four at most and at most half of it.',
        ),
      }),
  });

const CollectionReviewAddress = builder
  .objectRef<ReviewedAddress>('CollectionReviewAddress')
  .implement({
    description: 'The postal address that was saved, with a masked street.',
    fields: (t) =>
      shown(t, {
        line1: text('First line, of each word the first character: `1••• M••• S•••`.'),
        city: text('Town.'),
        country: text('ISO 3166-1 alpha-2 country.'),
      }),
  });

const CollectionReviewAccount = builder
  .objectRef<ReviewedAccount>('CollectionReviewAccount')
  .implement({
    description: 'The bank account that was saved, with a masked identifier.',
    fields: (t) =>
      shown(t, {
        accountHolderName: text('Name of the account holder.'),
        country: text('ISO 3166-1 alpha-2 country of the bank.'),
        currency: text('ISO 4217 currency of the account.'),
        identifier: text(
          'The field that names the account: iban, accountNumber, clabe, pixKey or swiftBic.',
        ),
        last4: text('The last four characters of that identifier.'),
      }),
  });

export const CollectionReview = builder.objectRef<Review>('CollectionReview').implement({
  description:
    'What a payee has saved, as whoever holds the link may see it: names, countries and the ends of numbers, never a whole identifier, date of birth or street.',
  fields: (t) =>
    shown(t, {
      identity: of.orNull(CollectionReviewIdentity, 'Null while nothing of it is saved.'),
      address: of.orNull(CollectionReviewAddress, 'Null while none is saved.'),
      bankAccount: of.orNull(CollectionReviewAccount, 'Null while none is saved.'),
    }),
});
