import type { Beneficiary as BeneficiaryRow } from '../../generated/prisma/client.ts';
import type { MaskedBankDetails } from '../../src/domain/bank-account/mask.ts';
import { shownFields } from '../../src/domain/beneficiary/fields.ts';
import { legalName, type BeneficiaryType } from '../../src/domain/beneficiary/identity.ts';
import { openEmail } from '../../src/domain/beneficiary/store.ts';
import { openPersonal, openPersonalObject } from '../../src/domain/encryption/personal.ts';
import { text } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { resolved, shown } from '../common/fields.ts';
import '../business/enums.ts';
import '../common/postal-address.ts';
import './enums.ts';

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

/** What follows from more than the row stands in standing.ts. */
const {
  identityComplete: _identity,
  collectionStatus: _collection,
  status: _status,
  pendingRequests: _requests,
  ...facts
} = shownFields;

/** A payee as `beneficiaryCreate` answers it; without the mark everywhere else. */
interface Creation extends Pick<BeneficiaryRow, 'id'> {
  readonly createdBefore?: boolean;
}

export const Beneficiary = builder.prismaNode('Beneficiary', {
  description: 'A person or business that is paid.',
  id: { resolve: (row) => row.id },
  findUnique: (id, context) => ({ tenantId_id: { tenantId: context.call.scope.tenantId, id } }),
  nullable: true,
  fields: (t) =>
    shown(t, {
      ...facts,
      name: resolved(t, facts.name, nameOf),
      displayName: resolved(t, facts.displayName, (row) => row.nickname ?? nameOf(row)),
      email: resolved(t, facts.email, (row, _args, { call }) => openEmail(call, row)),
      phone: resolved(t, facts.phone, (row, _args, { call }) =>
        openPersonal(call, 'beneficiary', row, 'phone'),
      ),
      dateOfBirth: resolved(t, facts.dateOfBirth, (row, _args, { call }) =>
        openPersonal(call, 'beneficiary', row, 'dateOfBirth'),
      ),
      registrationNumber: resolved(t, facts.registrationNumber, (row, _args, { call }) =>
        openPersonal(call, 'beneficiary', row, 'registrationNumber'),
      ),
      taxId: resolved(t, facts.taxId, (row, _args, { call }) =>
        openPersonal(call, 'beneficiary', row, 'taxId'),
      ),
      postalAddress: resolved(t, facts.postalAddress, (row, _args, { call }) =>
        openPersonalObject(call, 'beneficiary', row, 'postalAddress'),
      ),
      bankDetails: t.field({
        type: DeprecatedBankDetails,
        nullable: true,
        deprecationReason: 'Register bank accounts instead.',
        description: facts.bankDetails.description,
        resolve: (row, _args, { call }) =>
          openPersonalObject(
            call,
            'beneficiary',
            row,
            'maskedBankDetails',
          ) as MaskedBankDetails | null,
      }),
      createdBefore: t.boolean({
        description:
          'Of an answer of beneficiaryCreate: the same request created it before. false everywhere else.',
        resolve: (row: Creation) => row.createdBefore ?? false,
      }),
      environment: resolved(
        t,
        facts.environment,
        (_row, _args, context) => context.call.scope.environment,
      ),
    }),
});
