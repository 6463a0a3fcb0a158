import type { BankConnection as Row } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { columns } from '../../db/columns.ts';
import { named, namedOfPlatform } from '../../db/named.ts';
import { firstRow, rows, type Queryable } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';

/** What is stored of an account at a provider that is called; nothing else of the row is there. */
const stored = [
  'tenantId',
  'id',
  'name',
  'status',
  'adapter',
  'transportSettings',
  'credentialsCiphertext',
  'version',
  'createdAt',
  'updatedAt',
] as const satisfies readonly (keyof Row)[];

/** A connection to a provider that is called. */
export type ProviderConnection = Omit<Pick<Row, (typeof stored)[number]>, 'adapter'> & {
  readonly adapter: NonNullable<Row['adapter']>;
};

export const noSuchConnection = (): DomainError =>
  new DomainError('not_found', {
    message: 'The provider connection does not exist or is outside your environment.',
  });

const storedColumns = columns(Object.fromEntries(stored.map((name) => [name, name])), 'c');

const connectionsById = named(
  'provider_connections_by_id',
  ['tenant', 'connections'],
  `
    SELECT ${storedColumns} FROM bank_connection c
    WHERE c.tenant_id = @tenant AND c.id = ANY (@connections::text[]) AND c.transport = 'api'`,
);

/** Those of the tenant's connections that exist, closed ones too. */
export function findProviderConnections(
  client: Queryable,
  { tenantId: tenant }: Scope,
  connections: readonly string[],
): Promise<ProviderConnection[]> {
  return rows(client, connectionsById, connectionsById.of({ tenant, connections }));
}

const connectionsOfTenant = named(
  'provider_connections_of_tenant',
  ['tenant'],
  `
    SELECT ${storedColumns} FROM bank_connection c
    WHERE c.tenant_id = @tenant AND c.transport = 'api' ORDER BY c.id`,
);

/** Every connection of the scope's tenant, closed ones too, oldest first. */
export function listProviderConnections(
  client: Queryable,
  { tenantId: tenant }: Scope,
): Promise<ProviderConnection[]> {
  return rows(client, connectionsOfTenant, connectionsOfTenant.of({ tenant }));
}

const tenantOf = namedOfPlatform(
  'tenant_of_provider_connection',
  ['connection'],
  `
    SELECT c.tenant_id AS "tenantId" FROM across.bank_connection c
    WHERE c.id = @connection AND c.transport = 'api'`,
);

/** Whose connection it is, or null: events enter by the connection, before anything else is known of them. */
export async function tenantOfProviderConnection(
  client: Queryable,
  connection: string,
): Promise<string | null> {
  const row = await firstRow<{ tenantId: string }>(client, tenantOf, tenantOf.of({ connection }));
  return row?.tenantId ?? null;
}

const locked = named(
  'provider_connection_locked',
  ['tenant', 'connection'],
  `
    SELECT ${storedColumns} FROM bank_connection c
    WHERE c.tenant_id = @tenant AND c.id = @connection AND c.transport = 'api' FOR NO KEY UPDATE`,
);

/** One connection, locked against change until the transaction of `client` ends; null where there is none. */
export function lockProviderConnection(
  client: Queryable,
  { tenantId: tenant }: Scope,
  connection: string,
): Promise<ProviderConnection | null> {
  return firstRow(client, locked, locked.of({ tenant, connection }));
}

const insert = named(
  'insert_provider_connection',
  ['tenant', 'id', 'name', 'adapter', 'settings', 'credentials'],
  `
    INSERT INTO bank_connection AS c
      (tenant_id, id, name, transport, adapter, schemes, transport_settings, credentials_ciphertext)
    VALUES (@tenant, @id, @name, 'api', @adapter, '{}', @settings::jsonb, @credentials)
    RETURNING ${storedColumns}`,
);

/** What people change of a connection. */
export interface WrittenConnection {
  readonly name: string;
  readonly settings: object;
  readonly credentials: Buffer;
}

/** Stores a new connection of the scope's tenant. */
export async function insertProviderConnection(
  client: Queryable,
  { tenantId: tenant }: Scope,
  { settings, ...draft }: WrittenConnection & { readonly id: string; readonly adapter: string },
): Promise<ProviderConnection> {
  const values = insert.of({ tenant, ...draft, settings: JSON.stringify(settings) });
  const row = await firstRow<ProviderConnection>(client, insert, values);
  if (row === null) throw new Error('an insert returns its row');
  return row;
}

const update = named(
  'update_provider_connection',
  ['tenant', 'connection', 'seen', 'name', 'status', 'settings', 'credentials'],
  `
    UPDATE bank_connection c SET name = @name, status = @status, transport_settings = @settings::jsonb,
      credentials_ciphertext = @credentials, version = c.version + 1, updated_at = now()
    WHERE c.tenant_id = @tenant AND c.id = @connection AND c.version = @seen AND c.status <> 'closed'
      AND c.transport = 'api' AND (@status <> 'closed' OR NOT EXISTS (
        SELECT 1 FROM payout_route r WHERE r.tenant_id = @tenant AND r.connection_id = @connection
      ))
    RETURNING ${storedColumns}`,
);

/**
 * Changes a connection whose version is `seen`. Null where it has another version, is closed, or is to be closed while a
 * route leads to it.
 */
export function updateProviderConnection(
  client: Queryable,
  { tenantId: tenant }: Scope,
  connection: string,
  seen: number,
  { settings, ...written }: WrittenConnection & { readonly status: string },
): Promise<ProviderConnection | null> {
  const facts = { ...written, settings: JSON.stringify(settings) };
  return firstRow(client, update, update.of({ tenant, connection, seen, ...facts }));
}
