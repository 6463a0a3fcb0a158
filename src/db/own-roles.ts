import type { ClientBase } from 'pg';
import { acrossRole } from './across.ts';
import { serviceRole } from './roles.ts';

/** Another installation in the cluster has the roles that this one would use. */
export class SharedRolesError extends Error {
  override readonly name = 'SharedRolesError';
}

/** The group roles of an installation. Roles belong to the cluster and not to a database. */
const groups = [serviceRole, acrossRole, 'ops_read', 'ops_operate'];

/** PostgreSQL keeps for each role the databases in which it owns or may do something. */
const elsewhere = `
  SELECT string_agg(DISTINCT r.rolname, ', ' ORDER BY r.rolname) AS roles, d.datname AS database
  FROM pg_shdepend s
  JOIN pg_roles r ON r.oid = s.refobjid
  JOIN pg_database d ON d.oid = s.dbid
  WHERE s.refclassid = 'pg_authid'::regclass AND r.rolname = ANY ($1) AND d.datname <> current_database()
  GROUP BY d.datname ORDER BY d.datname LIMIT 1`;

async function isNew(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    "SELECT to_regclass('schema_migration') IS NOT NULL AS found",
  );
  if (rows[0]?.found !== true) return true;
  return (await client.query('SELECT FROM schema_migration LIMIT 1')).rowCount === 0;
}

/**
 * Refuses a new database where another one of the cluster gives rights to the same roles: each login of that
 * installation could read and act in this one too. A database that has migrations is told by `warn` and goes on.
 *
 * @throws SharedRolesError
 */
export async function checkRoles(
  client: ClientBase,
  warn: (problem: string) => void = () => {},
): Promise<void> {
  const { rows } = await client.query<{ roles: string; database: string }>(elsewhere, [groups]);
  const shared = rows[0];
  if (shared === undefined) return;
  const problem = `The roles ${shared.roles} have rights in the database ${shared.database} of this cluster too, so each login of one installation can work in the other.`;
  if (await isNew(client)) {
    throw new SharedRolesError(`${problem} Give this installation a cluster of its own.`);
  }
  warn(problem);
}
