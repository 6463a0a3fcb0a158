import { Prisma, type BankFetch } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { columns } from '../../db/columns.ts';
import { named } from '../../db/named.ts';
import { firstRow, rows, type Queryable } from '../../db/pool.ts';

const fetchColumns = columns(Prisma.BankFetchScalarFieldEnum, 'f');

/** A success is written again after so many minutes. */
const notedMinutes = 10;

const unchanged = named(
  'bank_fetch_unchanged',
  ['tenant', 'connection', 'problem', 'minutes'],
  `
    SELECT f.connection_id FROM bank_fetch f
    WHERE f.tenant_id = @tenant AND f.connection_id = @connection AND f.problem IS NOT DISTINCT FROM @problem::text
      AND (f.problem IS NOT NULL OR f.fetched_at > now() - make_interval(mins => @minutes::integer))`,
);

const note = named(
  'note_bank_fetch',
  ['tenant', 'connection', 'problem'],
  `
    INSERT INTO bank_fetch AS f (tenant_id, connection_id, fetched_at, problem, problem_since)
    SELECT @tenant, @connection, CASE WHEN @problem::text IS NULL THEN clock.at END, @problem,
      CASE WHEN @problem::text IS NOT NULL THEN clock.at END
    FROM (SELECT now() AS at) AS clock
    ON CONFLICT (tenant_id, connection_id) DO UPDATE SET
      fetched_at = coalesce(excluded.fetched_at, f.fetched_at),
      problem = excluded.problem,
      problem_since = CASE WHEN excluded.problem IS NOT NULL THEN coalesce(f.problem_since, excluded.problem_since) END`,
);

/**
 * Notes what a look for a connection's files came to. A look each minute that finds the same writes nothing: a
 * problem is written when it comes, changes or goes, and a success every ten minutes.
 *
 * @param problem why it failed; null where it succeeded
 */
export async function noteFetch(
  client: Queryable,
  { tenantId: tenant }: Scope,
  connection: string,
  problem: string | null,
): Promise<void> {
  const values = { tenant, connection, problem };
  const asked = unchanged.of({ ...values, minutes: notedMinutes });
  if ((await firstRow(client, unchanged, asked)) !== null) return;
  await rows(client, note, note.of(values));
}

const fetches = named(
  'bank_fetches',
  ['tenant', 'connections'],
  `
    SELECT ${fetchColumns} FROM bank_fetch f
    WHERE f.tenant_id = @tenant AND f.connection_id = ANY (@connections::text[])`,
);

/** What the latest looks for files came to, by connection; one without a look has none. */
export async function findFetches(
  client: Queryable,
  { tenantId: tenant }: Scope,
  connections: readonly string[],
): Promise<ReadonlyMap<string, BankFetch>> {
  const found = await rows<BankFetch>(client, fetches, fetches.of({ tenant, connections }));
  return new Map(found.map((one) => [one.connectionId, one]));
}
