import { Prisma, type BankConnection as Row } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { columns } from '../../db/columns.ts';
import { named } from '../../db/named.ts';
import { firstRow, rows, type Queryable } from '../../db/pool.ts';

/** What an account at a bank has, and one at a provider that is called has not: a CHECK constraint holds it. */
type FileFact =
  | 'debtorName'
  | 'debtorAddress'
  | 'accountCountry'
  | 'accountCurrency'
  | 'accountLast4'
  | 'accountCiphertext'
  | 'cutOffTime'
  | 'timeZone'
  | 'calendar'
  | 'leadBankDays'
  | 'returnBankDays'
  | 'maxPayments';

/** A connection to a bank that takes files. */
export type BankConnection = Omit<Row, FileFact> & {
  readonly [Fact in FileFact]: NonNullable<Row[Fact]>;
};

export const connectionColumns = columns(Prisma.BankConnectionScalarFieldEnum, 'c');

const connectionsById = named(
  'bank_connections_by_id',
  ['tenant', 'connections'],
  `
    SELECT ${connectionColumns} FROM bank_connection c
    WHERE c.tenant_id = @tenant AND c.id = ANY (@connections::text[]) AND c.transport <> 'api'`,
);

/** Those of the tenant's connections that exist, by their ids. */
export async function findConnections(
  client: Queryable,
  { tenantId: tenant }: Scope,
  connections: readonly string[],
): Promise<ReadonlyMap<string, BankConnection>> {
  const values = connectionsById.of({ tenant, connections });
  const found = await rows<BankConnection>(client, connectionsById, values);
  return new Map(found.map((connection) => [connection.id, connection]));
}

/** One connection of the scope's tenant, or null. */
export async function findConnection(
  client: Queryable,
  scope: Scope,
  connectionId: string,
): Promise<BankConnection | null> {
  return (await findConnections(client, scope, [connectionId])).get(connectionId) ?? null;
}

const connectionLocked = named(
  'bank_connection_locked',
  ['tenant', 'connection'],
  `
    SELECT ${connectionColumns} FROM bank_connection c
    WHERE c.tenant_id = @tenant AND c.id = @connection AND c.transport <> 'api' FOR NO KEY UPDATE`,
);

/** As `findConnection`, locked against change until the transaction of `client` ends. */
export function lockConnection(
  client: Queryable,
  { tenantId: tenant }: Scope,
  connection: string,
): Promise<BankConnection | null> {
  return firstRow(client, connectionLocked, connectionLocked.of({ tenant, connection }));
}

const connectionsOfTenant = named(
  'bank_connections_of_tenant',
  ['tenant'],
  `
    SELECT ${connectionColumns} FROM bank_connection c
    WHERE c.tenant_id = @tenant AND c.transport <> 'api' ORDER BY c.id`,
);

/** Every connection of the scope's tenant, closed ones too, oldest first. */
export function listConnections(
  client: Queryable,
  { tenantId: tenant }: Scope,
): Promise<BankConnection[]> {
  return rows<BankConnection>(client, connectionsOfTenant, connectionsOfTenant.of({ tenant }));
}
