import type { BatchOutcome, BatchStatus } from '../bank-batch/names.ts';

/** What an operator does with a file for a bank, or says of it. */
export type BatchAct = 'download' | 'upload' | BatchOutcome;

/** What a person who carries files does instead, by the status of the batch. */
const carrying: Readonly<Record<BatchStatus, string>> = {
  closed: 'Nobody has downloaded the file. Download it first with operatorBankBatchDownload.',
  sending:
    'A worker had begun to send the file before people carried it, so the bank may have it. Wait until the batch is unknown, and then ask the bank.',
  sent: 'The bank has the file. Do not upload it again.',
  unknown:
    'The bank may have the file. Ask the bank, and give its answer with operatorBankBatchResolve.',
  rejected: 'The bank rejected the file. Do not upload it again.',
};

/** Why an act on a batch is refused, and what to do instead, in the words of the error. */
export function refusalOf(act: BatchAct, status: BatchStatus, byHand: boolean): string {
  if (act === 'sent' || act === 'not_sent') {
    return `An outcome can be given only for a batch that is unknown. This one is ${status}.`;
  }
  const waits = status === 'closed' || status === 'sending';
  if (waits && !byHand) return 'A worker brings the files of this connection to the bank.';
  return carrying[status];
}
