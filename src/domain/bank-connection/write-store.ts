import type { Scope } from '../../access/scope.ts';
import { columnName } from '../../db/columns.ts';
import { named } from '../../db/named.ts';
import { firstRow, rows, type Queryable } from '../../db/pool.ts';
import { connectionColumns, type BankConnection } from './store.ts';

/** What is written when a connection is made or changed. */
const written = [
  'name',
  'status',
  'debtorName',
  'debtorAddress',
  'initiatorId',
  'ach',
  'schemes',
  'formatOptions',
  'furtherAccounts',
  'furtherAccountsCiphertext',
  'expectedFormats',
  'transport',
  'transportSettings',
  'credentialsCiphertext',
  'cutOffTime',
  'timeZone',
  'calendar',
  'leadBankDays',
  'returnBankDays',
  'maxPayments',
] as const;

/** What only the making of it writes. */
const fixed = ['accountCountry', 'accountCurrency', 'accountLast4', 'accountCiphertext'] as const;

export type WrittenConnection = Pick<BankConnection, (typeof written)[number]>;
export type NewConnection = Pick<
  BankConnection,
  'id' | (typeof written)[number] | (typeof fixed)[number]
>;

const json = new Set<string>([
  'debtorAddress',
  'ach',
  'formatOptions',
  'furtherAccounts',
  'transportSettings',
]);

function valuesOf(row: Readonly<Record<string, unknown>>, names: readonly string[]) {
  return Object.fromEntries(
    names.map((name) => [
      name,
      json.has(name) && row[name] !== null ? JSON.stringify(row[name]) : row[name],
    ]),
  );
}

const names = ['id', ...written, ...fixed] as const;

const insert = named(
  'insert_bank_connection',
  ['tenant', ...names],
  `
    INSERT INTO bank_connection AS c (tenant_id, ${names.map(columnName).join(', ')})
    VALUES (@tenant, ${names.map((name) => `@${name}`).join(', ')})
    RETURNING ${connectionColumns}`,
);

/** Stores a new connection of the scope's tenant. */
export async function insertConnection(
  client: Queryable,
  { tenantId: tenant }: Scope,
  draft: NewConnection,
): Promise<BankConnection> {
  const values = { tenant, ...valuesOf(draft, names) } as Parameters<typeof insert.of>[0];
  const row = await firstRow<BankConnection>(client, insert, insert.of(values));
  if (row === null) throw new Error('an insert returns its row');
  return row;
}

const update = named(
  'update_bank_connection',
  ['tenant', 'connection', 'seen', ...written],
  `
    UPDATE bank_connection c SET
      ${written.map((name) => `${columnName(name)} = @${name}`).join(', ')},
      version = c.version + 1, updated_at = now()
    WHERE c.tenant_id = @tenant AND c.id = @connection AND c.version = @seen AND c.status <> 'closed'
      AND (@status <> 'closed' OR NOT EXISTS (
        SELECT 1 FROM payout_route r WHERE r.tenant_id = @tenant AND r.connection_id = @connection
      ))
    RETURNING ${connectionColumns}`,
);

/**
 * Changes a connection whose version is `seen`. Null where it has another version, is closed, or is to be
 * closed while a route leads to it.
 */
export function updateConnection(
  client: Queryable,
  { tenantId: tenant }: Scope,
  connection: string,
  seen: number,
  row: WrittenConnection,
): Promise<BankConnection | null> {
  const values = { tenant, connection, seen, ...valuesOf(row, written) };
  return firstRow(client, update, update.of(values as Parameters<typeof update.of>[0]));
}

const unsent = named(
  'unsent_bank_batch',
  ['tenant', 'connection'],
  `
    SELECT b.id FROM bank_batch b
    WHERE b.tenant_id = @tenant AND b.connection_id = @connection AND b.taken_at IS NULL
      AND b.status IN ('closed', 'sending', 'unknown')
    ORDER BY b.id LIMIT 1`,
);

/** The first file of a connection of which it is not known that the bank has it, or null. */
export async function findUnsentBatch(
  client: Queryable,
  { tenantId: tenant }: Scope,
  connection: string,
): Promise<string | null> {
  return (
    (await firstRow<{ id: string }>(client, unsent, unsent.of({ tenant, connection })))?.id ?? null
  );
}

const assign = named(
  'assign_bank_batches',
  ['tenant', 'connection'],
  `
    UPDATE bank_batch b SET needs_operator = ops.bank_batch_by_hand(c.transport, b.downloaded_by), problem = NULL,
      updated_at = command.clock()
    FROM bank_connection c
    WHERE b.tenant_id = @tenant AND b.connection_id = @connection AND b.taken_at IS NULL AND b.status = 'closed'
      AND c.tenant_id = b.tenant_id AND c.id = b.connection_id
      AND b.needs_operator <> ops.bank_batch_by_hand(c.transport, b.downloaded_by)`,
);

/**
 * Leaves the closed batches of a connection to people or to the worker, as its transport says; the sweeper adds
 * the worker's jobs. In the transaction of the change, which has the connection's row locked. A file that a worker
 * is about to publish stays with the worker, and one that somebody has downloaded with people.
 */
export async function assignBatches(
  client: Queryable,
  { tenantId: tenant }: Scope,
  connection: string,
): Promise<void> {
  await rows(client, assign, assign.of({ tenant, connection }));
}
