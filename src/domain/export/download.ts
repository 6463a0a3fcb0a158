import { Readable } from 'node:stream';
import type { Export } from '../../../generated/prisma/client.ts';
import type { Call } from '../../process/services.ts';
import { chunkBytes, readExportChunk, type ExportRun } from './chunk-store.ts';
import { csvType } from './csv.ts';

/** The statuses of an export, as callers see them. */
export const exportStatuses = ['pending', 'running', 'completed', 'failed', 'expired'] as const;
export type ExportStatus = (typeof exportStatuses)[number];

/** An export's status at this moment: it expires by the clock, even before its file is deleted. */
export function exportStatus({ status, expiresAt }: Export): ExportStatus {
  if (status === 'completed' && expiresAt !== null && expiresAt.getTime() <= Date.now()) {
    return 'expired';
  }
  return status as ExportStatus; // the column's CHECK constraint holds the same values
}

/** The finished file of an export. */
export interface StoredFile {
  readonly filename: string;
  readonly contentType: string;
  /** Bytes of the whole file. */
  readonly size: number;
  /** Identifies these bytes: the file of another run, of another snapshot, has another version. */
  readonly version: string;
  /** Opens the bytes from `from` up to and without `until`. */
  readonly open: (from: number, until: number) => Readable;
}

/**
 * Bytes of one statement. The driver doubles its buffer until an answer fits, so that a whole piece
 * would leave several times its size as garbage; and V8 collects texts of 128 KiB and more late.
 */
const readBytes = 65_536;

/** Reads part after part, each by a statement of its own, so that no connection waits for the reader. */
async function* pieces(
  { services }: Call,
  run: ExportRun,
  from: number,
  until: number,
): AsyncGenerator<Buffer> {
  for (let at = from; at < until;) {
    const seq = Math.floor(at / chunkBytes);
    const within = at - seq * chunkBytes;
    const length = Math.min(chunkBytes - within, until - at, readBytes);
    const bytes = await readExportChunk(services.pool, run, { seq, from: within, length });
    if (bytes === null || bytes.length !== length) {
      throw new Error(`piece ${seq} of export ${run.exportId} is gone`);
    }
    yield bytes;
    at += length;
  }
}

/** The file of an export, to be opened; null while, or when, there is none. */
export function storedFile(call: Call, found: Export): StoredFile | null {
  if (exportStatus(found) !== 'completed') return null;
  const { id: exportId, generation } = found;
  const run: ExportRun = { scope: call.scope, exportId, generation };
  return {
    filename: found.filename,
    contentType: csvType,
    size: Number(found.byteCount),
    version: `${exportId}.${generation}`,
    open: (from, until) => Readable.from(pieces(call, run, from, until), { objectMode: false }),
  };
}
