import type { PayoutBatchRowStatus } from '../../../../generated/console-types/graphql.ts';

/** What can become of a row, in the order in which a reader needs it. */
export const rowStatuses = [
  'wrong',
  'failed',
  'unchecked',
  'ready',
  'made',
  'left_out',
] as const satisfies readonly PayoutBatchRowStatus[];
