import type { TakenFile } from './model.ts';
import type { Outgoing } from './postbox.ts';
import { readFile } from './read-file.ts';
import type { ReadOrders } from './read-order.ts';
import type { BankState } from './state.ts';

/** What becomes of a file, and the code by which it is refused. */
function verdictOn(
  { book, faults }: BankState,
  { customer, sha256 }: Outgoing,
  read: ReadOrders,
): [TakenFile['verdict'], string | null] {
  if (book.fileOf(customer, sha256)?.verdict === 'taken') return ['duplicate', 'DUPL'];
  if (read.refusal !== null) return ['refused', read.refusal.code];
  const hasMessageId = read.format === 'pain.001.001.09';
  if (hasMessageId && book.isMessageKnown(customer, read.messageId)) return ['duplicate', 'DU01'];
  if (faults.take('refuse_files')) return ['refused', 'FF01'];
  return ['taken', null];
}

async function bookFile(state: BankState, outgoing: Outgoing): Promise<void> {
  const { customer, name, sha256, bytes } = outgoing;
  const read = readFile(bytes);
  const { messageId, format, orders } = read;
  const [verdict, reason] = verdictOn(state, outgoing, read);
  const draft = state.draft();
  const file: TakenFile = {
    kind: 'file',
    customer,
    name,
    sha256,
    format,
    message_id: messageId,
    verdict,
    reason,
    received_at: new Date().toISOString(),
    orders: (verdict === 'taken' ? orders : []).map((order) => ({
      ...order,
      id: draft.reference(),
      customer,
      file_sha256: sha256,
      message_id: messageId,
      rail: format === 'nacha' ? 'nacha' : 'iso20022',
      status: 'received',
      reason: null,
      booked_on: null,
    })),
  };
  if (reason !== null) draft.status({ customer, messageId, format, orders: null, reason });
  await state.commit([file, ...draft.changes]);
}

/**
 * Takes a file: it is in the book before it leaves the folder, so a crash in between leaves a file that is known to
 * be taken.
 */
export async function takeFile(state: BankState, outgoing: Outgoing): Promise<void> {
  const { customer, name, sha256 } = outgoing;
  if (!state.book.isToBeCleared(customer, name, sha256)) await bookFile(state, outgoing);
  await state.postbox.remove(customer, name);
  await state.commit([{ kind: 'cleared', customer, name }]);
}
