import { z } from 'zod';
import {
  email,
  externalRef,
  idempotencyKey,
  isoDate,
  metadata,
  text,
} from '../../values/fields.ts';
import { beneficiaryTypes } from '../beneficiary/identity.ts';
import { payoutStates } from './machine.ts';

export const validatorStrategies = ['manual', 'auto', 'agent'] as const;

/** A filter of states. Repeated ones are dropped, so that the list stays short. */
export const anyOfStates = z
  .array(z.enum(payoutStates))
  .transform((states) => [...new Set(states)]);

/** Identity fields that a caller may echo; a difference from the stored ones refuses the payout. */
const echo = z.strictObject({
  beneficiaryType: z.enum(beneficiaryTypes).nullish(),
  email: email.nullish(),
  firstName: text().nullish(),
  lastName: text().nullish(),
  businessName: text().nullish(),
  countryOfResidence: text().nullish(),
  countryOfIncorporation: text().nullish(),
  registrationNumber: text().nullish(),
  dateOfBirth: isoDate.nullish(),
  taxId: text().nullish(),
});
export type BeneficiaryEcho = z.output<typeof echo>;

/**
 * Input of the create command. Amount, currency and purpose have error codes of their own
 * (INVALID_MONEY, INVALID_PURPOSE_OF_PAYMENT), so the command checks them and their shape is open here.
 */
export const payoutCreateInput = z.strictObject({
  beneficiaryId: text(),
  bankAccountId: text(),
  amountMinor: z.union([z.number(), z.bigint(), z.string()]),
  currency: z.string(),
  purposeOfPayment: z.string().nullish(),
  idempotencyKey,
  externalRef: externalRef.nullish(),
  validatorStrategy: z
    .enum(validatorStrategies)
    .nullish()
    .transform((value) => value ?? 'manual'),
  replacesPayoutId: text().nullish(),
  beneficiary: echo.nullish(),
  metadata: metadata.nullish(),
  dryRun: z.boolean().nullish(),
});
export type PayoutCreateInput = z.input<typeof payoutCreateInput>;
