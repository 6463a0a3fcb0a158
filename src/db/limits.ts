import { escapeIdentifier, type ClientBase } from 'pg';
import { serviceRole } from './roles.ts';

/**
 * How long the service may keep PostgreSQL busy with a statement, and wait within a transaction. Its login has
 * these limits and not its connections: behind a pooler in transaction mode a connection to PostgreSQL serves
 * one client after another, so the pooler refuses settings of a connection. Work that takes longer lifts a
 * limit for its transaction, with SET LOCAL.
 * https://www.postgresql.org/docs/18/runtime-config-client.html
 */
const loginLimits = {
  statement_timeout: '30s',
  idle_in_transaction_session_timeout: '30s',
} as const;

type LoginLimit = keyof typeof loginLimits;
const limitNames = Object.keys(loginLimits) as LoginLimit[];

interface Login {
  readonly name: string;
  readonly lacks: readonly LoginLimit[];
}

/** The logins of the service that lack a limit, whether for all databases or for this one. */
async function loginsWithoutLimits(client: ClientBase): Promise<Login[]> {
  const { rows } = await client.query<Login>(
    `SELECT r.rolname AS name, array_agg(l.name ORDER BY l.name) AS lacks
     FROM pg_roles r CROSS JOIN unnest($1::text[]) AS l (name)
     WHERE r.rolcanlogin AND NOT r.rolsuper AND r.rolname <> current_user
       AND pg_has_role(r.oid, '${serviceRole}', 'USAGE')
       AND NOT EXISTS (
         SELECT FROM pg_db_role_setting s, unnest(s.setconfig) AS entry
         WHERE s.setrole = r.oid AND starts_with(entry, l.name || '=')
           AND s.setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
       )
     GROUP BY r.rolname ORDER BY r.rolname`,
    [limitNames],
  );
  return rows;
}

/** That login is not this role's to alter, is gone, or is altered by another database's migration at this moment. */
const passing = new Set(['42501', '42704', 'XX000', '23505']);

/**
 * Gives each login of the service the limits that it lacks. One that has a limit of its own keeps it.
 *
 * @returns a sentence for each login that the migrating role may not alter
 */
export async function limitLogins(client: ClientBase): Promise<string[]> {
  for (const { name, lacks } of await loginsWithoutLimits(client)) {
    for (const limit of lacks) {
      try {
        await client.query(setting(escapeIdentifier(name), limit));
      } catch (error) {
        if (!passing.has((error as { code?: string }).code ?? '')) throw error;
      }
    }
  }
  const without = await loginsWithoutLimits(client);
  return without.map(({ name, lacks }) => {
    const statements = lacks.map((limit) => `${setting(escapeIdentifier(name), limit)};`);
    return `Nothing limits how long the login ${name} may work or idle in a transaction. As a superuser: ${statements.join(' ')}`;
  });
}

/**
 * Gives the migrating role the limits in this database, because the service connects as that role too. What
 * takes longer, such as a migration, lifts them for its session.
 */
export async function limitMigratingRole(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ place: string }>(
    'SELECT quote_ident(current_database()) AS place',
  );
  await client.query(limitsOf(`CURRENT_USER IN DATABASE ${rows[0]?.place ?? ''}`).join('; '));
}

/**
 * The statements that give a role all limits.
 * @param role quoted for SQL
 */
export const limitsOf = (role: string): string[] => limitNames.map((limit) => setting(role, limit));

function setting(role: string, limit: LoginLimit): string {
  return `ALTER ROLE ${role} SET ${limit} = '${loginLimits[limit]}'`;
}

/** For a session that works as long as it takes: a migration, or the verifier. */
export const withoutLimits = limitNames.map((limit) => `SET ${limit} = 0`).join('; ');
