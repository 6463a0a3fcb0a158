import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import pg from 'pg';
import { limitMigratingRole, limitsOf } from './limits.ts';
import { serviceRole } from './roles.ts';

/**
 * Makes the login role that `serviceUrl` names, with its password, if it does not exist, and makes it a member
 * of the service's role. If the service connects as the migrating role, that role gets the limits of the
 * service. An existing role keeps its password: change it in PostgreSQL and in the setting.
 *
 * @throws Error if the migrating role may not make the login role or its membership
 */
export async function admitServiceLogin(client: pg.ClientBase, serviceUrl: string): Promise<void> {
  // Never connected: it parses the URL as the service's own connections do.
  const { user: name = '', password } = new pg.Client({ connectionString: serviceUrl });
  const { rows } = await client.query<{ found: boolean; itself: boolean; member: boolean }>(
    `SELECT r.oid IS NOT NULL AS found, $1 = current_user AS itself,
       coalesce(pg_has_role(r.oid, '${serviceRole}', 'USAGE'), false) AS member
     FROM (VALUES ($1)) AS asked (name) LEFT JOIN pg_roles r ON r.rolname = asked.name`,
    [name],
  );
  const known = rows[0];
  if (known?.itself === true) await limitMigratingRole(client);
  if (name === '' || known === undefined || known.itself || known.member) return;
  const role = pg.escapeIdentifier(name);
  // The verifier and not the password, because the server may log the statement.
  const verifier = () => pg.escapeLiteral(scramVerifier(password ?? ''));
  const made = known.found
    ? []
    : [`CREATE ROLE ${role} LOGIN PASSWORD ${verifier()}`, ...limitsOf(role)];
  try {
    // One transaction: nobody sees a login of the service that has no limits.
    await client.query([...made, `GRANT ${serviceRole} TO ${role}`].join('; '));
  } catch (error) {
    throw new Error(
      `The migrating role cannot make ${name} a login of the service. As a superuser: GRANT ${serviceRole} TO ${role};`,
      { cause: error },
    );
  }
}

const iterations = 4096;

/** What PostgreSQL stores instead of a password: SCRAM-SHA-256 (RFC 5802, RFC 7677). */
function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password.normalize('NFKC'), salt, iterations, 32, 'sha256');
  const keyOf = (purpose: string) => createHmac('sha256', salted).update(purpose).digest();
  const stored = createHash('sha256').update(keyOf('Client Key')).digest('base64');
  const server = keyOf('Server Key').toString('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${server}`;
}
