import type { BankAccount } from './book.ts';
import { planOf } from './endings.ts';
import type { BankAnswer, Order, TakenFile } from './model.ts';
import type { BankState } from './state.ts';
import { takeFile } from './take-file.ts';
import { bookDebits, bookReturns, daysAfter, judge, stateAccount } from './work.ts';

function isAwaitingDate({ faults, today }: BankState, order: Order): boolean {
  return faults.current().wait_for_date && order.execution_date > today();
}

const isReady = (state: BankState, order: Order): boolean =>
  order.status === 'accepted' && !isAwaitingDate(state, order);

/** The code by which a paid order comes back today, or null. */
function returnDue({ today }: BankState, order: Order): string | null {
  const plan = planOf(order).returned;
  if (order.status !== 'booked' || plan === null || order.booked_on === null) return null;
  return daysAfter(order.booked_on, plan.afterDays) <= today() ? plan.reason : null;
}

const isBusy = (state: BankState, order: Order): boolean =>
  order.status === 'received' || isReady(state, order) || returnDue(state, order) !== null;

/** The next step of a file's orders. */
async function stepFile(
  state: BankState,
  file: TakenFile,
  orders: readonly Order[],
): Promise<void> {
  const draft = state.draft();
  const faults = state.faults.current();
  const received = orders.filter(({ status }) => status === 'received');
  const ready = orders.filter((order) => isReady(state, order));
  const back = orders.flatMap((order) => {
    const reason = returnDue(state, order);
    return reason === null ? [] : [{ order, reason }];
  });
  if (received.length > 0) judge(file, received, faults, draft);
  if (ready.length > 0) bookDebits(file, ready, { faults, today: state.today(), draft });
  if (back.length > 0) bookReturns(back, draft);
  await state.commit(draft.changes);
}

const isUnstated = ({ entries, stated }: BankAccount): boolean => entries.length > stated;

async function stateAccounts(
  state: BankState,
  isDue: (account: BankAccount) => boolean,
): Promise<void> {
  for (const account of [...state.book.accounts()].filter(isDue)) {
    const draft = state.draft();
    const facts = { faults: state.faults.current(), today: state.today(), now: Date.now(), draft };
    stateAccount(account, state.book, facts);
    await state.commit(draft.changes);
  }
}

async function placeAnswer(
  state: BankState,
  { id, customer, name, text }: BankAnswer,
): Promise<void> {
  const { postbox, faults } = state;
  const bytes = Buffer.from(text);
  if (faults.take('break_answers')) {
    await postbox.place(customer, `broken-${name}`, bytes.subarray(0, bytes.length / 2));
  }
  await postbox.place(customer, name, bytes);
  for (let time = 1; time <= faults.current().repeat_answers; time += 1) {
    await postbox.place(customer, `again-${time}-${name}`, bytes);
  }
  await state.commit([{ kind: 'placed', id }]);
}

/** Puts answers into their folders. Those to be reordered wait until nothing more happens. */
async function placeAnswers(state: BankState, isQuiet: boolean): Promise<void> {
  const { reorder_answers: reorder, delay_answers_ms: delay } = state.faults.current();
  if (reorder && !isQuiet) return;
  const owed = state.book.owedAnswers().filter(({ at }) => Date.now() - at >= delay);
  for (const answer of reorder ? owed.toReversed() : owed) await placeAnswer(state, answer);
}

/** Everything that is due is done once. */
export async function step(state: BankState): Promise<void> {
  const { book, postbox, stepDelayMs } = state;
  for await (const outgoing of postbox.outgoing()) await takeFile(state, outgoing);
  const now = Date.now();
  const busy = book.openFiles().filter(({ orders }) => orders.some((one) => isBusy(state, one)));
  for (const { file, orders, touchedAt } of busy) {
    if (now - touchedAt >= stepDelayMs) await stepFile(state, file, orders);
  }
  if (busy.length === 0) {
    const isQuiet = ({ touchedAt }: BankAccount): boolean => now - touchedAt >= 2 * stepDelayMs;
    await stateAccounts(state, (account) => isUnstated(account) && isQuiet(account));
  }
  await placeAnswers(state, busy.length === 0 && ![...book.accounts()].some(isUnstated));
}

/** Ends a day: every account gets its statement, and the bank's day goes on. */
export async function endDay(state: BankState): Promise<void> {
  await stateAccounts(state, () => true);
  await state.commit([{ kind: 'days', days: 1 }]);
}
