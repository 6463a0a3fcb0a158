import { WireError } from '../http.ts';
import { amountOf, formatAmount } from './amount.ts';
import type { BankBook } from './book.ts';
import type { BankFaultState } from './faults.ts';
import type { Order } from './model.ts';
import { customerName } from './postbox.ts';
import { openState, type BankConfig, type BankState } from './state.ts';
import { endDay, step } from './steps.ts';
import { bookReturns } from './work.ts';

/** By what an order is named: one of the references that its file has, or the bank's own. */
type OrderName = string;

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
  /** Credits an account with money that nobody ordered. WireError 404 for a customer without folders. */
  addFunds(funds: Pick<Order, 'customer' | 'account' | 'currency' | 'amount'>): Promise<void>;
  /** Resolves with the error of a write to the book that fails. The program has to end then. */
  readonly broken: Promise<Error>;
  close(): Promise<void>;
}

/** The folders are looked at this often at most. */
const quickestMs = 20;

const isNamed = (order: Order, name: OrderName): boolean =>
  [order.id, order.end_to_end_id, order.instruction_id, order.trace_number].includes(name);

async function release(state: BankState, name: OrderName | null): Promise<number> {
  const draft = state.draft();
  const held = [...state.book.orders()].filter(
    (order) => order.status === 'held' && (name === null || isNamed(order, name)),
  );
  const released = held.map((order) => draft.order(order, { status: 'accepted' }));
  const messages = Map.groupBy(
    released.filter(({ rail }) => rail === 'iso20022'),
    ({ customer, message_id: id }) => `${customer} ${id}`,
  );
  for (const orders of messages.values()) {
    const [first] = orders;
    if (first === undefined) continue;
    const { customer, message_id: messageId } = first;
    draft.status({ customer, messageId, format: 'pain.001.001.09', orders });
  }
  await state.commit(draft.changes);
  return held.length;
}

async function giveBack(state: BankState, name: OrderName, reason: string): Promise<Order> {
  const order = [...state.book.orders()].findLast((one) => isNamed(one, name));
  if (order === undefined) throw new WireError(404, 'not_found', 'There is no such order.');
  if (order.status !== 'booked') {
    throw new WireError(409, 'not_permitted', `A ${order.status} order cannot come back.`);
  }
  const draft = state.draft();
  bookReturns([{ order, reason }], draft);
  await state.commit(draft.changes);
  return { ...order, status: 'returned', reason };
}

async function addFunds(
  state: BankState,
  { amount, ...whose }: Parameters<Bank['addFunds']>[0],
): Promise<void> {
  if (!(await state.postbox.has(whose.customer))) {
    throw new WireError(404, 'not_found', 'There is no such customer: it has no folder.');
  }
  const draft = state.draft();
  const entry = draft.entry({
    ...whose,
    amount: formatAmount(amountOf(amount)),
    direction: 'credit',
    what: 'funds',
    order_id: null,
    reason: null,
  });
  draft.notification([{ entry, order: null }]);
  await state.commit(draft.changes);
}

/** Runs one thing after another, so that a call of the control does not meet a step half-way. */
function createTurns() {
  let last: Promise<unknown> = Promise.resolve();
  return {
    take<Result>(run: () => Promise<Result>): Promise<Result> {
      const turn = last.then(run);
      last = turn.catch(() => undefined);
      return turn;
    },
    ended: () => last,
  };
}

/**
 * Opens the bank: rebuilds its memory from its book, and goes on with every file and answer that a stop or a crash
 * interrupted. Throws when the book is damaged.
 */
export async function openBank(config: BankConfig): Promise<Bank> {
  const state = await openState(config);
  const pauseMs = Math.max(config.stepDelayMs, quickestMs);
  const turns = createTurns();
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  async function run(): Promise<void> {
    try {
      await turns.take(() => step(state));
    } catch (error) {
      // A folder that is away for a moment is looked at again.
      process.stderr.write(`sandbox bank: ${(error as Error).message}\n`);
    }
    schedule();
  }

  function schedule(): void {
    if (!stopped) timer = setTimeout(() => void run(), pauseMs);
  }
  schedule();

  return {
    book: state.book,
    faults: state.faults,
    broken: state.broken,
    customers: state.customers,
    today: state.today,
    async openCustomer(customer) {
      if (!customerName.test(customer)) {
        throw new WireError(400, 'invalid_request', 'The customer is no name of a folder.');
      }
      await state.postbox.open(customer);
    },
    endDays: (days) =>
      turns.take(async () => {
        for (let day = 0; day < days; day += 1) await endDay(state);
      }),
    release: (name) => turns.take(() => release(state, name)),
    giveBack: (name, reason) => turns.take(() => giveBack(state, name, reason)),
    addFunds: (funds) => turns.take(() => addFunds(state, funds)),
    async close() {
      stopped = true;
      clearTimeout(timer);
      await turns.ended();
      await state.close();
    },
  };
}
