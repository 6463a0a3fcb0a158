import type { PoolClient } from 'pg';
import { Prisma, type BankBatch } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { openContent, sealContent } from '../../crypto/content.ts';
import { columns } from '../../db/columns.ts';
import { named } from '../../db/named.ts';
import { firstRow, rows, type Queryable } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';
import type { BatchFile, BatchPlan, Numbers } from '../../providers/bank-file.ts';
import type { Due } from './due.ts';
import type { Queue } from './waiting.ts';

/** A batch without the file itself. */
export type StoredBatch = Omit<BankBatch, 'content' | 'contentKeyCiphertext'>;

const visible = Object.fromEntries(
  Object.entries(Prisma.BankBatchScalarFieldEnum).filter(
    ([field]) => field !== 'content' && field !== 'contentKeyCiphertext',
  ),
);
export const batchColumns = columns(visible, 'b');

function placeOf({ scope }: Pick<Call, 'scope'>, row: string, field: 'content' | 'content_key') {
  return { tenantId: scope.tenantId, row, field };
}

const countNumbers = named(
  'count_bank_numbers',
  ['tenant', 'connection', 'traces', 'day'],
  `
    INSERT INTO bank_sequence AS s (tenant_id, connection_id, traces, files_on, files)
    VALUES (@tenant, @connection, @traces::bigint, @day, CASE WHEN @day::text IS NULL THEN 0 ELSE 1 END)
    ON CONFLICT (tenant_id, connection_id) DO UPDATE SET
      traces = s.traces + excluded.traces,
      files_on = coalesce(excluded.files_on, s.files_on),
      files = CASE WHEN excluded.files_on IS NULL OR excluded.files_on = s.files_on THEN s.files + excluded.files
        ELSE excluded.files END
    RETURNING s.traces, s.files`,
);

/** A trace number has seven digits, from 1. */
const mostTraces = 9_999_999n;

/** The numbers of a connection, counted in the transaction of `client`, which has its row locked. */
export function numbersOf(
  client: PoolClient,
  { tenantId: tenant }: Scope,
  connection: string,
): Numbers {
  async function count(traces: bigint, day: string | null) {
    const values = countNumbers.of({ tenant, connection, traces, day });
    const row = await firstRow<{ traces: bigint; files: number }>(client, countNumbers, values);
    if (row === null) throw new Error('an upsert gives its row');
    return row;
  }
  return {
    async traces(wanted) {
      const size = BigInt(wanted);
      const first = (end: bigint): bigint => ((end - size) % mostTraces) + 1n;
      const { traces: end } = await count(size, null);
      if (first(end) + size - 1n <= mostTraces) return Number(first(end));
      // The numbers of a file ascend, so what is left at the end of the seven digits is skipped.
      const { traces: later } = await count(mostTraces - (end % mostTraces) + size, null);
      return Number(first(later));
    },
    fileOfDay: async (date) => (await count(0n, date)).files,
  };
}

const insertBatch = named(
  'insert_bank_batch',
  [
    'tenant',
    'batch',
    'connection',
    'scheme',
    'currency',
    'message',
    'file',
    'sha256',
    'size',
    'content',
    'key',
    'payments',
    'sum',
    'execution',
    'by',
    'transport',
  ],
  `
    INSERT INTO bank_batch AS b (
      tenant_id, id, connection_id, scheme, currency, message_id, file_name, sha256, size_bytes, content,
      content_key_ciphertext, payment_count, control_sum_minor, execution_date, closed_by, needs_operator
    )
    VALUES (@tenant, @batch, @connection, @scheme, @currency, @message, @file, @sha256, @size, @content, @key,
      @payments, @sum, @execution, @by, ops.bank_batch_by_hand(@transport, '{}'))
    RETURNING b.needs_operator AS "byHand"`,
);

const insertPayments = named(
  'insert_bank_payments',
  ['tenant', 'batch', 'connection', 'payments'],
  `
    INSERT INTO bank_payment (
      tenant_id, attempt_id, batch_id, position, payout_id, connection_id, end_to_end_id, instruction_id, uetr,
      trace_number
    )
    SELECT @tenant, p.attempt, @batch, p.position, p.payout, @connection, p.end_to_end, p.instruction, p.uetr, p.trace
    FROM jsonb_to_recordset(@payments::jsonb) AS p (
      attempt text, position integer, payout text, end_to_end text, instruction text, uetr text, trace text
    )`,
);

/**
 * Stores a closed batch with its file, encrypted under a key of its own, and its payments.
 * @param transport of the connection, whose row is locked
 * @returns whether people bring the file to the bank
 */
export async function insertBankBatch(
  client: PoolClient,
  call: Call,
  {
    plan,
    file,
    due,
    transport,
  }: { plan: BatchPlan & Queue; file: BatchFile; due: Due; transport: string },
): Promise<boolean> {
  const { tenantId: tenant } = call.scope;
  const { id: batch, connectionId: connection, scheme, currency } = plan;
  const { content, key } = sealContent(file.bytes, placeOf(call, batch, 'content'));
  const sum = plan.payments.reduce((before, { payment }) => before + payment.amountMinor, 0n);
  const values = insertBatch.of({
    tenant,
    batch,
    connection,
    scheme,
    currency,
    message: file.messageId,
    file: file.name,
    sha256: file.sha256,
    size: file.bytes.length,
    content,
    key: call.services.keyring.encrypt(key, placeOf(call, batch, 'content_key')),
    payments: file.payments.length,
    sum,
    execution: plan.executionDate,
    by: due.by,
    transport,
  });
  const row = await firstRow<{ byHand: boolean }>(client, insertBatch, values);
  if (row === null) throw new Error('an insert gives its row');
  const payments = file.payments.map(({ of, traceNumber: trace, ...ids }, index) => ({
    attempt: of.attemptId,
    position: index + 1,
    payout: of.payoutId,
    end_to_end: ids.endToEndId,
    instruction: ids.instructionId,
    // A Nacha entry has room for neither.
    uetr: trace === null ? of.uetr : null,
    trace,
  }));
  const wire = { tenant, batch, connection, payments: JSON.stringify(payments) };
  await rows(client, insertPayments, insertPayments.of(wire));
  return row.byHand;
}

const batchById = named(
  'bank_batch_by_id',
  ['tenant', 'batch'],
  `SELECT ${batchColumns} FROM bank_batch b WHERE b.tenant_id = @tenant AND b.id = @batch`,
);

/** A batch of the scope's tenant, or null. */
export function findBatch(
  client: Queryable,
  { tenantId: tenant }: Scope,
  batch: string,
): Promise<StoredBatch | null> {
  return firstRow(client, batchById, batchById.of({ tenant, batch }));
}

const contentOfBatch = named(
  'bank_batch_content',
  ['tenant', 'batch'],
  `
    SELECT b.content, b.content_key_ciphertext AS key FROM bank_batch b
    WHERE b.tenant_id = @tenant AND b.id = @batch`,
);

/** The file of a batch that exists, as it was fixed. Throws where a ciphertext is not its own. */
export async function openBatchFile(client: Queryable, call: Call, batch: string): Promise<Buffer> {
  const values = contentOfBatch.of({ tenant: call.scope.tenantId, batch });
  const row = await firstRow<{ content: Buffer; key: Buffer }>(client, contentOfBatch, values);
  if (row === null) throw new Error(`the batch ${batch} is gone`);
  const key = call.services.keyring.decrypt(row.key, placeOf(call, batch, 'content_key'));
  return openContent(row.content, key, placeOf(call, batch, 'content'));
}

const noteProblem = named(
  'note_bank_queue_problem',
  ['tenant', 'connection', 'problem'],
  `
    INSERT INTO bank_sequence AS s (tenant_id, connection_id, problem) VALUES (@tenant, @connection, @problem)
    ON CONFLICT (tenant_id, connection_id) DO UPDATE SET problem = excluded.problem
    WHERE s.problem IS DISTINCT FROM excluded.problem`,
);

/** Notes why no file could be made for a connection; null once one was made. */
export async function noteQueueProblem(
  client: Queryable,
  { tenantId: tenant }: Scope,
  connection: string,
  problem: string | null,
): Promise<void> {
  await rows(client, noteProblem, noteProblem.of({ tenant, connection, problem }));
}
