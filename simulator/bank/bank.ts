import path from 'node:path';
import { WireError } from '../http.ts';
import { openJournal } from '../journal.ts';
import { amountOf, formatAmount } from './amount.ts';
import { createBankBook, type BankAccount, type BankBook } from './book.ts';
import { newDraft, type Draft } from './draft.ts';
import { planOf } from './endings.ts';
import { createBankFaults, type BankFaultState } from './faults.ts';
import { recordSchema, type Answer, type BankRecord, type Order, type TakenFile } from './model.ts';
import { customerName, openPostbox, type Outgoing } from './postbox.ts';
import { readFile, type ReadOrders } from './read-file.ts';
import { bookDebits, bookReturns, daysAfter, judge, stateAccount } from './work.ts';

export interface BankConfig {
  /** Holds the customers' folders in `customers/`, and the book. */
  readonly folder: string;
  /** Pause between the steps of a payment's life, and how often the folders are looked at. */
  readonly stepDelayMs: number;
}

/** By what an order is named: one of the references that its file has, or the bank's own. */
export type OrderName = string;

export interface Bank {
  readonly book: BankBook;
  readonly faults: BankFaultState;
  /** The folder of the customers' folders. */
  readonly customers: string;
  /** The bank's day, `YYYY-MM-DD`. */
  today(): string;
  /** Makes the folders of a customer. WireError 400 for a name that is none. */
  openCustomer(customer: string): Promise<void>;
  /** Ends days: every account gets its statement, and the bank's day goes on. */
  endDays(days: number): Promise<void>;
  /** Accepts what is held, or one order of it. Answers how many. */
  release(name: OrderName | null): Promise<number>;
  /** Sends back what was paid, however long ago. WireError 404 and 409. */
  giveBack(name: OrderName, reason: string): Promise<Order>;
  /** Credits an account with money that nobody ordered. */
  addFunds(funds: Pick<Order, 'customer' | 'account' | 'currency' | 'amount'>): Promise<void>;
  close(): Promise<void>;
}

/** The folders are looked at this often at most. */
const quickestMs = 20;

const isNamed = (order: Order, name: OrderName): boolean =>
  [order.id, order.end_to_end_id, order.instruction_id, order.trace_number].includes(name);

/**
 * Opens the bank: rebuilds its memory from its book, and goes on with every file and answer that a stop or a crash
 * interrupted. Throws when the book is damaged.
 */
export async function openBank({ folder, stepDelayMs }: BankConfig): Promise<Bank> {
  const customers = path.join(folder, 'customers');
  const book = createBankBook();
  const journal = await openJournal<BankRecord>('book', path.join(folder, 'book.jsonl'), (line) =>
    book.apply(recordSchema.parse(line)),
  );
  const postbox = await openPostbox(customers);
  const faults = createBankFaults();
  let last: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const today = (): string => daysAfter(new Date().toISOString().slice(0, 10), book.daysAhead());
  const draft = (): Draft => newDraft({ book, faults, now: Date.now(), today: today() });

  /** What a draft says is in memory and on disk, all of it or nothing. */
  async function commit(changes: BankRecord['changes']): Promise<void> {
    if (changes.length === 0) return;
    const record = { at: Date.now(), changes };
    book.apply(record);
    await journal.append(record);
  }

  /** One thing after another: a call of the control does not meet a step half-way. */
  function inTurn<Result>(run: () => Promise<Result>): Promise<Result> {
    const turn = last.then(run);
    last = turn.catch(() => undefined);
    return turn;
  }

  function verdictOn(
    { customer, sha256 }: Outgoing,
    read: ReadOrders,
  ): [TakenFile['verdict'], string | null] {
    if (book.fileOf(customer, sha256)?.verdict === 'taken') return ['duplicate', 'DUPL'];
    if (read.refusal !== null) return ['refused', read.refusal.code];
    const named = read.format === 'pain.001.001.09';
    if (named && book.isMessageKnown(customer, read.messageId)) return ['duplicate', 'DU01'];
    if (faults.take('refuse_files')) return ['refused', 'FF01'];
    return ['taken', null];
  }

  async function takeFile(outgoing: Outgoing): Promise<void> {
    const { customer, name, sha256, bytes } = outgoing;
    if (!book.isToBeCleared(customer, name, sha256)) {
      const read = readFile(bytes);
      const [verdict, reason] = verdictOn(outgoing, read);
      const { messageId, format } = read;
      const { changes, ...made } = draft();
      const orders = verdict === 'taken' ? read.orders : [];
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
        orders: orders.map((order) => ({
          ...order,
          id: made.reference(),
          customer,
          file_sha256: sha256,
          message_id: messageId,
          rail: format === 'nacha' ? 'nacha' : 'iso20022',
          status: 'received',
          reason: null,
          booked_on: null,
        })),
      };
      if (reason !== null) made.status({ customer, messageId, format, orders: null, reason });
      await commit([file, ...changes]);
    }
    await postbox.remove(customer, name);
    await commit([{ kind: 'cleared', customer, name }]);
  }

  const isAwaitingDate = (order: Order): boolean =>
    faults.current().wait_for_date && order.execution_date > today();

  function returnDue(order: Order): string | null {
    const plan = planOf(order).returned;
    if (order.status !== 'booked' || plan === null || order.booked_on === null) return null;
    return daysAfter(order.booked_on, plan.afterDays) <= today() ? plan.reason : null;
  }

  const isBusy = (order: Order): boolean =>
    order.status === 'received' ||
    (order.status === 'accepted' && !isAwaitingDate(order)) ||
    returnDue(order) !== null;

  /** The next step of a file's orders. */
  async function stepFile(file: TakenFile, orders: readonly Order[]): Promise<void> {
    const made = draft();
    const received = orders.filter(({ status }) => status === 'received');
    const ready = orders.filter((order) => order.status === 'accepted' && !isAwaitingDate(order));
    const back = orders.flatMap((order) => {
      const reason = returnDue(order);
      return reason === null ? [] : [{ order, reason }];
    });
    if (received.length > 0) judge(file, received, faults.current(), made);
    if (ready.length > 0) {
      bookDebits(file, ready, { faults: faults.current(), today: today(), draft: made });
    }
    if (back.length > 0) bookReturns(back, made);
    await commit(made.changes);
  }

  async function stateAccounts(isDue: (account: BankAccount) => boolean): Promise<void> {
    for (const account of [...book.accounts()].filter(isDue)) {
      const made = draft();
      const facts = { faults: faults.current(), today: today(), now: Date.now(), draft: made };
      stateAccount(account, book, facts);
      await commit(made.changes);
    }
  }

  async function placeAnswer({ id, customer, name, text }: Answer): Promise<void> {
    const bytes = Buffer.from(text);
    if (faults.take('break_answers')) {
      await postbox.place(customer, `broken-${name}`, bytes.subarray(0, bytes.length / 2));
    }
    await postbox.place(customer, name, bytes);
    for (let time = 1; time <= faults.current().repeat_answers; time += 1) {
      await postbox.place(customer, `again-${time}-${name}`, bytes);
    }
    await commit([{ kind: 'placed', id }]);
  }

  /** Everything that is due is done once. */
  async function step(): Promise<void> {
    for await (const outgoing of postbox.outgoing()) await takeFile(outgoing);
    const now = Date.now();
    let busy = false;
    for (const { file, orders, touchedAt } of book.openFiles()) {
      if (!orders.some(isBusy)) continue;
      busy = true;
      if (now - touchedAt >= stepDelayMs) await stepFile(file, orders);
    }
    const waits = ({ entries, stated }: BankAccount): boolean => entries.length > stated;
    if (!busy) {
      await stateAccounts((one) => waits(one) && now - one.touchedAt >= 2 * stepDelayMs);
    }
    const { reorder_answers: reorder, delay_answers_ms: delay } = faults.current();
    const owed = book.owedAnswers().filter(({ at }) => Date.now() - at >= delay);
    if (reorder && (busy || [...book.accounts()].some(waits))) return;
    for (const answer of reorder ? owed.toReversed() : owed) await placeAnswer(answer);
  }

  function schedule(): void {
    if (stopped) return;
    const run = (): Promise<void> =>
      inTurn(step)
        // A folder that is away for a moment is looked at again.
        .catch((error: unknown) => console.error(`sandbox bank: ${(error as Error).message}`))
        .then(schedule);
    timer = setTimeout(() => void run(), Math.max(stepDelayMs, quickestMs));
  }
  schedule();

  function find(name: OrderName): Order {
    const order = [...book.orders()].findLast((one) => isNamed(one, name));
    if (order === undefined) throw new WireError(404, 'not_found', 'There is no such order.');
    return order;
  }

  return {
    book,
    faults,
    customers,
    today,
    async openCustomer(customer) {
      if (!customerName.test(customer)) {
        throw new WireError(400, 'invalid_request', 'The customer is no name of a folder.');
      }
      await postbox.open(customer);
    },
    endDays: (days) =>
      inTurn(async () => {
        for (let day = 0; day < days; day += 1) {
          await stateAccounts(() => true);
          await commit([{ kind: 'days', days: 1 }]);
        }
      }),
    release: (name) =>
      inTurn(async () => {
        const made = draft();
        const held = [...book.orders()].filter(
          (order) => order.status === 'held' && (name === null || isNamed(order, name)),
        );
        const released = held.map((order) => made.order(order, { status: 'accepted' }));
        const messages = Map.groupBy(
          released.filter(({ rail }) => rail === 'iso20022'),
          ({ customer, message_id: id }) => `${customer} ${id}`,
        );
        for (const orders of messages.values()) {
          const [first] = orders;
          if (first === undefined) continue;
          const { customer, message_id: messageId } = first;
          made.status({ customer, messageId, format: 'pain.001.001.09', orders });
        }
        await commit(made.changes);
        return held.length;
      }),
    giveBack: (name, reason) =>
      inTurn(async () => {
        const order = find(name);
        if (order.status !== 'booked') {
          throw new WireError(409, 'not_permitted', `A ${order.status} order cannot come back.`);
        }
        const made = draft();
        bookReturns([{ order, reason }], made);
        await commit(made.changes);
        return find(order.id);
      }),
    addFunds: ({ amount, ...whose }) =>
      inTurn(async () => {
        const made = draft();
        const entry = made.entry({
          ...whose,
          amount: formatAmount(amountOf(amount)),
          direction: 'credit',
          what: 'funds',
          order_id: null,
          reason: null,
        });
        made.notification([{ entry, order: null }]);
        await commit(made.changes);
      }),
    async close() {
      stopped = true;
      clearTimeout(timer);
      await last;
      clearTimeout(timer);
      await journal.close();
    },
  };
}
