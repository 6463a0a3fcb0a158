import { Prisma, type PayoutTransition } from '../../../generated/prisma/client.ts';
import { childrenReader } from '../children.ts';

/** The changes of state of some payouts. */
export const readTransitions = childrenReader<PayoutTransition>({
  name: 'transitions_of_payouts',
  table: 'payout_transition',
  fields: Prisma.PayoutTransitionScalarFieldEnum,
  parent: 'payout_id',
  number: 'seq',
});
