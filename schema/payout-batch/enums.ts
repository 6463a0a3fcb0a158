import type { BatchRowStatus, PayoutBatchState } from '../../src/domain/payout-batch/names.ts';
import { describedEnum } from '../common/described-enum.ts';

describedEnum<PayoutBatchState>('PayoutBatchState', 'What a batch of payouts is.', {
  draft: 'It can be changed and checked, and nothing of it is paid.',
  submitted: 'Its payouts are made, or live their lives.',
  completed: 'Each of its payouts has ended.',
  canceled: 'It was canceled, with the payouts of it that had not left.',
});

export const PayoutBatchRowStatusEnum = describedEnum<BatchRowStatus>(
  'PayoutBatchRowStatus',
  'What became of a row of a batch.',
  {
    unchecked: 'It was not checked yet.',
    ready: 'A payout can be made of it, as far as the latest check knows.',
    wrong: 'The latest check refused it; see error.',
    failed: 'No payout could be made of it when the batch was submitted; see error.',
    made: 'It has its payout.',
    left_out: 'It is left out, by its number.',
  },
);
