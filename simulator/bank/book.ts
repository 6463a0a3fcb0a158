import { amountOf } from './amount.ts';
import { planOf } from './endings.ts';
import type { BankAnswer, BankRecord, BankChange, BookEntry, Order, TakenFile } from './model.ts';

/** An account of a customer, opened when the first order is paid from it. */
export interface BankAccount {
  readonly customer: string;
  readonly account: string;
  readonly currency: string;
  readonly entries: readonly BookEntry[];
  /** How many entries the statements so far have shown, and how many statements there were. */
  readonly stated: number;
  readonly statements: number;
  /** Milliseconds since 1970: when something last happened in it. */
  readonly touchedAt: number;
}

/** A file whose orders are not all at their end. */
interface OpenFile {
  readonly file: TakenFile;
  readonly orders: readonly Order[];
  /** Milliseconds since 1970: when one of them last changed. */
  readonly touchedAt: number;
}

/** The bank's memory. It follows from the records of its book alone. */
export interface BankBook {
  apply(record: BankRecord): void;
  /** By the customer's folder and the SHA-256 of the bytes. */
  fileOf(customer: string, sha256: string): TakenFile | undefined;
  isMessageKnown(customer: string, messageId: string): boolean;
  /** Whether the file of this name was taken and still has to leave the folder. */
  isToBeCleared(customer: string, name: string, sha256: string): boolean;
  files(): Iterable<TakenFile>;
  orders(): Iterable<Order>;
  order(id: string): Order | undefined;
  openFiles(): readonly OpenFile[];
  accounts(): Iterable<BankAccount>;
  /** Answers that are not in their folder, oldest first. */
  owedAnswers(): readonly (BankAnswer & { readonly at: number })[];
  /** The next number for what the bank names: orders, entries and messages. */
  nextNumber(): number;
  /** How many days were ended by hand. */
  daysAhead(): number;
}

const accountKey = (of: Pick<BookEntry, 'customer' | 'account' | 'currency'>): string =>
  `${of.customer} ${of.account} ${of.currency}`;

/** Whether something will still happen to the order by itself, or by a release. */
function isOpen(order: Order): boolean {
  const { status } = order;
  if (status === 'booked') return planOf(order).returned !== null;
  return status !== 'refused' && status !== 'returned';
}

/** What is in the account after these entries. Every account begins with ten million. */
export function balanceAfter(entries: readonly BookEntry[]): bigint {
  return entries.reduce(
    (sum, { direction, amount }) =>
      direction === 'credit' ? sum + amountOf(amount) : sum - amountOf(amount),
    amountOf('10000000.00'),
  );
}

type Accounts = Map<string, BankAccount & { entries: BookEntry[] }>;

/** Adds an entry to its account, which the first one opens. */
function addEntry(accounts: Accounts, entry: BookEntry, at: number): void {
  const { customer, account, currency } = entry;
  const key = accountKey(entry);
  const opened = {
    customer,
    account,
    currency,
    entries: [] as BookEntry[],
    stated: 0,
    statements: 0,
  };
  const known = accounts.get(key) ?? opened;
  known.entries.push(entry);
  accounts.set(key, { ...known, touchedAt: at });
}

export function createBankBook(): BankBook {
  const files = new Map<string, TakenFile>();
  const messages = new Set<string>();
  const uncleared = new Map<string, string>();
  const orders = new Map<string, Order>();
  const idsOfFile = new Map<string, string[]>();
  const touched = new Map<string, number>();
  const open = new Set<string>();
  const accounts: Accounts = new Map();
  const owed = new Map<number, BankAnswer & { at: number }>();
  let number = 0;
  let days = 0;

  const count = (): void => {
    number += 1;
  };

  function applyFile(file: TakenFile, at: number): void {
    const key = `${file.customer} ${file.sha256}`;
    // What was refused may be sent again, and is judged again.
    if (files.get(key)?.verdict !== 'taken') files.set(key, file);
    uncleared.set(`${file.customer} ${file.name}`, file.sha256);
    if (file.verdict !== 'taken') return;
    messages.add(`${file.customer} ${file.message_id}`);
    idsOfFile.set(
      key,
      file.orders.map(({ id }) => id),
    );
    for (const order of file.orders) {
      orders.set(order.id, order);
      count();
    }
    touched.set(key, at);
    open.add(key);
  }

  function applyChange(change: BankChange, at: number): void {
    switch (change.kind) {
      case 'file':
        applyFile(change, at);
        break;
      case 'cleared':
        uncleared.delete(`${change.customer} ${change.name}`);
        break;
      case 'order': {
        const { kind: _, id, ...rest } = change;
        const order = orders.get(id);
        if (order === undefined) throw new Error(`there is no order ${id}`);
        orders.set(id, { ...order, ...rest });
        touched.set(`${order.customer} ${order.file_sha256}`, at);
        break;
      }
      case 'entry':
        addEntry(accounts, change, at);
        count();
        break;
      case 'statement': {
        const key = accountKey(change);
        const account = accounts.get(key);
        if (account === undefined) throw new Error(`there is no account ${key}`);
        accounts.set(key, { ...account, stated: change.entries, statements: change.number });
        break;
      }
      case 'answer':
        owed.set(change.id, { ...change, at });
        count();
        break;
      case 'placed':
        owed.delete(change.id);
        break;
      case 'days':
        days += change.days;
        break;
    }
  }

  const ordersOf = (key: string): Order[] =>
    (idsOfFile.get(key) ?? []).flatMap((id) => orders.get(id) ?? []);

  return {
    apply: ({ at, changes }) => {
      for (const change of changes) applyChange(change, at);
    },
    fileOf: (customer, sha256) => files.get(`${customer} ${sha256}`),
    isMessageKnown: (customer, messageId) => messages.has(`${customer} ${messageId}`),
    isToBeCleared: (customer, name, sha256) => uncleared.get(`${customer} ${name}`) === sha256,
    files: () => files.values(),
    orders: () => orders.values(),
    order: (id) => orders.get(id),
    openFiles: () =>
      [...open].flatMap((key) => {
        const file = files.get(key);
        if (file === undefined) return [];
        const all = ordersOf(key);
        if (!all.some(isOpen)) open.delete(key);
        return [{ file, orders: all, touchedAt: touched.get(key) ?? 0 }];
      }),
    accounts: () => accounts.values(),
    owedAnswers: () => [...owed.values()],
    nextNumber: () => number + 1,
    daysAhead: () => days,
  };
}
