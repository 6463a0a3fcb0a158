import {
  type BatchClosing,
  type BatchOutcome,
  type BatchStatus,
} from '../../src/domain/bank-batch/names.ts';
import { describedEnum } from '../common/described-enum.ts';

export const BankBatchStatusEnum = describedEnum<BatchStatus>(
  'BankBatchStatus',
  'What is known of a file on its way to the bank (docs/bank-batches.md).',
  {
    closed: 'Its bytes are fixed, and it certainly is not at the bank.',
    sending: 'It is about to get there, or a person has it in hand.',
    sent: 'It certainly is at the bank.',
    unknown: 'Nobody knows, and an operator asks the bank.',
    rejected: 'The bank refused the whole file.',
  },
);

describedEnum<BatchClosing>('BankBatchClosing', 'Why a batch was closed.', {
  cut_off: "The connection's cut-off came.",
  full: 'As many payments waited as a file holds.',
  request: 'An operator asked for it.',
});

export const BankBatchOutcomeEnum = describedEnum<BatchOutcome>(
  'BankBatchOutcome',
  'What an operator found out about a file of which nobody knew whether the bank has it.',
  {
    sent: 'The bank has it.',
    not_sent: 'The bank has not got it, and certainly will not.',
  },
);
