import { z } from 'zod';
import { country, knownCurrency, optionalText, text } from '../../values/fields.ts';
import { ownInputs } from '../../values/own-fields.ts';
import type { BankDetails } from './bank-details.ts';

/** Kinds of a US account. */
export const accountTypes = ['checking', 'savings'] as const;

const common = {
  accountHolderName: text(),
  country,
  currency: knownCurrency,
  accountNumber: optionalText(),
  routingCode: optionalText(),
  iban: optionalText(),
  swiftBic: optionalText(),
  bankName: optionalText(),
};

/** The details of an account, as a business and a payee give them. */
export const bankAccountDetails = z.strictObject({
  ...common,
  clabe: optionalText(),
  pixKey: optionalText(),
  accountType: z.enum(accountTypes).nullish(),
});

/** The body with which a business registers and updates an account. */
export const bankAccountInput = bankAccountDetails.extend(ownInputs);
export type BankAccountInput = z.input<typeof bankAccountInput>;

/** The deprecated `bank_details` of a beneficiary: an IBAN or an account number is required. */
export const deprecatedBankDetails = z.strictObject(common).superRefine((details, ctx) => {
  const given = (details.iban ?? null) !== null || (details.accountNumber ?? null) !== null;
  if (given) return;
  ctx.addIssue({
    code: 'custom',
    params: { code: 'missing_account_identifier' },
    message: 'At least one of iban and account_number is required.',
  });
});

type Parsed =
  | z.output<typeof bankAccountInput>
  | z.output<typeof bankAccountDetails>
  | z.output<typeof deprecatedBankDetails>;

/** Parsed input as the checks take it: what was null is absent. */
export function toBankDetails(parsed: Parsed): BankDetails {
  return Object.fromEntries(
    Object.entries(parsed).filter(
      ([field, value]) => value !== null && value !== undefined && !(field in ownInputs),
    ),
  ) as unknown as BankDetails; // the schema's own fields, without the absent ones
}
