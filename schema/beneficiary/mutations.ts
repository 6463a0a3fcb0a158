import { acknowledgeBeneficiary } from '../../src/domain/beneficiary/acknowledge.ts';
import { archiveBeneficiary } from '../../src/domain/beneficiary/archive.ts';
import { createBeneficiary } from '../../src/domain/beneficiary/create.ts';
import type { BeneficiaryUpdateInput } from '../../src/domain/beneficiary/input.ts';
import { changeBeneficiary } from '../../src/domain/beneficiary/update.ts';
import { enrollBeneficiary, type Enrolled } from '../../src/domain/enrollment/enroll.ts';
import { BankAccount } from '../bank-account/type.ts';
import { ownGivenFields } from '../../src/values/own-fields.ts';
import { bool, of } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { asked, shown } from '../common/fields.ts';
import { idempotentCreate } from '../common/idempotent-create.ts';
import { PostalAddressInput } from '../common/postal-address.ts';
import { BeneficiaryTypeEnum } from './enums.ts';
import { Beneficiary } from './type.ts';

const DeprecatedBankDetailsInput = builder.inputType('DeprecatedBankDetailsInput', {
  description:
    'Deprecated: register a bank account instead. One of iban and accountNumber is required.',
  fields: (t) => ({
    accountHolderName: t.string({ required: true, description: 'Legal name on the account.' }),
    country: t.string({ required: true, description: 'Country of the bank, alpha-2.' }),
    currency: t.string({ required: true, description: 'ISO 4217.' }),
    accountNumber: t.string({ description: 'Domestic account number; this or iban.' }),
    iban: t.string({ description: 'IBAN; this or accountNumber.' }),
    routingCode: t.string({ description: 'US ABA, UK sort code, …' }),
    swiftBic: t.string({ description: 'BIC.' }),
    bankName: t.string({ description: 'Name of the bank.' }),
  }),
});

/** What may be given of a payee, at its registration and later. */
const details = (
  t: PothosSchemaTypes.InputFieldBuilder<typeof builder.$inferSchemaTypes, 'InputObject'>,
) => ({
  phone: t.string({ description: 'Contact phone: at least five digits, up to 32 characters.' }),
  nickname: t.string({ description: 'Label for your own use; it is never sent to a provider.' }),
  firstName: t.string({ description: 'Person: given name.' }),
  lastName: t.string({ description: 'Person: family name.' }),
  countryOfResidence: t.string({ description: 'Person: alpha-2.' }),
  dateOfBirth: t.string({ description: 'Person: YYYY-MM-DD.' }),
  businessName: t.string({ description: 'Business: legal name.' }),
  countryOfIncorporation: t.string({ description: 'Business: alpha-2.' }),
  registrationNumber: t.string({ description: 'Business: registration number.' }),
  taxId: t.string({ description: 'Tax identifier.' }),
  ...asked(t, ownGivenFields),
});

const BeneficiaryCreateInput = builder.inputType('BeneficiaryCreateInput', {
  description:
    'A beneficiary to be registered, with the fields of its type: one of the other type is refused with BENEFICIARY_IDENTITY_INVALID.',
  fields: (t) => ({
    beneficiaryType: t.field({
      type: BeneficiaryTypeEnum,
      required: true,
      description: 'person or business.',
    }),
    email: t.string({ required: true, description: 'Unique among active beneficiaries.' }),
    ...details(t),
    postalAddress: t.field({ type: PostalAddressInput, description: 'Mailing or legal address.' }),
    bankDetails: t.field({
      type: DeprecatedBankDetailsInput,
      description: 'Deprecated: details of a bank account to be registered with the beneficiary.',
    }),
    acknowledged: t.boolean({
      description:
        'Whether the business attests that it verified the beneficiary, which is then compliant. Not together with identityPending.',
    }),
    identityPending: t.boolean({
      description:
        'Whether missing identity fields are to be completed later. Not together with acknowledged.',
    }),
    idempotencyKey: t.string({ description: idempotentCreate }),
  }),
});

const BeneficiaryUpdateInputType = builder.inputType('BeneficiaryUpdateInput', {
  description: 'Fields to be changed. An absent field stays as it is; null clears it.',
  fields: (t) => ({
    beneficiaryType: t.field({ type: BeneficiaryTypeEnum, description: 'Cannot be changed.' }),
    email: t.string({ description: 'Cannot be cleared.' }),
    ...details(t),
    postalAddress: t.field({ type: PostalAddressInput, description: 'Replaced as a whole.' }),
  }),
});

const BeneficiaryEnrollPayload = builder.objectRef<Enrolled>('BeneficiaryEnrollPayload').implement({
  description: 'Answer to beneficiaryEnroll.',
  fields: (t) =>
    shown(t, {
      beneficiary: of(Beneficiary, 'The beneficiary after the enrollment was asked for.'),
      bankAccount: of(BankAccount, 'The account that is enrolled.'),
      pending: bool(
        'Whether the provider has yet to answer. The enrollment goes on; read enrollmentStatus later.',
      ),
    }),
});

builder.mutationFields((t) => ({
  beneficiaryCreate: t.field({
    nullable: true,
    type: Beneficiary,
    description:
      'Registers a payee. With an idempotencyKey that made one before, that one is answered as it is, with createdBefore.',
    args: {
      input: t.arg({ type: BeneficiaryCreateInput, required: true, description: 'The payee.' }),
    },
    resolve: (_root, { input }, context) => createBeneficiary(context.call, input),
  }),
  beneficiaryUpdate: t.field({
    nullable: true,
    type: Beneficiary,
    description: 'Changes any subset of the fields.',
    args: {
      id: t.arg.id({ required: true, description: 'The beneficiary.' }),
      input: t.arg({
        type: BeneficiaryUpdateInputType,
        required: true,
        description: 'The changes.',
      }),
    },
    resolve: (_root, { id, input }, context) =>
      // A null e-mail is the command's to refuse, with its field's name.
      changeBeneficiary(context.call, id, input as BeneficiaryUpdateInput),
  }),
  beneficiaryArchive: t.field({
    nullable: true,
    type: Beneficiary,
    description: 'Archives a beneficiary for good; repeating it gives the same answer.',
    args: { id: t.arg.id({ required: true, description: 'The beneficiary.' }) },
    resolve: (_root, { id }, context) => archiveBeneficiary(context.call, id),
  }),
  beneficiaryAcknowledge: t.field({
    nullable: true,
    type: Beneficiary,
    description: 'The business attests that it verified the payee, who becomes compliant.',
    args: { id: t.arg.id({ required: true, description: 'The beneficiary.' }) },
    resolve: (_root, { id }, context) => acknowledgeBeneficiary(context.call, id),
  }),
  beneficiaryEnroll: t.field({
    nullable: true,
    type: BeneficiaryEnrollPayload,
    description: 'Enrolls a bank account with the payout provider and waits a while for it.',
    args: {
      id: t.arg.id({ required: true, description: 'The beneficiary.' }),
      bankAccountId: t.arg.id({ description: 'Needed when several accounts are payout-usable.' }),
    },
    resolve: (_root, { id, bankAccountId }, context) =>
      enrollBeneficiary(context.call, id, bankAccountId ?? null),
  }),
}));
