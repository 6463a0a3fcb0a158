import type { PoolClient } from 'pg';
import type { BankLine } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { isOfContent, violatesUnique } from '../../db/errors.ts';
import { inTransaction } from '../../db/pool.ts';
import { retryOnError } from '../../db/retry.ts';
import { crashPoint } from '../../process/crash-point.ts';
import type { Call } from '../../process/services.ts';
import { findConnection } from '../bank-connection/store.ts';
import {
  noteMoney,
  recordContradictions,
  type ToldOfMoney,
} from '../contradiction/contradiction-store.ts';
import { lockAttempts } from '../disbursement/store.ts';
import { bookFunding } from '../ledger/store.ts';
import { keepToldEvents } from '../provider-event/inbox.ts';
import { eventOf } from './events.ts';
import {
  balanceReportedThrough,
  lockDifferingBatches,
  lockOpenLines,
  lockWaitingReturns,
  writeAside,
  writeDecisions,
  type ByHand,
  type Decided,
} from './line-store.ts';
import { decide, ofAccount } from './match-line.ts';
import { lockShownBatches, shownOn } from './shown-batches.ts';
import { findNamedPayments, findPaymentsOfMessages, type SentToBank } from './payments.ts';

/** What earlier lines of a page have taken of a payment. */
type TakenPayment = Pick<
  SentToBank,
  'debitLine' | 'debitDay' | 'debitOfBatch' | 'debitsTold' | 'returnLine'
>;

/** The payments that a line debits without being matched with them: the one that it names, or all of a batch. */
function debitedBy({ line, decision: { named, contradictions } }: Decided): SentToBank[] {
  if (line.direction !== 'debit' || line.reversal) return [];
  const again = contradictions.filter(({ contradiction: { kind } }) => kind === 'second_payment');
  const debited = [...again.map(({ payment }) => payment), ...(named === null ? [] : [named])];
  return [...new Map(debited.map((payment) => [payment.attemptId, payment])).values()];
}

/** What a decision about a line takes of the payments that it names. */
function takenBy(decided: Decided): [string, TakenPayment][] {
  const { line, decision } = decided;
  const { matches } = decision;
  const ofMatches = matches.map(({ payment, kind, bookedOn }): [string, TakenPayment] => {
    const { debitLine, debitDay, debitOfBatch, debitsTold, returnLine } = payment;
    const ofBatch = line.batchIds.length > 0;
    return [
      payment.attemptId,
      kind === 'debit'
        ? {
            debitLine: line.id,
            debitDay: bookedOn,
            debitOfBatch: ofBatch,
            debitsTold: debitsTold + 1,
            returnLine,
          }
        : { debitLine, debitDay, debitOfBatch, debitsTold, returnLine: line.id },
    ];
  });
  const more = debitedBy(decided).map((payment): [string, TakenPayment] => [
    payment.attemptId,
    { ...payment, debitsTold: payment.debitsTold + 1 },
  ]);
  return [...ofMatches, ...more];
}

/** Lines that one transaction decides about. */
const together = 500;

/** A credit gives back debits that stand beside it, and a reversing debit takes back such a credit. */
const turnOf = ({ direction, reversal }: BankLine): number =>
  direction === 'credit' ? 1 : reversal ? 2 : 0;

/** Decides about locked lines, one after the other: a payment that one of them takes is taken for the next. */
async function decideAll(
  client: PoolClient,
  scope: Scope,
  connection: string,
  lines: readonly BankLine[],
): Promise<Decided[]> {
  const messages = [...new Set(lines.flatMap(({ batchIds }) => batchIds))];
  const shown = await lockShownBatches(client, scope, connection, messages, lines);
  const index = await findNamedPayments(client, scope, connection, lines);
  const batches = await findPaymentsOfMessages(client, scope, connection, messages);
  const account = await findConnection(client, scope, connection);
  if (account === null) throw new Error(`${connection} is gone`);
  const taken = new Map<string, TakenPayment>();
  const current = (payment: SentToBank): SentToBank => ({
    ...payment,
    ...taken.get(payment.attemptId),
  });
  const inTurn = lines.toSorted((one, other) => turnOf(one) - turnOf(other));
  return inTurn.map((line) => {
    const batch = batches.filter(({ messageId }) => line.batchIds.includes(messageId));
    const shownHere = line.batchIds.map((id) => shownOn(id, line.bookedOn));
    const again = shownHere.some((one) => shown.has(one));
    const said = decide(line, index.find(line).map(current), batch.map(current), again);
    const decision = ofAccount(said, line, line.accountCurrency ?? account.accountCurrency);
    if (decision.match === 'payout') shownHere.forEach((one) => shown.add(one));
    const decided = { line, decision };
    for (const [attempt, one] of takenBy(decided)) taken.set(attempt, one);
    return decided;
  });
}

/**
 * Books what a bank took or what came in, once for each line. A line of a day whose closing balance was booked
 * before is part of that.
 */
async function bookLines(
  client: PoolClient,
  scope: Scope,
  decided: readonly Decided[],
): Promise<void> {
  const through = new Map<string, string | null>();
  for (const { line, decision } of decided) {
    const { match } = decision;
    const { amountMinor: amount, currency, connectionId, bookedOn } = line;
    if ((match !== 'fee' && match !== 'funding') || amount === null || amount === 0n) continue;
    const account = `${connectionId} ${currency}`;
    let day = through.get(account);
    if (day === undefined) {
      day = await balanceReportedThrough(client, scope, connectionId, currency);
      through.set(account, day);
    }
    if (day !== null && bookedOn !== null && bookedOn <= day) continue;
    await bookFunding(client, scope, {
      kind: match,
      amount,
      currency,
      source: `bank line ${line.id}`,
    });
  }
}

/** The payments of which a line says that money moved. */
function moneyOf({ line, decision: { matches, moved, said } }: Decided): ToldOfMoney[] {
  const payments = [...matches.map(({ payment }) => payment), ...moved];
  const once = new Map(payments.map((payment) => [payment.attemptId, payment]));
  return [...once.values()].map(({ attemptId, payoutId }) => ({
    attemptId,
    payoutId,
    said: `${line.direction} ${line.id}`,
    isEvent: said.some(({ payment }) => payment.attemptId === attemptId),
  }));
}

/** Writes decisions about locked lines, with everything that follows from them, in the transaction of `client`. */
export async function carryOut(
  client: PoolClient,
  scope: Scope,
  provider: string,
  decided: readonly Decided[],
  byHand: ByHand | null = null,
): Promise<void> {
  await writeDecisions(client, scope, decided, byHand);
  const calls = decided.flatMap(({ decision }) => decision.contradictions);
  const told = decided.flatMap(moneyOf);
  const attempts = [...calls.map(({ payment }) => payment), ...told].map(
    ({ attemptId }) => attemptId,
  );
  if (attempts.length > 0) await lockAttempts(client, scope, attempts);
  for (const { payment, contradiction } of calls) {
    const about = { id: payment.attemptId, payoutId: payment.payoutId, provider };
    await recordContradictions(client, scope, about, [contradiction], { source: 'event' });
  }
  await noteMoney(client, scope, provider, told, { source: 'event' });
  const said = decided.flatMap(({ decision }) => decision.said);
  const events = said.map(({ payment, said: one }) => eventOf(scope, payment, one));
  await keepToldEvents(client, provider, events);
  await bookLines(client, scope, decided);
}

/** Another transaction matched one of the payments since they were read. */
const matchedMeanwhile = (error: unknown): boolean => violatesUnique(error, 'bank_match_pkey');

type Lock = (client: PoolClient, take: number) => Promise<BankLine[]>;

/** Which lines are decided about, and for whom. */
interface MatchTurn {
  readonly call: Call;
  readonly provider: string;
  readonly connection: string;
  readonly lock: Lock;
}

/** Decides about the next lines that `lock` finds, `take` at most; how many there were. */
async function decideNext({ call, provider, connection, lock }: MatchTurn, take: number) {
  const { scope, services } = call;
  const work = () =>
    inTransaction(services.pool, async (client) => {
      const lines = await lock(client, take);
      if (lines.length === 0) return 0;
      const decided = await decideAll(client, scope, connection, lines);
      await carryOut(client, scope, provider, decided);
      return lines.length;
    });
  return retryOnError(matchedMeanwhile, work);
}

/** Decides about the next line by itself, and leaves it to a person where that fails for what it says. */
async function decideAlone(turn: MatchTurn): Promise<number> {
  const { call, lock } = turn;
  try {
    return await decideNext(turn, 1);
  } catch (error) {
    if (!isOfContent(error)) throw error;
    const left = await inTransaction(call.services.pool, async (client) => {
      const [line] = await lock(client, 1);
      if (line !== undefined) await writeAside(client, call.scope, line.id);
      return line;
    });
    const about = { tenant_id: call.scope.tenantId, line_id: left?.id, err: error };
    call.services.log.error(about, 'a line of a bank cannot be applied and is left to a person');
    return left === undefined ? 0 : 1;
  }
}

/**
 * Decides about a page of lines; how many there were. One line that cannot be applied keeps no other from it: the page is
 * then done line by line.
 */
async function nextPage(turn: MatchTurn): Promise<number> {
  let count = 0;
  try {
    count = await decideNext(turn, together);
  } catch (error) {
    if (!isOfContent(error)) throw error;
    while (count < together && (await decideAlone(turn)) > 0) count += 1;
  }
  crashPoint('bank_file_page');
  return count;
}

/** Matches the lines of a file with payments, a page a transaction. Safe to repeat. */
export async function applyLines(
  call: Call,
  provider: string,
  { id, connectionId: connection }: { readonly id: string; readonly connectionId: string },
): Promise<void> {
  const lock: Lock = (client, take) => lockOpenLines(client, call.scope, id, take);
  while ((await nextPage({ call, provider, connection, lock })) === together);
}

/**
 * Looks again at lines whose other half has come since: a batch that differed from its line, of which a status report may
 * have told which payments the bank left out; and a credit that came before the debit which it gives back.
 */
export async function reconsiderLines(
  call: Call,
  provider: string,
  connection: string,
): Promise<void> {
  const { scope } = call;
  for (const find of [lockDifferingBatches, lockWaitingReturns]) {
    const lock: Lock = (client, take) => find(client, scope, connection, take);
    await nextPage({ call, provider, connection, lock });
  }
}
