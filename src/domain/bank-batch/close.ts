import { randomUUID } from 'node:crypto';
import type { PoolClient } from 'pg';
import type { DisbursementAttempt, Payout } from '../../../generated/prisma/client.ts';
import { inTransaction } from '../../db/pool.ts';
import { crashPoint } from '../../process/crash-point.ts';
import type { Call } from '../../process/services.ts';
import { bankProviderName, type BankConnectionFacts } from '../../providers/bank-connection.ts';
import { BankFileRefused, writeBatchFile, type BatchPayment } from '../../providers/bank-file.ts';
import type { FilePayment } from '../../providers/port.ts';
import { enqueue, enqueueMany } from '../../queue/queue.ts';
import { jobKeyOf } from '../../queue/tasks.ts';
import { newId } from '../../values/ids.ts';
import { openConnection } from '../bank-connection/open.ts';
import { findConnection, lockConnection } from '../bank-connection/store.ts';
import { insertAttempts } from '../disbursement/store.ts';
import { verifiedRecipients } from '../enrollment/store.ts';
import { movePayoutTo } from '../payout/transition.ts';
import { describePayments } from '../route/payments.ts';
import { choose, openRoutes } from '../route/rails.ts';
import { dueOf, type Due } from './due.ts';
import { insertBankBatch, noteQueueProblem, numbersOf } from './store.ts';
import { findQueues, takeFromQueue, type Queue } from './waiting.ts';

/**
 * Makes the files of a connection that are due, as a job. Each file is one transaction, which takes payouts out
 * of the queue, commits their attempts and fixes the bytes. Before it a payout can be canceled and held, and
 * afterwards not. Safe to run twice at once: the connection's row is locked by whoever makes a file.
 *
 * @param onRequest an operator wants a file of everything that waits
 */
export async function closeBankBatches(
  call: Call,
  connectionId: string,
  { onRequest = false, now = call.services.clock.now() }: { onRequest?: boolean; now?: Date } = {},
): Promise<void> {
  const { pool } = call.services;
  const row = await findConnection(pool, call.scope, connectionId);
  if (row?.status === 'closed') await emptyQueues(call, connectionId);
  if (row?.status !== 'active') return;
  const { cutOff, maxPayments } = openConnection(call, row);
  const problems: string[] = [];
  for (const queue of await findQueues(pool, call.scope, connectionId)) {
    const due = dueOf(cutOff, queue, { now, onRequest, maxPayments });
    const problem = due === null ? null : await closeQueue(call, queue, due);
    if (problem !== null) problems.push(problem);
  }
  const problem = problems.length === 0 ? null : problems.join(' ');
  await noteQueueProblem(pool, call.scope, connectionId, problem);
}

/** Payouts of one transaction that are sent away from a closed connection; the sweeper's next job does the rest. */
const sentAway = 1_000;

/**
 * Sends the payouts that wait for a file of a connection that is closed to look for their way again: one began to wait
 * just when the routes were replaced.
 */
async function emptyQueues(call: Call, connectionId: string): Promise<void> {
  const { pool } = call.services;
  for (const queue of await findQueues(pool, call.scope, connectionId)) {
    await inTransaction(pool, async (client) => {
      const taken = await takeFromQueue(client, call.scope, queue, {
        before: null,
        take: sentAway,
      });
      await disburseAgain(
        client,
        call,
        taken.map(({ id }) => id),
      );
    });
  }
}

/**
 * Makes files until what is due of a queue is in one. Returns why no file could be made, or null: a queue that
 * cannot be written stops no other.
 */
async function closeQueue(call: Call, queue: Queue, due: Due): Promise<string | null> {
  const { connectionId, scheme, currency } = queue;
  try {
    let more = true;
    while (more) {
      more = await closeOne(call, queue, due);
      crashPoint('batch_after_commit');
    }
    return null;
  } catch (error) {
    if (!(error instanceof BankFileRefused)) throw error;
    const about = { connection_id: connectionId, scheme, currency, problem: error.message };
    call.services.log.error(about, 'no file can be made for a bank');
    return `${scheme} ${currency}: ${error.message}`;
  }
}

/** Makes one file. Returns whether more may be due: another file was full. */
async function closeOne(call: Call, queue: Queue, due: Due): Promise<boolean> {
  try {
    return await inTransaction(call.services.pool, (client) => fixBatch(client, call, queue, due));
  } catch (error) {
    // What a check of one payment alone cannot see is found in the whole file, and nothing of it is left.
    if (!(error instanceof BankFileRefused) || error.payouts.size === 0) throw error;
    await refuseAll(call, error.payouts);
    return true;
  }
}

async function fixBatch(client: PoolClient, call: Call, queue: Queue, due: Due): Promise<boolean> {
  const row = await lockConnection(client, call.scope, queue.connectionId);
  if (row === null || row.status !== 'active') return false;
  const connection = openConnection(call, row);
  const { before } = due;
  const take = connection.maxPayments;
  const taken = await takeFromQueue(client, call.scope, queue, { before, take });
  const { candidates, again } = await sort(client, call, queue, taken);
  const { committed, left } = await commitAttempts(client, call, queue, candidates);
  await disburseAgain(client, call, [...again, ...left]);
  if (committed.length > 0) {
    const { transport } = row;
    await storeBatch(client, call, { queue, due, connection, transport, payments: committed });
  }
  crashPoint('batch_before_commit');
  return taken.length === take;
}

/** A payout that can be in the file as far as is known before its attempt. */
interface Candidate {
  readonly payout: Payout;
  readonly payment: FilePayment;
  readonly recipientId: string;
}

/**
 * Judges the payouts by what holds at this moment, and not when they began to wait. `again` has the ids of
 * those that look for their way once more, since their route, their payee or their account changed.
 */
async function sort(
  client: PoolClient,
  call: Call,
  queue: Queue,
  taken: readonly Payout[],
): Promise<{ candidates: Candidate[]; again: string[] }> {
  const ready = taken.filter(
    ({ state, liveAttemptId }) => state === 'approved' && liveAttemptId === null,
  );
  const provider = bankProviderName(queue.connectionId);
  const routes = await openRoutes(call, client);
  const sources = ready.map((payout) => ({ ...payout, version: payout.bankAccountVersion }));
  const described = await describePayments(call, client, sources);
  const { recipientOf } = await verifiedRecipients(client, call.scope, sources);
  const candidates: Candidate[] = [];
  const again: string[] = [];
  for (const [index, payout] of sources.entries()) {
    const payment = described[index]?.payment;
    const way = payment === undefined ? null : choose(routes, payment);
    const recipientId = recipientOf(payout, provider);
    const here = way?.kind === 'rail' && way.rail.name === provider && way.scheme === queue.scheme;
    if (here && payment !== undefined && recipientId !== null) {
      candidates.push({ payout, payment, recipientId });
    } else again.push(payout.id);
  }
  return { candidates, again };
}

/** Attempts of one statement, which then takes well under a second. */
const attemptsAtATime = 500;

/** Nobody asks a bank again under the same key: a file that was sent is never sent to find out. */
const noWindow = 0;

/** Commits the attempts by the rules of every provider: no suspended payee, no contradicted predecessor. */
async function commitAttempts(
  client: PoolClient,
  call: Call,
  queue: Queue,
  candidates: readonly Candidate[],
): Promise<{ committed: BatchPayment[]; left: string[] }> {
  const provider = bankProviderName(queue.connectionId);
  const attempts: (DisbursementAttempt | null)[] = [];
  for (let at = 0; at < candidates.length; at += attemptsAtATime) {
    const wanted = candidates
      .slice(at, at + attemptsAtATime)
      .map(({ payout: { id: payoutId, beneficiaryId }, recipientId }) => ({
        payoutId,
        beneficiaryId,
        provider,
        recipientId,
        idempotencyWindowMs: noWindow,
      }));
    attempts.push(...(await insertAttempts(client, call.scope, wanted)));
  }
  const committed: BatchPayment[] = [];
  const left: string[] = [];
  for (const [index, { payout, payment }] of candidates.entries()) {
    const attempt = attempts[index] ?? null;
    if (attempt === null) left.push(payout.id);
    else {
      const ids = { payoutId: payout.id, attemptId: attempt.id, uetr: randomUUID() };
      committed.push({ ...ids, message: payout.externalRef, payment });
    }
  }
  return { committed, left };
}

/** Writes the file and stores it, with the job that brings it to the bank. */
async function storeBatch(
  client: PoolClient,
  call: Call,
  given: {
    queue: Queue;
    due: Due;
    connection: BankConnectionFacts;
    transport: string;
    payments: readonly BatchPayment[];
  },
): Promise<void> {
  const { queue, due, connection, transport, payments } = given;
  const { tenantId } = call.scope;
  const plan = {
    ...queue,
    id: newId('bankBatch'),
    connection,
    createdAt: call.services.clock.now(),
    executionDate: due.executionDate,
    payments,
  };
  const file = await writeBatchFile(plan, numbersOf(client, call.scope, queue.connectionId));
  if (await insertBankBatch(client, call, { plan, file, due, transport })) return;
  const job = { tenantId, batchId: plan.id };
  await enqueue(client, 'send_bank_batch', job, { jobKey: jobKeyOf('send_bank_batch', job) });
}

/** A definite no before anything was handed over. */
async function refuse(
  client: PoolClient,
  call: Call,
  payoutId: string,
  why: string,
): Promise<void> {
  await movePayoutTo(client, call.scope, payoutId, {
    trigger: 'fail',
    when: { kind: 'not_handed_over' },
    reason: 'no file can hold the payment',
    failure: { code: 'invalid_account', message: `The bank's file cannot hold it. ${why}` },
  });
}

/** Ends the payouts that the file could not hold. */
async function refuseAll(call: Call, payouts: ReadonlyMap<string, string>): Promise<void> {
  await inTransaction(call.services.pool, async (client) => {
    for (const [payoutId, why] of payouts) await refuse(client, call, payoutId, why);
  });
}

/** Adds the disbursement of payouts that are out of the queue and not in the file. */
async function disburseAgain(
  client: PoolClient,
  { scope }: Call,
  payoutIds: readonly string[],
): Promise<void> {
  const payloads = payoutIds.map((payoutId) => ({ tenantId: scope.tenantId, payoutId }));
  const keys = payloads.map((payload) => ({ jobKey: jobKeyOf('disburse_payout', payload) }));
  await enqueueMany(client, 'disburse_payout', payloads, keys);
}
