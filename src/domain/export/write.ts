import type { Export } from '../../../generated/prisma/client.ts';
import type { CsvCopy } from '../../db/copy.ts';
import { inTransaction } from '../../db/pool.ts';
import { enqueue } from '../../queue/queue.ts';
import { jobKeyOf } from '../../queue/tasks.ts';
import type { Call } from '../../process/services.ts';
import {
  appendExportChunk,
  beginExportRun,
  chunkBytes,
  completeExport,
  deleteOlderChunks,
  failExport,
  type ExportRun,
} from './chunk-store.ts';
import type { CsvSource, ExportKind } from './csv.ts';
import { tryFileSlot } from './slots.ts';
import { sourceOf } from './stored.ts';
import { readCsv } from './stream.ts';

/** When a job that found no slot among the exports comes again; until then the worker's slot is free. */
const comeAgainMs = 3_000;

async function comeAgain({ scope, services }: Call, exportId: string): Promise<void> {
  const payload = { tenantId: scope.tenantId, exportId };
  const jobKey = jobKeyOf('write_export', payload);
  const options = { jobKey, waitMs: comeAgainMs };
  await inTransaction(services.pool, (client) => enqueue(client, 'write_export', payload, options));
}

/**
 * Cuts the bytes into pieces and writes each while the next one is being read. Ends early, with
 * false, when a later run has begun.
 */
async function writePieces(
  { services: { pool } }: Call,
  run: ExportRun,
  csv: CsvCopy,
): Promise<boolean> {
  let seq = 0;
  let length = 0;
  let piece = Buffer.allocUnsafe(chunkBytes);
  let writing = Promise.resolve(true);

  async function flush(): Promise<boolean> {
    if (!(await writing)) return false;
    const chunk = {
      seq,
      records: Math.max(csv.records - 1, 0),
      content: piece.subarray(0, length),
    };
    writing = appendExportChunk(pool, run, chunk);
    // The stream may fail first, and then nothing awaits this promise.
    writing.catch(() => undefined);
    seq += 1;
    length = 0;
    piece = Buffer.allocUnsafe(chunkBytes);
    return true;
  }

  for await (const bytes of csv as AsyncIterable<Buffer>) {
    for (let at = 0; at < bytes.length;) {
      const copied = bytes.copy(piece, length, at);
      at += copied;
      length += copied;
      if (length === chunkBytes && !(await flush())) return false;
    }
  }
  if (length > 0 && !(await flush())) return false;
  return writing;
}

/** Writes the file of one run; false when a later run has begun. */
async function writeFile(call: Call, run: ExportRun, source: CsvSource): Promise<boolean> {
  const { pool, config } = call.services;
  const csv = await readCsv(pool, source, () => undefined);
  try {
    if (!(await writePieces(call, run, csv))) return false;
  } finally {
    csv.destroy();
  }
  return completeExport(pool, run, config.EXPORT_LIFETIME_HOURS);
}

async function perform(call: Call, begun: Export): Promise<void> {
  const { pool, log } = call.services;
  const { id: exportId, generation } = begun;
  const about = { tenant_id: begun.tenantId, export_id: exportId, generation };
  const run: ExportRun = { scope: call.scope, exportId, generation };
  await deleteOlderChunks(pool, run);
  if (begun.status === 'failed') {
    log.error(about, 'an export failed: writing its file was tried too often');
    return;
  }
  const source = sourceOf(call.scope, begun.kind as ExportKind, begun.filter);
  if (source === null) {
    await failExport(pool, run, 'its filter is not one that this kind of export has');
    return;
  }
  if (!(await writeFile(call, run, source))) log.warn(about, 'a later run of the export took over');
}

/**
 * Writes the file of an export, piece by piece, from one consistent snapshot, with the progress on
 * its row. Safe to repeat: each run begins the file again under a generation of its own, and an older
 * run can then write nothing. An export that has ended is left alone.
 *
 * @throws what PostgreSQL throws; the job's next run begins again, five times at most
 */
export async function writeExport(call: Call, exportId: string): Promise<void> {
  const { pool } = call.services;
  const giveSlotBack = tryFileSlot(call);
  if (giveSlotBack === null) {
    await comeAgain(call, exportId);
    return;
  }
  try {
    const begun = await beginExportRun(pool, call.scope, exportId);
    if (begun !== null) await perform(call, begun);
  } finally {
    giveSlotBack();
  }
}
