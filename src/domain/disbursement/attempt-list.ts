import { Prisma, type DisbursementAttempt } from '../../../generated/prisma/client.ts';
import { childrenReader } from '../children.ts';

/** The disbursement attempts of some payouts. */
export const readAttempts = childrenReader<DisbursementAttempt>({
  name: 'attempts_of_payouts',
  table: 'disbursement_attempt',
  fields: Prisma.DisbursementAttemptScalarFieldEnum,
  parent: 'payout_id',
  number: 'number',
});
