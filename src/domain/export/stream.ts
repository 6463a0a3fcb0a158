import { once } from 'node:events';
import { finished, type Readable } from 'node:stream';
import type { Pool, PoolClient } from 'pg';
import { copyCsv, type CsvCopy } from '../../db/copy.ts';
import { tenantSetting } from '../../db/tenant.ts';
import type { Call } from '../../process/services.ts';
import {
  copyStatement,
  csvFilename,
  csvType,
  type CsvSource,
  type ExportFile,
  type ExportKind,
} from './csv.ts';
import { takeDownloadSlot } from './slots.ts';

/** The error of a broken connection needs no handling of its own: the stream fails with it. */
const ignore = () => undefined;

/** Ends the transaction and gives the connection back; one that does not answer is closed. */
async function giveBack(client: PoolClient): Promise<void> {
  try {
    await client.query('COMMIT');
    client.off('error', ignore);
    client.release();
  } catch {
    // Nothing was written, so nothing depends on the outcome.
    client.release(true);
  }
}

/**
 * Begins to read a CSV on a connection of its own: one statement and so one snapshot. Destroying the
 * stream closes the connection.
 * @param done is called when the connection is no longer needed, however it ended
 */
export async function readCsv(pool: Pool, source: CsvSource, done: () => void): Promise<CsvCopy> {
  const client = await pool.connect();
  client.on('error', ignore);
  try {
    // The reader decides how long it takes; the limit that guards other statements does not apply. A reader who leaves
    // before the first row ends the connection, which PostgreSQL sees only if it looks.
    const tenant = client.escapeLiteral(source.tenantId);
    await client.query(
      `BEGIN READ ONLY; SET LOCAL statement_timeout = 0; SET LOCAL client_connection_check_interval = 1000;
       SET LOCAL ${tenantSetting} = ${tenant}`,
    );
  } catch (error) {
    client.release(true);
    throw error;
  }
  const statement = copyStatement(source, (text) => client.escapeLiteral(text));
  const csv = copyCsv(client, statement);
  // It fails too when nothing reads it any more.
  csv.on('error', ignore);
  finished(csv, (error) => {
    done();
    // An unread COPY can be ended in no other way than by closing its connection.
    if (error) client.release(true);
    else void giveBack(client);
  });
  return csv;
}

/**
 * Opens a CSV: one statement and so one snapshot, read no faster than it is taken. Destroying the
 * stream ends the statement. Resolves when the header row is there, so that what PostgreSQL refuses
 * is thrown here and not in the middle of an answer. An abort of `signal` until then gives back what was taken.
 * @throws `too_many_requests` when too many exports are under way
 */
async function openCsv(call: Call, source: CsvSource, signal: AbortSignal): Promise<Readable> {
  const giveSlotBack = await takeDownloadSlot(call);
  let csv: Readable;
  try {
    csv = await readCsv(call.services.pool, source, giveSlotBack);
  } catch (error) {
    giveSlotBack();
    throw error;
  }
  try {
    await once(csv, 'readable', { signal });
  } catch (error) {
    csv.destroy();
    throw error;
  }
  return csv;
}

/** The export of a source, named after the moment at which it is asked for. */
export function csvExport(call: Call, kind: ExportKind, source: CsvSource): ExportFile {
  return {
    kind,
    filename: csvFilename(kind, call.scope.environment, new Date()),
    contentType: csvType,
    columns: Object.keys(source.columns),
    open: (signal) => openCsv(call, source, signal),
  };
}
