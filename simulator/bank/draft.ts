import type { BankBook } from './book.ts';
import type { BankFaultState } from './faults.ts';
import type { BankChange, BookEntry, Order } from './model.ts';
import { writeAchAnswers, type AchAnswer } from './write-nacha.ts';
import { writeNotification, type StatedEntry } from './write-statement.ts';
import { writeStatusReport } from './write-status.ts';

/** What happens together: changes of the book and the answers that tell of them. Nothing is done until it is committed. */
export interface Draft {
  readonly changes: BankChange[];
  /** Marks an order, and gives it as it is then. */
  order(order: Order, change: Partial<Pick<Order, 'status' | 'reason' | 'booked_on'>>): Order;
  entry(entry: Omit<BookEntry, 'kind' | 'id' | 'booked_on'>): BookEntry;
  /** A reference of the bank that no other thing has. */
  reference(): string;
  status(answered: {
    readonly customer: string;
    readonly messageId: string;
    readonly format: string;
    readonly orders: readonly Order[] | null;
    readonly reason?: string;
  }): void;
  notification(stated: readonly StatedEntry[]): void;
  ach(answers: readonly AchAnswer[]): void;
  answer(customer: string, what: string, write: (reference: string) => string): void;
}

const referenceOf = (number: number): string => `SB${String(number).padStart(10, '0')}`;

interface DraftContext {
  readonly book: BankBook;
  readonly faults: BankFaultState;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The bank's day, `YYYY-MM-DD`. */
  readonly today: string;
}

export function newDraft({ book, faults, now, today }: DraftContext): Draft {
  const changes: BankChange[] = [];
  const { without, pain_002, camt, list, booking } = faults.current();
  const createdAt = new Date(now);
  let next = book.nextNumber();

  function take(): number {
    next += 1;
    return next - 1;
  }

  function answer(customer: string, what: string, write: (reference: string) => string): void {
    const id = take();
    const text = write(referenceOf(id));
    const end = text.startsWith('<') ? 'xml' : 'ach';
    changes.push({ kind: 'answer', id, customer, name: `${what}-${referenceOf(id)}.${end}`, text });
  }

  const draft: Draft = {
    changes,
    order(order, change) {
      const after = { ...order, ...change };
      const { id, status, reason, booked_on } = after;
      changes.push({ kind: 'order', id, status, reason, booked_on });
      return after;
    },
    entry(given) {
      const entry: BookEntry = {
        ...given,
        kind: 'entry',
        id: referenceOf(take()),
        booked_on: today,
      };
      changes.push(entry);
      return entry;
    },
    reference: () => referenceOf(take()),
    status({ customer, messageId, format, orders, reason = null }) {
      if (without.includes('status')) return;
      answer(customer, 'status', (id) =>
        writeStatusReport({
          id,
          createdAt,
          messageId,
          format,
          orders,
          reason,
          version: pain_002,
          list,
        }),
      );
    },
    notification(stated) {
      if (without.includes('notification')) return;
      const accounts = Map.groupBy(
        stated,
        ({ entry }) => `${entry.customer} ${entry.account} ${entry.currency}`,
      );
      for (const entries of accounts.values()) {
        const [first] = entries;
        if (first === undefined) continue;
        const { customer, account, currency } = first.entry;
        answer(customer, 'notification', (id) =>
          writeNotification({ id, createdAt, account, currency, entries, version: camt, booking }),
        );
      }
    },
    ach(answers) {
      if (without.includes('ach')) return;
      const banks = Map.groupBy(
        answers,
        ({ order }) => `${order.customer} ${order.ach?.bank ?? ''} ${order.ach?.origin ?? ''}`,
      );
      for (const together of banks.values()) {
        const customer = together[0]?.order.customer;
        if (customer === undefined) continue;
        answer(customer, 'ach', () => writeAchAnswers(together, createdAt, 'A'));
      }
    },
    answer,
  };
  return draft;
}
