import { amountOf, formatAmount } from './amount.ts';
import { balanceAfter, type BankAccount, type BankBook } from './book.ts';
import type { Draft } from './draft.ts';
import { planOf } from './endings.ts';
import { costOf } from './exchange.ts';
import type { BankFaults } from './faults.ts';
import type { Order, TakenFile } from './model.ts';
import { writeStatement, type StatedEntry } from './write-statement.ts';

/** `YYYY-MM-DD`, some days later. */
export function daysAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** One hundredth of the currency, by which a wrong debit is off. */
const oneHundredth = amountOf('0.01');

/** Judges what a file orders, and reports it. Nacha files get no report: what cannot be paid comes back. */
export function judge(
  file: TakenFile,
  orders: readonly Order[],
  faults: BankFaults,
  draft: Draft,
): void {
  const told = orders.map((order, index) => {
    const plan = planOf(order);
    const unlucky = faults.refuse_every > 0 && (index + 1) % faults.refuse_every === 0;
    const code = plan.refused ?? (unlucky ? 'MS03' : null);
    if (order.rail === 'iso20022' && code !== null) {
      return draft.order(order, { status: 'refused', reason: code });
    }
    if (plan.held) return draft.order(order, { status: 'held', reason: null });
    const accepted = draft.order(order, { status: 'accepted' });
    if (faults.mistake !== 'books_after_refusing') return accepted;
    return { ...accepted, status: 'refused' as const, reason: 'MS03' };
  });
  if (file.format === 'nacha') return;
  const { customer, message_id: messageId, format } = file;
  draft.status({ customer, messageId, format, orders: told });
}

function debit(order: Order, faults: BankFaults, draft: Draft): StatedEntry[] {
  const { customer, account } = order;
  const { amount: cost, currency } = costOf(order);
  const wrong = faults.mistake === 'other_amount' ? oneHundredth : 0n;
  const amount = formatAmount(amountOf(cost) + wrong);
  const times = faults.mistake === 'books_twice' ? 2 : 1;
  return Array.from({ length: times }, () => ({
    order,
    entry: draft.entry({
      customer,
      account,
      currency,
      direction: 'debit',
      amount,
      what: 'payment',
      order_id: order.id,
      reason: null,
    }),
  }));
}

/** Debits what was accepted, and tells of it. */
export function bookDebits(
  file: TakenFile,
  orders: readonly Order[],
  { faults, today, draft }: { faults: BankFaults; today: string; draft: Draft },
): void {
  const booked = orders.map((order) => draft.order(order, { status: 'booked', booked_on: today }));
  draft.notification(booked.flatMap((order) => debit(order, faults, draft)));
  if (faults.mistake === 'refuses_after_booking' && file.format !== 'nacha') {
    const refused = booked.map(
      (order) => ({ ...order, status: 'refused', reason: 'MS03' }) as const,
    );
    const { customer, message_id: messageId, format } = file;
    draft.status({ customer, messageId, format, orders: refused });
  }
  draft.ach(
    booked.flatMap((order) => {
      const { change } = planOf(order);
      return change === null ? [] : [{ order, code: change.code, corrected: change.data }];
    }),
  );
}

/** Credits what came back, and tells of it: by a notification, and for Nacha also by a return. */
export function bookReturns(
  orders: readonly { readonly order: Order; readonly reason: string }[],
  draft: Draft,
): void {
  const stated = orders.map(({ order, reason }) => {
    const { customer, account } = order;
    const { amount, currency } = costOf(order);
    const after = draft.order(order, { status: 'returned', reason });
    const entry = draft.entry({
      customer,
      account,
      currency,
      direction: 'credit',
      amount,
      what: 'return',
      order_id: order.id,
      reason,
    });
    return { entry, order: after };
  });
  draft.ach(
    stated
      .filter(({ order }) => order.rail === 'nacha')
      .map(({ order, entry }) => ({ order, code: entry.reason ?? '', corrected: '' })),
  );
  draft.notification(stated);
}

/** What the bank says at the end of a day, for an account: its fee, and its statement. */
export function stateAccount(
  account: BankAccount,
  book: BankBook,
  { faults, today, now, draft }: { faults: BankFaults; today: string; now: number; draft: Draft },
): void {
  const { customer, account: number, currency } = account;
  const entries = account.entries.slice(account.stated);
  if (faults.fee !== null) {
    entries.push(
      draft.entry({
        customer,
        account: number,
        currency,
        direction: 'debit',
        amount: formatAmount(amountOf(faults.fee)),
        what: 'fee',
        order_id: null,
        reason: null,
      }),
    );
  }
  const before = account.entries.slice(0, account.stated);
  const statement = {
    createdAt: new Date(now),
    account: number,
    currency,
    entries: entries.map((entry) => ({ entry, order: book.order(entry.order_id ?? '') ?? null })),
    version: faults.camt,
    booking: faults.booking,
    number: account.statements + 1,
    opening: balanceAfter(before),
    closing: balanceAfter([...before, ...entries]),
    day: today,
  };
  if (!faults.without.includes('statement')) {
    let first = '';
    draft.answer(customer, 'statement', (id) => {
      first = id;
      return writeStatement({ ...statement, id, copy: false });
    });
    if (faults.copy_statements) {
      // A copy is another message with the id of the statement that it repeats.
      draft.answer(customer, 'statement', () =>
        writeStatement({ ...statement, id: first, copy: true }),
      );
    }
  }
  draft.changes.push({
    kind: 'statement',
    customer,
    account: number,
    currency,
    number: statement.number,
    entries: before.length + entries.length,
  });
}
