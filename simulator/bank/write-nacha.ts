import { amountOf } from './amount.ts';
import type { Order } from './model.ts';

/** An order that comes back, or whose account is told otherwise. */
export interface AchAnswer {
  readonly order: Order;
  /** R01 … for a return, C01 … for a notification of change. */
  readonly code: string;
  /** The corrected data of a notification. */
  readonly corrected: string;
}

const text = (value: string, length: number): string => value.slice(0, length).padEnd(length);
const digits = (value: string | number | bigint, length: number): string =>
  String(value).slice(-length).padStart(length, '0');

/** What the control records say of entries. */
interface Sums {
  readonly lines: number;
  readonly hash: bigint;
  readonly cents: bigint;
}

const add = (one: Sums, other: Sums): Sums => ({
  lines: one.lines + other.lines,
  hash: one.hash + other.hash,
  cents: one.cents + other.cents,
});
const none: Sums = { lines: 0, hash: 0n, cents: 0n };

const totals = ({ lines, hash, cents }: Sums, countLength: number): string =>
  `${digits(lines, countLength)}${digits(hash, 10)}${digits(0, 12)}${digits(cents, 12)}`;

const isChange = ({ code }: AchAnswer): boolean => code.startsWith('C');

/** A return or notification of change of one entry, in a batch of its own as the payee's bank makes it. */
function batchLines(answer: AchAnswer, number: number): { lines: string[]; sums: Sums } {
  const { order, code, corrected } = answer;
  if (order.ach === null) throw new Error(`${order.id} is no order of Nacha`);
  const { ach } = order;
  const payeeBank = ach.routing_number.slice(0, 8);
  const trace = `${payeeBank}${digits(number, 7)}`;
  const cents = isChange(answer) ? 0n : amountOf(order.amount) / 1000n;
  // 21 answers a credit to checking, 31 one to savings.
  const transaction = `${ach.code.charAt(0)}1`;
  const origin = digits(ach.bank, 8);
  const hash = BigInt(origin);
  const sums: Sums = { lines: 2, hash, cents };
  const head = [
    '5220',
    text(ach.company, 16),
    text('', 20),
    text(ach.company_id, 10),
    isChange(answer) ? 'COR' : ach.entry_class,
    text('PAYMENT', 10),
    text('', 6),
    order.execution_date.slice(2).replaceAll('-', ''),
    '   1',
    payeeBank,
    digits(number, 7),
  ].join('');
  const entry = [
    `6${transaction}`,
    origin,
    '0',
    // The bank keeps no account numbers of payees.
    text(order.creditor_last4, 17),
    digits(cents, 10),
    text(ach.identification, 15),
    text('', 22),
    '  1',
    trace,
  ].join('');
  const original = order.trace_number ?? '';
  const addenda = isChange(answer)
    ? ['798', code, original, text('', 6), payeeBank, text(corrected, 29), text('', 15), trace]
    : ['799', code, original, text('', 6), payeeBank, text('', 44), trace];
  const control = [
    '8220',
    totals(sums, 6),
    text(ach.company_id, 10),
    text('', 25),
    payeeBank,
    digits(number, 7),
  ].join('');
  return { lines: [head, entry, addenda.join(''), control], sums };
}

/** A Nacha file of returns and notifications of change. `at` gives its date and time, in UTC. */
export function writeAchAnswers(answers: readonly AchAnswer[], at: Date, modifier: string): string {
  const [first] = answers;
  if (first?.order.ach === undefined || first.order.ach === null) {
    throw new Error('there is nothing to answer');
  }
  const { bank, origin } = first.order.ach;
  const moment = at.toISOString().replaceAll(/[-:T]/g, '');
  const head = [
    '101',
    origin.padStart(10),
    bank.padEnd(9, '0').padStart(10),
    moment.slice(2, 12),
    modifier,
    '094101',
    text('ORIGINATOR', 23),
    text('SANDBOX BANK', 23),
    text('', 8),
  ].join('');
  const batches = answers.map((answer, index) => batchLines(answer, index + 1));
  const sums = batches.reduce((sum, batch) => add(sum, batch.sums), none);
  const lines = [head, ...batches.flatMap((batch) => batch.lines)];
  const blocks = Math.ceil((lines.length + 1) / 10);
  lines.push(
    ['9', digits(answers.length, 6), digits(blocks, 6), totals(sums, 8), text('', 39)].join(''),
  );
  while (lines.length % 10 !== 0) lines.push('9'.repeat(94));
  return `${lines.join('\n')}\n`;
}
