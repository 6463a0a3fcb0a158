import { posix } from 'node:path';
import type { PoolClient } from 'pg';
import type { BankConnection } from '../../../generated/prisma/client.ts';
import { named } from '../../db/named.ts';
import { firstRow, rows } from '../../db/pool.ts';
import { invalid } from '../../errors/domain-error.ts';

/** Held until the transaction ends, so that of two connections that are made at once one sees the other. */
const lockFolders = named(
  'lock_bank_folders',
  [],
  `SELECT pg_advisory_xact_lock(hashtextextended('bank folders', 0))`,
);

const others = named(
  'bank_connections_with_folders',
  ['transport', 'connection'],
  `
    SELECT c.transport_settings AS settings FROM across.bank_connection c
    WHERE c.transport = @transport AND c.id <> @connection AND c.status <> 'closed' AND c.transport_settings <> '{}'`,
);

interface Settings {
  readonly folder?: string;
  readonly host?: string;
  readonly port?: number;
  readonly username?: string;
  readonly inFolder?: string;
}

const plain = (path: string): string => posix.join('/', path, '/');

/** Names the folder from which a connection takes files; null where people carry them. */
function placeOf({ folder, host, port, username, inFolder }: Settings): string | null {
  if (folder !== undefined) return plain(folder);
  if (host === undefined || inFolder === undefined) return null;
  // Servers of banks show each login a tree of its own, so the same path of another login is another folder.
  return JSON.stringify([host.toLowerCase(), port, username, plain(inFolder)]);
}

/**
 * Throws `validation_failed` where another connection, of whichever tenant, takes its files from the same folder:
 * whichever looks first would take the files of the other away. To be called in the transaction that writes.
 */
export async function requireOwnFolder(
  client: PoolClient,
  {
    id,
    status,
    transport,
    transportSettings,
  }: Pick<BankConnection, 'id' | 'status' | 'transport' | 'transportSettings'>,
): Promise<void> {
  const place = placeOf(transportSettings as Settings);
  if (place === null || status === 'closed') return;
  await firstRow(client, lockFolders, lockFolders.of({}));
  const values = others.of({ transport, connection: id });
  const found = await rows<{ settings: Settings }>(client, others, values);
  if (found.every(({ settings }) => placeOf(settings) !== place)) return;
  const field = transport === 'folder' ? 'transport.folder' : 'transport.inFolder';
  const message = 'Another bank connection takes its files from this folder.';
  throw invalid([{ field, code: 'duplicate', message }]);
}
