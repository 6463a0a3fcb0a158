/** What a batch of payouts is. */
export const payoutBatchStates = ['draft', 'submitted', 'completed', 'canceled'] as const;
export type PayoutBatchState = (typeof payoutBatchStates)[number];

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
