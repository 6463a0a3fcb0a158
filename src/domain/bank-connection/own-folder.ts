import type { PoolClient } from 'pg';
import type { BankConnection } from './store.ts';
import { namedOfPlatform } from '../../db/named.ts';
import { firstRow, rows } from '../../db/pool.ts';
import { invalid, type FieldError } from '../../errors/domain-error.ts';
import { foldersOf, meet, type TransportPlace } from './folder.ts';

/** Held until the transaction ends, so that of two connections that are made at once one sees the other. */
const lockFolders = namedOfPlatform(
  'lock_bank_folders',
  [],
  `SELECT pg_advisory_xact_lock(hashtextextended('bank folders', 0))`,
);

const others = namedOfPlatform(
  'bank_connections_with_folders',
  ['transport', 'connection'],
  `
    SELECT c.transport_settings AS settings FROM across.bank_connection c
    WHERE c.transport = @transport AND c.id <> @connection AND c.status <> 'closed' AND c.transport_settings <> '{}'`,
);

/** The same sentence whoever the other one is, so that it tells nothing of another business. */
const taken = (field: string): FieldError => ({
  field: `transport.${field}`,
  code: 'duplicate',
  message:
    'Another bank connection has this folder, one that lies in it, or one in which it lies. A server is known by its key, whatever its name is.',
});

const ownTwice: FieldError = {
  field: 'transport.inFolder',
  code: 'duplicate',
  message: 'The bank would get its own files: inFolder and outFolder must lie beside each other.',
};

/**
 * Throws `validation_failed` where a folder of the connection is one of another connection's, of whichever
 * tenant, or the connection's own second one: whoever looks first would take away the files of the other, or
 * those that the bank has not read. A folder that lies in another counts as the same. To be called in the
 * transaction that writes.
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
  // The shape of the JSON is the one that the commands of this folder wrote.
  const own = foldersOf(transportSettings as TransportPlace);
  if (own.length === 0 || status === 'closed') return;
  const [first, second] = own;
  if (first !== undefined && second !== undefined && meet(first, second)) throw invalid([ownTwice]);
  await firstRow(client, lockFolders, lockFolders.of({}));
  const values = others.of({ transport, connection: id });
  const found = await rows<{ settings: TransportPlace }>(client, others, values);
  const theirs = found.flatMap(({ settings }) => foldersOf(settings));
  const faults = own.filter((folder) => theirs.some((other) => meet(folder, other)));
  if (faults.length > 0) throw invalid(faults.map(({ field }) => taken(field)));
}
