import type { PoolClient } from 'pg';
import { z } from 'zod';
import { environments, operatorId, type Scope } from '../../access/scope.ts';
import { firstRow, inTransaction, type Statement } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import type { OperatorCall } from '../../process/services.ts';
import { enqueue } from '../../queue/queue.ts';
import { jobKeyOf } from '../../queue/tasks.ts';
import { text } from '../../values/fields.ts';
import { isId } from '../../values/ids.ts';
import { parseInput } from '../../values/validate.ts';
import { batchOutcomes, type BatchOutcome, type BatchStatus } from '../bank-batch/names.ts';
import { findBatch, openBatchFile } from '../bank-batch/store.ts';
import { findConnection } from '../bank-connection/store.ts';
import { recordAction, requireTenant, type OperatorCommand } from './action.ts';

const tenant = { businessId: text(), environment: z.enum(environments), reason: text(1_000) };
const closing = z.strictObject({ ...tenant, connectionId: text() });
const carrying = z.strictObject({ ...tenant, batchId: text() });
const finding = z.strictObject({
  ...carrying.shape,
  outcome: z.enum(batchOutcomes),
  evidence: text(1_000),
});

/** What an operator does with a file for a bank, or says of it. */
type BatchAct = 'download' | 'upload' | BatchOutcome;

/** What an operator's command leaves of a batch. */
export interface NotedBatch {
  readonly batchId: string;
  readonly status: BatchStatus;
  /** A second person has to say the same before anything happens. */
  readonly awaitsSecondPerson: boolean;
}

/** A file to be carried to the bank. */
export interface BatchFileForHand {
  readonly batchId: string;
  readonly fileName: string;
  /** In hexadecimal digits. */
  readonly sha256: string;
  readonly content: Buffer;
}

const noteBatch: Statement = {
  name: 'note_bank_batch',
  text: 'SELECT ops.note_bank_batch($1, $2, $3, $4) AS noted',
};

const notFound = (): DomainError =>
  new DomainError('not_found', { message: 'The batch does not exist.' });

const refusal: Statement = {
  name: 'bank_batch_refusal',
  text: 'SELECT ops.bank_batch_refusal($1, $2, $3) AS why',
};

/** In the transaction that holds the batch's lock, so that it is as it was when it refused. */
async function whyRefused(
  client: PoolClient,
  { tenantId }: Scope,
  batchId: string,
  what: BatchAct,
): Promise<string> {
  const row = await firstRow<{ why: string | null }>(client, refusal, [tenantId, batchId, what]);
  if (row?.why == null) throw notFound();
  return row.why;
}

/** Notes what an operator did or found out. Throws not_found, and conflict with what stands against it. */
async function note(
  client: PoolClient,
  { operator }: OperatorCall,
  scope: Scope,
  { batchId, act }: { readonly batchId: string; readonly act: BatchAct },
): Promise<'done' | 'asked'> {
  if (!isId('bankBatch', batchId)) throw notFound();
  type Row = { noted: 'done' | 'asked' | 'own' | 'refused' | null };
  const values = [scope.tenantId, batchId, act, operatorId(operator.operator)] as const;
  const noted = (await firstRow<Row>(client, noteBatch, values))?.noted ?? null;
  if (noted === null) throw notFound();
  if (noted === 'own') {
    throw new DomainError('conflict', {
      message: 'You downloaded this file, and a second person has to say that it was uploaded.',
    });
  }
  if (noted === 'refused') {
    throw new DomainError('conflict', { message: await whyRefused(client, scope, batchId, act) });
  }
  return noted;
}

/** Has the job go on, and records who let it. */
async function act(
  call: OperatorCall,
  given: z.output<typeof carrying>,
  action: OperatorCommand,
  { act: what, detail = {} }: { readonly act: BatchAct; readonly detail?: Record<string, string> },
): Promise<NotedBatch> {
  const { businessId, environment, batchId, reason } = given;
  return inTransaction(call.services.pool, async (client) => {
    const scope = await requireTenant(client, call.operator, businessId, environment);
    const noted = await note(client, call, scope, { batchId, act: what });
    if (noted === 'done') {
      const job = { tenantId: scope.tenantId, batchId };
      await enqueue(client, 'send_bank_batch', job, { jobKey: jobKeyOf('send_bank_batch', job) });
    }
    const about = { action, businessId, environment, subjectId: batchId, reason, detail };
    await recordAction(client, call.operator, about);
    const batch = await findBatch(client, scope, batchId);
    if (batch === null) throw notFound();
    // The column's CHECK constraint holds these values.
    return { batchId, status: batch.status as BatchStatus, awaitsSecondPerson: noted === 'asked' };
  });
}

/**
 * Has the worker make files of everything that waits for a connection, before its cut-off. Throws
 * validation_failed, not_found for the business and the connection, conflict where it is not active.
 */
export async function operatorCloseBatches(
  call: OperatorCall,
  given: z.input<typeof closing>,
): Promise<{ readonly connectionId: string }> {
  const { businessId, environment, connectionId, reason } = parseInput(closing, given);
  return inTransaction(call.services.pool, async (client) => {
    const scope = await requireTenant(client, call.operator, businessId, environment);
    const connection = isId('bankConnection', connectionId)
      ? await findConnection(client, scope, connectionId)
      : null;
    if (connection === null) {
      throw new DomainError('not_found', { message: 'The bank connection does not exist.' });
    }
    if (connection.status !== 'active') {
      throw new DomainError('conflict', {
        message: `The bank connection is ${connection.status}, and makes no files.`,
      });
    }
    const job = { tenantId: scope.tenantId, connectionId, onRequest: true } as const;
    await enqueue(client, 'close_bank_batch', job, { jobKey: jobKeyOf('close_bank_batch', job) });
    await recordAction(client, call.operator, {
      action: 'operatorBankBatchesClose',
      businessId,
      environment,
      subjectId: connectionId,
      reason,
    });
    return { connectionId };
  });
}

/**
 * Gives the file of a connection that people serve, and notes who has it. It is the same file each time. Throws
 * validation_failed, not_found for the business and the batch, conflict where no person carries it, or it was
 * uploaded.
 */
export async function operatorDownloadBatch(
  call: OperatorCall,
  given: z.input<typeof carrying>,
): Promise<BatchFileForHand> {
  const input = parseInput(carrying, given);
  const { businessId, environment, batchId, reason } = input;
  return inTransaction(call.services.pool, async (client) => {
    const scope = await requireTenant(client, call.operator, businessId, environment);
    await note(client, call, scope, { batchId, act: 'download' });
    const batch = await findBatch(client, scope, batchId);
    if (batch === null) throw notFound();
    const content = await openBatchFile(client, { scope, services: call.services }, batchId);
    await recordAction(client, call.operator, {
      action: 'operatorBankBatchDownload',
      businessId,
      environment,
      subjectId: batchId,
      reason,
      detail: { sha256: batch.sha256 },
    });
    return { batchId, fileName: batch.fileName, sha256: batch.sha256, content };
  });
}

/**
 * Says that a file that others downloaded was uploaded at the bank; its payouts then count as handed over. Throws
 * validation_failed, not_found for the business and the batch, conflict for whoever downloaded it, and where
 * nobody has, or it was said before.
 */
export function operatorBatchUploaded(
  call: OperatorCall,
  given: z.input<typeof carrying>,
): Promise<NotedBatch> {
  const input = parseInput(carrying, given);
  return act(call, input, 'operatorBankBatchUploaded', { act: 'upload' });
}

/**
 * Says whether the bank has a file of which nobody knows. `sent`: its payouts count as handed over. `not_sent`:
 * once a second person says so too, the same bytes are sent again. Throws validation_failed, not_found for the
 * business and the batch, conflict where the outcome is known.
 */
export function operatorResolveBatch(
  call: OperatorCall,
  given: z.input<typeof finding>,
): Promise<NotedBatch> {
  const { outcome, evidence, ...input } = parseInput(finding, given);
  const detail = { outcome, evidence };
  return act(call, input, 'operatorBankBatchResolve', { act: outcome, detail });
}
