import { registerBankAccount } from '../../src/domain/bank-account/register.ts';
import { replaceBankAccountDetails } from '../../src/domain/bank-account/update.ts';
import { verifyBankAccount } from '../../src/domain/bank-account/verify.ts';
import { ownGivenFields } from '../../src/values/own-fields.ts';
import { builder } from '../builder.ts';
import { asked } from '../common/fields.ts';
import { idempotentCreate } from '../common/idempotent-create.ts';
import { AccountTypeEnum, BankAccount } from './type.ts';

const BankAccountInput = builder.inputType('BankAccountInput', {
  description: 'Details of a bank account. Query.corridor says which of them a country needs.',
  fields: (t) => ({
    accountHolderName: t.string({ required: true, description: 'Legal name on the account.' }),
    country: t.string({ required: true, description: 'Country of the bank, alpha-2.' }),
    currency: t.string({ required: true, description: 'ISO 4217.' }),
    accountNumber: t.string({ description: 'Domestic account number.' }),
    routingCode: t.string({ description: 'US ABA, UK sort code, BR branch code, …' }),
    iban: t.string({ description: 'IBAN; required for European corridors.' }),
    swiftBic: t.string({ description: 'BIC.' }),
    clabe: t.string({ description: 'Mexican CLABE, 18 digits.' }),
    pixKey: t.string({ description: 'Brazilian PIX key.' }),
    bankName: t.string({ description: 'Name of the bank.' }),
    accountType: t.field({ type: AccountTypeEnum, description: 'US ACH account type.' }),
    ...asked(t, ownGivenFields),
  }),
});

builder.mutationFields((t) => ({
  bankAccountRegister: t.field({
    nullable: true,
    type: BankAccount,
    description:
      'Registers a bank account; verified at once when its owner is compliant. One that the owner has already, by its IBAN or its number at the bank, in the same currency, is answered as it is, with registeredBefore; bankAccountUpdate changes the other details.',
    args: {
      beneficiaryId: t.arg.id({ required: true, description: 'The owner.' }),
      input: t.arg({ type: BankAccountInput, required: true, description: 'The details.' }),
      idempotencyKey: t.arg.string({ description: idempotentCreate }),
    },
    resolve: async (_root, { beneficiaryId, input, idempotencyKey }, { call }) => {
      const key = idempotencyKey ?? null;
      const { account, existed } = await registerBankAccount(call, beneficiaryId, input, key);
      return { ...account, registeredBefore: existed };
    },
  }),
  bankAccountUpdate: t.field({
    nullable: true,
    type: BankAccount,
    description:
      'Replaces the details of a bank account as a whole; externalRef and metadata stay where they are absent.',
    args: {
      beneficiaryId: t.arg.id({ required: true, description: 'The owner.' }),
      id: t.arg.id({ required: true, description: 'The account.' }),
      input: t.arg({ type: BankAccountInput, required: true, description: 'The new details.' }),
    },
    resolve: (_root, { beneficiaryId, id, input }, context) =>
      replaceBankAccountDetails(context.call, beneficiaryId, id, input),
  }),
  bankAccountVerify: t.field({
    nullable: true,
    type: BankAccount,
    description:
      'Verifies a bank account that is still pending although its owner is compliant. Throws BENEFICIARY_NOT_COMPLIANT, BANK_ACCOUNT_NOT_PENDING; BANK_ACCOUNT_NOT_VALIDATED and BANK_ACCOUNT_RAIL_REJECTED for an account that is verified and yet cannot be paid.',
    args: {
      beneficiaryId: t.arg.id({ required: true, description: 'The owner.' }),
      id: t.arg.id({ required: true, description: 'The account.' }),
    },
    resolve: (_root, { beneficiaryId, id }, context) =>
      verifyBankAccount(context.call, beneficiaryId, id),
  }),
}));
