import { inTransaction } from '../../db/pool.ts';
import { crashPoint } from '../../process/crash-point.ts';
import type { Call } from '../../process/services.ts';
import { connectTransport, type Transport } from '../../providers/bank-transport.ts';
import { ProviderError } from '../../providers/port.ts';
import { backoffMs } from '../../queue/backoff.ts';
import { enqueue } from '../../queue/queue.ts';
import { jobKeyOf } from '../../queue/tasks.ts';
import { noTransport, openTransport } from '../bank-connection/open.ts';
import { findConnection } from '../bank-connection/store.ts';
import { acceptedEvent } from '../disbursement/accepted-store.ts';
import { commitAccepted } from '../disbursement/together.ts';
import {
  beginPublishing,
  beginStaging,
  findOpenPayments,
  isCarriedByHand,
  noteSendProblem,
  recordSent,
  recordTaken,
  recordUnknown,
} from './send-store.ts';
import { findBatch, openBatchFile, type StoredBatch } from './store.ts';

/**
 * Brings a closed batch to its bank, as a job: always the bytes that were fixed when it closed. Each step is
 * committed before the next begins, so the job may die anywhere and run again:
 * stage under a temporary name → commit that it is about to be sent → give it its name → record that it is there.
 * From the second step on the file is staged no more. If its temporary name is gone and its own is not there,
 * nobody knows whether the bank took it, and an operator decides. What people bring is left to them.
 */
export async function sendBankBatch(call: Call, batchId: string): Promise<void> {
  const batch = await findBatch(call.services.pool, call.scope, batchId);
  if (batch === null) return;
  if (batch.status === 'sent') return recordAllTaken(call, batch);
  if (batch.status !== 'closed' && batch.status !== 'sending') return;
  const transport = await transportOf(call, batch);
  if (transport === null) return;
  if (transport === 'by_hand') {
    if (batch.status === 'sending' && batch.downloadedBy.length === 0) {
      await unknown(
        call,
        batch,
        'The file was about to get its name at the bank when its connection became one that people serve: the bank may have it.',
      );
    }
    return;
  }
  try {
    if (batch.status === 'sending') await settle(call, batch, transport);
    else await bring(call, batch, transport);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    await tryLater(call, batch, error);
  } finally {
    await transport.close();
  }
}

/**
 * The way to the bank; `by_hand` where people carry the file. Null where nothing leaves at this moment, which operators
 * see: the payouts of a fixed file cannot be canceled any more.
 */
async function transportOf(call: Call, batch: StoredBatch): Promise<Transport | 'by_hand' | null> {
  const connection = await findConnection(call.services.pool, call.scope, batch.connectionId);
  if (connection === null) throw new Error(`${batch.connectionId} is gone`);
  if (await isCarriedByHand(call.services.pool, call.scope, batch.id)) return 'by_hand';
  // What is about to be sent is looked for also where the connection was paused since.
  if (batch.status === 'closed' && connection.status !== 'active') {
    return stays(call, batch, `The connection is ${connection.status}: nothing leaves.`);
  }
  const way = openTransport(call, connection);
  return way === null ? stays(call, batch, noTransport) : connectTransport(way);
}

/** Notes why a file does not leave at this moment. */
async function stays({ services, scope }: Call, batch: StoredBatch, why: string): Promise<null> {
  await noteSendProblem(services.pool, scope, batch.id, why);
  services.log.warn({ batch_id: batch.id, problem: why }, 'a file for a bank waits');
  return null;
}

const temporaryName = ({ fileName }: StoredBatch, staging: number): string =>
  `${fileName}.${staging}.part`;

async function bring(call: Call, batch: StoredBatch, transport: Transport): Promise<void> {
  const { services, scope } = call;
  const staging = await beginStaging(services.pool, scope, batch.id);
  if (staging === null) return; // another run is further
  if (staging > 1) await transport.discard(temporaryName(batch, staging - 1));
  const bytes = await openBatchFile(services.pool, call, batch.id);
  await transport.stage(temporaryName(batch, staging), bytes);
  crashPoint('batch_staged');
  if (!(await beginPublishing(services.pool, scope, batch.id, staging))) return;
  crashPoint('batch_marked');
  await transport.publish(temporaryName(batch, staging), batch.fileName);
  crashPoint('batch_published');
  await sent(call, batch);
}

/**
 * Goes on where an earlier run died or its connection broke. The temporary name is looked for first: a file
 * gets its own name by losing that one, so it cannot be missed between the two looks. Two runs that both
 * rename it do so once.
 */
async function settle(call: Call, batch: StoredBatch, transport: Transport): Promise<void> {
  const temporary = temporaryName(batch, batch.stagings);
  if ((await transport.find(temporary)) !== null) {
    await transport.publish(temporary, batch.fileName);
    crashPoint('batch_published');
    return sent(call, batch);
  }
  const there = await transport.find(batch.fileName);
  if (there === null) {
    return unknown(
      call,
      batch,
      'The file was about to get its name at the bank. Neither that name nor the temporary one is there now: the bank may have taken it.',
    );
  }
  // Where the bank lets nobody read the file, its name is enough: only this file has it, and only when all of it is there.
  if (there.sha256 === null || there.sha256 === batch.sha256) return sent(call, batch);
  return unknown(call, batch, 'A file of this name is at the bank, and its content is another.');
}

/** Records that the bank certainly has the file, and then that it has each of its payments. */
async function sent(call: Call, batch: StoredBatch): Promise<void> {
  if (!(await recordSent(call.services.pool, call.scope, batch.id))) return;
  crashPoint('batch_recorded');
  await recordAllTaken(call, batch);
}

/** Attempts that are recorded at the same time. */
const takenAtATime = 200;

/** The bank gives a payment no id of its own, so the attempt's stands for it. */
async function recordAllTaken(call: Call, { id, takenAt }: StoredBatch): Promise<void> {
  const { pool } = call.services;
  if (takenAt !== null) return;
  const attempts = await findOpenPayments(pool, call.scope, id);
  for (let at = 0; at < attempts.length; at += takenAtATime) {
    const part = attempts.slice(at, at + takenAtATime);
    await Promise.all(
      part.map((attemptId) =>
        commitAccepted(call, {
          attemptId,
          payoutId: attemptId,
          railRef: null,
          event: acceptedEvent(),
        }),
      ),
    );
  }
  await recordTaken(pool, call.scope, id);
}

async function unknown(call: Call, batch: StoredBatch, problem: string): Promise<void> {
  const { pool, log } = call.services;
  if (!(await recordUnknown(pool, call.scope, batch.id, problem))) return;
  log.error(
    { batch_id: batch.id, file: batch.fileName, sha256: batch.sha256 },
    'nobody knows whether a bank has a file: an operator decides, and nothing is sent again',
  );
}

/** Notes why the file is not there, and looks again after a pause that grows with the age of the batch. */
async function tryLater(call: Call, batch: StoredBatch, error: ProviderError): Promise<void> {
  const { pool, config, log } = call.services;
  log.warn(
    { batch_id: batch.id, verdict: error.verdict, problem: error.message },
    'a file did not get to its bank and is tried again',
  );
  const waitMs = backoffMs(batch.closedAt, config.PROVIDER_RETRY_DELAYS);
  const job = { tenantId: call.scope.tenantId, batchId: batch.id };
  const options = { waitMs, jobKey: jobKeyOf('send_bank_batch', job) };
  await inTransaction(pool, async (client) => {
    await noteSendProblem(client, call.scope, batch.id, error.message);
    await enqueue(client, 'send_bank_batch', job, options);
  });
}
