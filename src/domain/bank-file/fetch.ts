import { jobScope } from '../../access/system.ts';
import { namedOfPlatform } from '../../db/named.ts';
import { rowsAcross } from '../../db/reach.ts';
import { crashPoint } from '../../process/crash-point.ts';
import type { Call, Services } from '../../process/services.ts';
import { connectTransport, type Transport } from '../../providers/bank-transport.ts';
import { ProviderError } from '../../providers/port.ts';
import { enqueueMissing } from '../../queue/queue.ts';
import { noTransport, openTransport } from '../bank-connection/open.ts';
import { findConnection } from '../bank-connection/store.ts';
import { storeBankFile } from './content.ts';
import { noteFetch } from './fetch-store.ts';
import { discardArrival, findAbandoned, findUnfinished } from './file-store.ts';

/** The bounds of one run. The next one, a minute later, does the rest. */
const connectionsAtOnce = 500;
const filesAtOnce = 200;

/** A file that began to arrive this long ago does not arrive any more. */
const givenUpMinutes = 60;
/** A job that takes longer than this to be added again was lost. */
const lostMinutes = 5;

/**
 * Fetches the files that a bank has put out for a connection, as a job: each is stored, and then moved to the
 * archive. A process that dies in between stores the same bytes again, which are then known. A file that cannot be
 * fetched stops no other; it is tried again in the next run. What the look came to is noted for operators.
 */
export async function fetchConnectionFiles(call: Call, connectionId: string): Promise<void> {
  const { scope, services } = call;
  const connection = await findConnection(services.pool, scope, connectionId);
  if (connection?.status !== 'active') return;
  const way = openTransport(call, connection);
  const transport = way === null ? null : connectTransport(way);
  if (transport === null) {
    if (connection.transport !== 'manual') {
      await noteFetch(services.pool, scope, connectionId, noTransport);
    }
    return;
  }
  try {
    const problem = await fetchFiles(call, connectionId, transport);
    await noteFetch(services.pool, scope, connectionId, problem);
  } finally {
    await transport.close();
  }
}

type Listed = Awaited<ReturnType<Transport['list']>>[number];

/** Fetches what lies there. Returns what the first failure was, or null. */
async function fetchFiles(
  call: Call,
  connectionId: string,
  transport: Transport,
): Promise<string | null> {
  const { log } = call.services;
  const about = { tenant_id: call.scope.tenantId, connection_id: connectionId };
  let problem: string | null = null;
  try {
    const files = await transport.list();
    for (const listed of files.slice(0, filesAtOnce)) {
      try {
        await fetchOne(call, connectionId, transport, listed);
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        log.warn({ ...about, problem: error.message }, 'a file of a bank was not fetched');
        problem ??= error.message;
      }
    }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    log.warn({ ...about, problem: error.message }, 'the files of a bank were not listed');
    problem ??= error.message;
  }
  return problem;
}

/**
 * The bytes of a file. Throws where it has another size afterwards than when it was listed: a bank that gives a file its
 * name before all of it is there would otherwise have a part of it archived.
 */
async function* wholeFile(
  transport: Transport,
  { name, size }: Listed,
): AsyncGenerator<Uint8Array> {
  yield* transport.read(name);
  const after = await transport.sizeOf(name);
  if (after === null || after === size) return;
  const text = 'An incoming file grew while it was read. It is fetched once it stays as it is.';
  throw new ProviderError('retry', 'other', text);
}

async function fetchOne(
  call: Call,
  connectionId: string,
  transport: Transport,
  listed: Listed,
): Promise<void> {
  const { name } = listed;
  const bytes = wholeFile(transport, listed);
  const { fileId, news } = await storeBankFile(call, { connectionId, name, takenBy: null, bytes });
  await transport.archive(name);
  crashPoint('bank_file_archived');
  const about = { tenant_id: call.scope.tenantId, connection_id: connectionId, file_id: fileId };
  call.services.log.info({ ...about, news }, 'fetched a file of a bank');
}

const fetchable = namedOfPlatform(
  'fetchable_bank_connections',
  ['take'],
  `
    SELECT c.tenant_id AS "tenantId", c.id AS "connectionId" FROM across.bank_connection c
    WHERE c.status = 'active' AND c.transport NOT IN ('manual', 'api')
    ORDER BY c.tenant_id, c.id LIMIT @take`,
);

/**
 * Adds a job for each active connection that fetches its files, deletes what did not arrive whole, and adds the
 * lost jobs of files that are stored and not read or not applied.
 */
export async function fetchBankFiles(services: Services): Promise<void> {
  const { pool } = services;
  const take = connectionsAtOnce;
  type Found = { tenantId: string; connectionId: string };
  const connections = await rowsAcross<Found>(pool, fetchable, fetchable.of({ take }));
  await enqueueMissing(
    pool,
    'fetch_connection_files',
    connections.map((payload) => ({ payload })),
  );
  for (const { tenantId, id } of await findAbandoned(pool, givenUpMinutes, take)) {
    const scope = await jobScope(pool, tenantId, { type: 'system', name: 'bank files' });
    await discardArrival(pool, scope, id);
  }
  const open = await findUnfinished(pool, lostMinutes, take);
  const payloads = (status: 'received' | 'read') =>
    open
      .filter((file) => file.status === status)
      .map(({ tenantId, id: fileId }) => ({ payload: { tenantId, fileId } }));
  await enqueueMissing(pool, 'read_bank_file', payloads('received'));
  await enqueueMissing(pool, 'apply_bank_file', payloads('read'));
}
