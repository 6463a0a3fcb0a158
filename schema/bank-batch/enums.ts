import {
  type BatchClosing,
  type BatchOutcome,
  type BatchStatus,
} from '../../src/domain/bank-batch/names.ts';
import { builder } from '../builder.ts';
import { describedValues } from '../common/enum-values.ts';

export const BankBatchStatusEnum = builder.enumType('BankBatchStatus', {
  description: 'What is known of a file on its way to the bank (docs/bank-batches.md).',
  values: describedValues<BatchStatus>({
    closed: 'Its bytes are fixed, and it certainly is not at the bank.',
    sending: 'It is about to get there, or a person has it in hand.',
    sent: 'It certainly is at the bank.',
    unknown: 'Nobody knows, and an operator asks the bank.',
    rejected: 'The bank refused the whole file.',
  }),
});

export const BankBatchClosingEnum = builder.enumType('BankBatchClosing', {
  description: 'Why a batch was closed.',
  values: describedValues<BatchClosing>({
    cut_off: "The connection's cut-off came.",
    full: 'As many payments waited as a file holds.',
    request: 'An operator asked for it.',
  }),
});

export const BankBatchOutcomeEnum = builder.enumType('BankBatchOutcome', {
  description:
    'What an operator found out about a file of which nobody knew whether the bank has it.',
  values: describedValues<BatchOutcome>({
    sent: 'The bank has it.',
    not_sent: 'The bank has not got it, and certainly will not.',
  }),
});
