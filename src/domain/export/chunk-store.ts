import type { Pool } from 'pg';
import { Prisma, type Export } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { columns } from '../../db/columns.ts';
import { named } from '../../db/named.ts';
import { firstRow, inTransaction, rows, type Queryable, type Statement } from '../../db/pool.ts';

/** Bytes of every piece of a file but the last. */
export const chunkBytes = 1_048_576;

/** How often the job begins a file before the export fails. */
const maximumRuns = 5;

/**
 * Each run of the job begins a new generation with a snapshot of its own, since pieces of two snapshots
 * do not make one file. A run before it that is still at work can write nothing from here on.
 */
const beginRun: Statement = {
  name: 'begin_export_run',
  text: `
    UPDATE export x SET generation = x.generation + 1, started_at = clock.now, row_count = 0, byte_count = 0,
      status = CASE WHEN x.generation >= $3::integer THEN 'failed' ELSE 'running' END,
      completed_at = CASE WHEN x.generation >= $3::integer THEN clock.now END,
      error = CASE WHEN x.generation >= $3::integer THEN 'the file was begun ' || $3::text || ' times and never finished' END
    FROM (SELECT now()) AS clock
    WHERE x.tenant_id = $1 AND x.id = $2 AND x.status IN ('pending', 'running')
    RETURNING ${columns(Prisma.ExportScalarFieldEnum, 'x')}`,
};

/** Begins a run of an export that has not ended; null for one that has, or is not there. */
export async function beginExportRun(
  client: Queryable,
  scope: Scope,
  exportId: string,
): Promise<Export | null> {
  return firstRow<Export>(client, beginRun, [scope.tenantId, exportId, maximumRuns]);
}

/** The lock of the row keeps a later run from beginning until the piece is committed. */
const noteProgress = named(
  'note_export_progress',
  ['tenant', 'export', 'generation', 'records', 'bytes'],
  `
    UPDATE export x SET row_count = @records::bigint, byte_count = x.byte_count + @bytes::bigint
    WHERE x.tenant_id = @tenant AND x.id = @export AND x.generation = @generation AND x.status = 'running'
    RETURNING x.id`,
);

const insertChunk = named(
  'insert_export_chunk',
  ['tenant', 'export', 'generation', 'seq', 'content'],
  `
    INSERT INTO export_chunk (tenant_id, export_id, generation, seq, content)
    VALUES (@tenant, @export, @generation, @seq, @content)`,
);

/** One run's place: the numbers that its pieces are written under. */
export interface ExportRun {
  readonly scope: Scope;
  readonly exportId: string;
  readonly generation: number;
}

/**
 * Writes one piece and the progress with it.
 * @param records rows of the file up to its end, without the header
 * @returns false when a later run has begun and this one is to stop
 */
export function appendExportChunk(
  pool: Pool,
  { scope, exportId, generation }: ExportRun,
  chunk: { readonly seq: number; readonly records: number; readonly content: Buffer },
): Promise<boolean> {
  const { seq, records, content } = chunk;
  const run = { tenant: scope.tenantId, export: exportId, generation };
  return inTransaction(pool, async (client) => {
    const values = noteProgress.of({ ...run, records, bytes: content.length });
    if ((await firstRow(client, noteProgress, values)) === null) return false;
    await rows(client, insertChunk, insertChunk.of({ ...run, seq, content }));
    return true;
  });
}

const endRun = named(
  'end_export_run',
  ['tenant', 'export', 'generation', 'status', 'error', 'lifetime_hours'],
  `
    UPDATE export x SET status = @status, error = @error, completed_at = clock.now,
      expires_at = CASE WHEN @status = 'completed' THEN clock.now + make_interval(hours => @lifetime_hours::integer) END
    FROM (SELECT now()) AS clock
    WHERE x.tenant_id = @tenant AND x.id = @export AND x.generation = @generation AND x.status = 'running'
    RETURNING x.id`,
);

/** Finishes an export; false when a later run has begun. */
export async function completeExport(
  client: Queryable,
  { scope, exportId, generation }: ExportRun,
  lifetimeHours: number,
): Promise<boolean> {
  const run = { tenant: scope.tenantId, export: exportId, generation };
  const ended = { status: 'completed', error: null, lifetime_hours: lifetimeHours };
  const values = endRun.of({ ...run, ...ended });
  return (await firstRow(client, endRun, values)) !== null;
}

/** Ends an export as failed, with the reason that its owner reads. */
export async function failExport(
  client: Queryable,
  { scope, exportId, generation }: ExportRun,
  reason: string,
): Promise<void> {
  const run = { tenant: scope.tenantId, export: exportId, generation };
  const values = endRun.of({ ...run, status: 'failed', error: reason, lifetime_hours: 0 });
  await rows(client, endRun, values);
}

const deleteChunks: Statement = {
  name: 'delete_export_chunks',
  text: `
    DELETE FROM export_chunk c
    WHERE c.tenant_id = $1 AND c.export_id = $2 AND c.generation < $3
      AND (c.generation, c.seq) IN (
        SELECT k.generation, k.seq FROM export_chunk k
        WHERE k.tenant_id = $1 AND k.export_id = $2 AND k.generation < $3
        ORDER BY k.generation, k.seq LIMIT $4
      )
    RETURNING c.seq`,
};

/** About two hundred megabytes, which one statement deletes in a second or two. */
const chunksAtATime = 200;

/** Deletes the pieces of the generations before this one, a bounded number in a statement. */
export async function deleteOlderChunks(
  client: Queryable,
  { scope, exportId, generation }: ExportRun,
): Promise<void> {
  const values = [scope.tenantId, exportId, generation, chunksAtATime] as const;
  for (;;) {
    const deleted = await rows(client, deleteChunks, values);
    if (deleted.length < chunksAtATime) return;
  }
}

/** Latin-1 sends each byte as one character; hexadecimal digits, the usual form, would be two. */
const readChunk = named(
  'read_export_chunk',
  ['tenant', 'export', 'generation', 'seq', 'from', 'length'],
  `
    SELECT convert_from(substring(c.content FROM @from::integer + 1 FOR @length::integer), 'LATIN1') AS content
    FROM export_chunk c
    WHERE c.tenant_id = @tenant AND c.export_id = @export AND c.generation = @generation AND c.seq = @seq`,
);

/**
 * Reads a part of one piece.
 * @param from first byte within the piece, from 0
 * @param length bytes at most
 * @returns null when the piece is gone
 */
export async function readExportChunk(
  client: Queryable,
  { scope, exportId, generation }: ExportRun,
  part: { readonly seq: number; readonly from: number; readonly length: number },
): Promise<Buffer | null> {
  const run = { tenant: scope.tenantId, export: exportId, generation };
  const values = readChunk.of({ ...run, ...part });
  const found = await firstRow<{ content: string }>(client, readChunk, values);
  return found === null ? null : Buffer.from(found.content, 'latin1');
}
