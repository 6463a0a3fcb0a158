import type { PoolClient } from 'pg';
import type { BankLine } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { violatesUnique } from '../../db/errors.ts';
import { inTransaction } from '../../db/pool.ts';
import { retryOnError } from '../../db/retry.ts';
import { crashPoint } from '../../process/crash-point.ts';
import type { Call } from '../../process/services.ts';
import { findConnection } from '../bank-connection/store.ts';
import { recordContradictions } from '../contradiction/contradiction-store.ts';
import { lockAttempts } from '../disbursement/store.ts';
import { bookFunding } from '../ledger/store.ts';
import { keepToldEvents } from '../provider-event/inbox.ts';
import { eventOf } from './events.ts';
import {
  balanceReportedThrough,
  lockDifferingBatches,
  lockOpenLines,
  writeDecisions,
  type ByHand,
  type Decided,
} from './line-store.ts';
import { decide, ofAccount } from './match-line.ts';
import { lockShownBatches, shownOn } from './shown-batches.ts';
import { findNamedPayments, findPaymentsOfMessages, type SentToBank } from './payments.ts';

/** What earlier lines of a page have taken of a payment. */
type Taken = Pick<SentToBank, 'debitLine' | 'debitDay' | 'debitOfBatch' | 'returnLine'>;

/** Lines that one transaction decides about. */
const together = 500;

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
  const taken = new Map<string, Taken>();
  const current = (payment: SentToBank): SentToBank => ({
    ...payment,
    ...taken.get(payment.attemptId),
  });
  return lines.map((line) => {
    const batch = batches.filter(({ messageId }) => line.batchIds.includes(messageId));
    const shownHere = line.batchIds.map((id) => shownOn(id, line.bookedOn));
    const again = shownHere.some((one) => shown.has(one));
    const said = decide(line, index.find(line).map(current), batch.map(current), again);
    const decision = ofAccount(said, line, line.accountCurrency ?? account.accountCurrency);
    if (decision.match === 'payout') shownHere.forEach((one) => shown.add(one));
    for (const { payment, kind, bookedOn } of decision.matches) {
      const { debitLine, debitDay, debitOfBatch, returnLine } = payment;
      const ofBatch = line.batchIds.length > 0;
      taken.set(
        payment.attemptId,
        kind === 'debit'
          ? { debitLine: line.id, debitDay: bookedOn, debitOfBatch: ofBatch, returnLine }
          : { debitLine, debitDay, debitOfBatch, returnLine: line.id },
      );
    }
    return { line, decision };
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
  if (calls.length > 0) {
    await lockAttempts(
      client,
      scope,
      calls.map(({ payment }) => payment.attemptId),
    );
  }
  for (const { payment, contradiction } of calls) {
    const about = { id: payment.attemptId, payoutId: payment.payoutId, provider };
    await recordContradictions(client, scope, about, [contradiction], { source: 'event' });
  }
  const said = decided.flatMap(({ decision }) => decision.said);
  const events = said.map(({ payment, said: one }) => eventOf(scope, payment, one));
  await keepToldEvents(client, provider, events);
  await bookLines(client, scope, decided);
}

/** Another transaction matched one of the payments since they were read. */
const matchedMeanwhile = (error: unknown): boolean => violatesUnique(error, 'bank_match_pkey');

type Lock = (client: PoolClient) => Promise<BankLine[]>;

/** Decides about the next lines that `lock` finds; how many there were. */
async function nextPage(
  call: Call,
  provider: string,
  connection: string,
  lock: Lock,
): Promise<number> {
  const { scope, services } = call;
  const work = () =>
    inTransaction(services.pool, async (client) => {
      const lines = await lock(client);
      if (lines.length === 0) return 0;
      const decided = await decideAll(client, scope, connection, lines);
      await carryOut(client, scope, provider, decided);
      return lines.length;
    });
  const count = await retryOnError(matchedMeanwhile, work);
  crashPoint('bank_file_page');
  return count;
}

/** Matches the lines of a file with payments, a page a transaction. Safe to repeat. */
export async function applyLines(
  call: Call,
  provider: string,
  { id, connectionId }: { readonly id: string; readonly connectionId: string },
): Promise<void> {
  const lock: Lock = (client) => lockOpenLines(client, call.scope, id, together);
  while ((await nextPage(call, provider, connectionId, lock)) === together);
}

/**
 * Looks again at the batches that differed from their line: a status report that came after the statement may have
 * told which of their payments the bank left out.
 */
export async function reconsiderBatches(
  call: Call,
  provider: string,
  connectionId: string,
): Promise<void> {
  await nextPage(call, provider, connectionId, (client) =>
    lockDifferingBatches(client, call.scope, connectionId, together),
  );
}
