import type { MaskedBankDetails } from '../../src/domain/bank-account/mask.ts';
import { legalName, type BeneficiaryType } from '../../src/domain/beneficiary/identity.ts';
import { openEmail } from '../../src/domain/beneficiary/store.ts';
import { openPersonal, openPersonalObject } from '../../src/domain/encryption/personal.ts';
import { stored, text, time } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { EnvironmentEnum } from '../business/enums.ts';
import { PostalAddress } from '../common/postal-address.ts';
import { BeneficiaryTypeEnum } from './enums.ts';

interface NameParts {
  readonly beneficiaryType: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly businessName: string | null;
}

/** The CHECK constraint of the column holds the two types. */
function nameOf(row: NameParts): string {
  return legalName({ ...row, beneficiaryType: row.beneficiaryType as BeneficiaryType });
}

const DeprecatedBankDetails = builder
  .objectRef<MaskedBankDetails>('DeprecatedBankDetails')
  .implement({
    description:
      'The deprecated bank_details of the creation. Identifiers are masked to the last four characters.',
    fields: (t) =>
      shown(t, {
        accountHolderName: text('Legal name on the account.'),
        country: text('Country of the bank, alpha-2.'),
        currency: text('ISO 4217.'),
        accountNumber: text.orNull('Masked domestic account number.'),
        iban: text.orNull('Masked IBAN.'),
        routingCode: text.orNull('Masked routing code.'),
        swiftBic: text.orNull('Masked BIC.'),
        bankName: text.orNull('Name of the bank.'),
      }),
  });

export const Beneficiary = builder.prismaNode('Beneficiary', {
  description: 'A person or business that is paid.',
  id: { resolve: (row) => row.id },
  findUnique: (id, context) => ({ tenantId_id: { tenantId: context.call.scope.tenantId, id } }),
  nullable: true,
  fields: (t) =>
    shown(t, {
      beneficiaryType: stored(BeneficiaryTypeEnum, 'person or business; fixed at creation.'),
      name: t.string({ description: 'Legal name.', resolve: nameOf }),
      nickname: text.orNull('Label for your own use; it is never sent to a provider.'),
      displayName: t.string({
        description: 'The nickname when set, otherwise the legal name.',
        resolve: (row) => row.nickname ?? nameOf(row),
      }),
      email: t.string({
        description: 'E-mail address, unique ignoring case among active beneficiaries.',
        resolve: (row, _args, { call }) => openEmail(call, row),
      }),
      phone: t.string({
        nullable: true,
        description: 'Contact phone.',
        resolve: (row, _args, { call }) => openPersonal(call, 'beneficiary', row, 'phone'),
      }),
      firstName: text.orNull('Person: given name.'),
      lastName: text.orNull('Person: family name.'),
      countryOfResidence: text.orNull('Person: ISO 3166-1 alpha-2.'),
      dateOfBirth: t.string({
        nullable: true,
        description: 'Person: YYYY-MM-DD. Encrypted at rest.',
        resolve: (row, _args, { call }) => openPersonal(call, 'beneficiary', row, 'dateOfBirth'),
      }),
      businessName: text.orNull('Business: legal name.'),
      countryOfIncorporation: text.orNull('Business: ISO 3166-1 alpha-2.'),
      registrationNumber: t.string({
        nullable: true,
        description: 'Business: registration number; never sent to a provider.',
        resolve: (row, _args, { call }) =>
          openPersonal(call, 'beneficiary', row, 'registrationNumber'),
      }),
      taxId: t.string({
        nullable: true,
        description: 'Tax identifier. Encrypted at rest.',
        resolve: (row, _args, { call }) => openPersonal(call, 'beneficiary', row, 'taxId'),
      }),
      postalAddress: t.field({
        type: PostalAddress,
        nullable: true,
        description: 'Mailing or legal address.',
        resolve: (row, _args, { call }) =>
          openPersonalObject(call, 'beneficiary', row, 'postalAddress') as
            | typeof PostalAddress.$inferType
            | null,
      }),
      bankDetails: t.field({
        type: DeprecatedBankDetails,
        nullable: true,
        deprecationReason: 'Register bank accounts instead.',
        description:
          'Deprecated. The bank_details of the creation, masked; null when there were none.',
        resolve: (row, _args, { call }) =>
          openPersonalObject(
            call,
            'beneficiary',
            row,
            'maskedBankDetails',
          ) as MaskedBankDetails | null,
      }),
      archivedAt: time.orNull('When it was archived; null while active.'),
      erasedAt: time.orNull(
        'When its personal data was erased; null otherwise. Then only the legal name is left, and email is an address at erased.invalid.',
      ),
      environment: t.field({
        type: EnvironmentEnum,
        description: 'sandbox or production.',
        resolve: (_row, _args, context) => context.call.scope.environment,
      }),
      createdAt: time('Time of creation.'),
      updatedAt: time('Time of the last change.'),
    }),
});
