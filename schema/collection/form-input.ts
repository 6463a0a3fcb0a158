import type { taxForms } from '../../src/domain/collection/input.ts';
import { AccountTypeEnum } from '../bank-account/type.ts';
import { builder } from '../builder.ts';
import { describedEnum } from '../common/described-enum.ts';

/*
 * Nothing is required here. So the domain can report everything that is missing at once, by the names
 * of the fields, which an error of the operation's shape could not.
 */

export const TaxFormEnum = describedEnum<(typeof taxForms)[number]>(
  'TaxForm',
  'Which form a tax document is: IRS W-9, W-8BEN, W-8BEN-E, or another.',
  {
    w9: 'IRS W-9.',
    w8ben: 'IRS W-8BEN.',
    w8bene: 'IRS W-8BEN-E.',
    other: 'Another form.',
  },
);

const CollectionAddressInput = builder.inputType('CollectionAddressInput', {
  description: 'A postal address. It replaces a saved one as a whole.',
  fields: (t) => ({
    line1: t.string({ description: 'Street and number; needed.' }),
    line2: t.string({ description: 'What did not fit in the first line.' }),
    city: t.string({ description: 'City; needed.' }),
    state: t.string({ description: 'State, province or region.' }),
    postalCode: t.string({ description: 'Postal code.' }),
    country: t.string({ description: 'ISO 3166-1 alpha-2; needed.' }),
  }),
});

const CollectionIdentityInput = builder.inputType('CollectionIdentityInput', {
  description:
    'Who the payee is, for full_onboarding. An absent field leaves what was saved; an empty one or null removes it, and is refused for what the beneficiary type needs.',
  fields: (t) => ({
    firstName: t.string({ description: 'Person: given name.' }),
    lastName: t.string({ description: 'Person: family name.' }),
    countryOfResidence: t.string({ description: 'Person: ISO 3166-1 alpha-2.' }),
    dateOfBirth: t.string({ description: 'Person: YYYY-MM-DD.' }),
    businessName: t.string({ description: 'Business: legal name.' }),
    countryOfIncorporation: t.string({ description: 'Business: ISO 3166-1 alpha-2.' }),
    registrationNumber: t.string({ description: 'Business: registration number.' }),
    taxId: t.string({ description: 'Tax identifier; optional.' }),
    phone: t.string({ description: 'Contact phone; optional.' }),
    postalAddress: t.field({ type: CollectionAddressInput, description: 'Address; needed.' }),
  }),
});

const CollectionBankAccountInput = builder.inputType('CollectionBankAccountInput', {
  description:
    'Where the payee is paid, for full_onboarding and bank_details; the query corridor says what a country needs. It replaces a saved one as a whole.',
  fields: (t) => ({
    accountHolderName: t.string({ description: 'Legal name on the account; needed.' }),
    country: t.string({ description: 'Country of the bank, ISO 3166-1 alpha-2; needed.' }),
    currency: t.string({ description: 'ISO 4217; needed.' }),
    accountNumber: t.string({ description: 'Domestic account number.' }),
    routingCode: t.string({ description: 'US ABA, UK sort code, BR branch code, …' }),
    iban: t.string({ description: 'IBAN; required for European corridors.' }),
    swiftBic: t.string({ description: 'BIC (ISO 9362).' }),
    clabe: t.string({ description: 'Mexican CLABE, 18 digits.' }),
    pixKey: t.string({ description: 'Brazilian PIX key.' }),
    bankName: t.string({ description: 'Name of the bank.' }),
    accountType: t.field({ type: AccountTypeEnum, description: 'US ACH account type.' }),
  }),
});

const CollectionTaxDocumentInput = builder.inputType('CollectionTaxDocumentInput', {
  description: 'A tax document, for tax_documents; given with collectionSubmit only.',
  fields: (t) => ({
    taxId: t.string({ description: 'Tax identifier; needed. It becomes that of the beneficiary.' }),
    formType: t.field({ type: TaxFormEnum, description: 'Which form it is; needed.' }),
    file: t.field({
      type: 'Base64Bytes',
      description:
        'The file, up to 10 MiB; needed. A PDF, a PNG or a JPEG by its content: file_type_unsupported, file_too_large. A request to the GraphQL endpoint holds 1 MiB in all; the hosted form takes larger files.',
    }),
  }),
});

export const CollectionInput = builder.inputType('CollectionInput', {
  description:
    'What a beneficiary submits. A part that the link does not ask for is refused (not_asked).',
  fields: (t) => ({
    identity: t.field({ type: CollectionIdentityInput, description: 'Who the payee is.' }),
    bankAccount: t.field({
      type: CollectionBankAccountInput,
      description: 'Where the payee is paid.',
    }),
    taxDocument: t.field({ type: CollectionTaxDocumentInput, description: 'A tax document.' }),
  }),
});
