/** What a batch of payouts is. */
export type PayoutBatchState = 'draft' | 'submitted' | 'completed' | 'canceled';

/** What became of a row. Whether it is left out is told apart from what was found about it. */
export const batchRowStatuses = [
  'unchecked',
  'ready',
  'wrong',
  'failed',
  'made',
  'left_out',
] as const;
export type BatchRowStatus = (typeof batchRowStatuses)[number];
