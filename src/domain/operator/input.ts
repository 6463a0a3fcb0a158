import { z } from 'zod';
import { roles } from '../../access/roles.ts';
import { optionalText, text } from '../../fields.ts';
import { balanceInput } from '../funding/balance.ts';

/** Why an operator did it, for the record. */
const reason = text(1_000);

export const profileAcceptance = z.strictObject({ businessId: text(), reason });
export type ProfileAcceptance = z.input<typeof profileAcceptance>;

export const productionKeyOrder = z.strictObject({
  businessId: text(),
  membershipId: text(),
  role: z.enum(roles),
  reason,
});
export type ProductionKeyOrder = z.input<typeof productionKeyOrder>;

export const balanceReport = z.strictObject({
  ...balanceInput.shape,
  businessId: text(),
  reason: optionalText(1_000),
});
export type BalanceReport = z.input<typeof balanceReport>;

export const complianceHold = z.strictObject({
  businessId: text(),
  environment: z.enum(['sandbox', 'production']),
  beneficiaryId: text(),
  reason,
});
export type ComplianceHold = z.input<typeof complianceHold>;
