import { z } from 'zod';
import { email, isoDate, text } from '../../values/fields.ts';
import { beneficiaryTypes } from '../beneficiary/identity.ts';
import { givenInputs } from './fields.ts';
import { payoutStates } from './machine.ts';

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

const { metadata, ...inputs } = givenInputs;

/** Input of the create command. */
export const payoutCreateInput = z.strictObject({
  ...inputs,
  beneficiary: echo.nullish(),
  metadata,
  dryRun: z.boolean().nullish(),
});
export type PayoutCreateInput = z.input<typeof payoutCreateInput>;
