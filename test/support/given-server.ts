import { createHash, createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { migrate } from '../../src/db/migrate.ts';

const prismaDir = join(import.meta.dirname, '../../prisma');
export const migrationsDir = join(prismaDir, 'migrations');

/** The same server's database of that name. */
export function within(url: string, database: string): string {
  return Object.assign(new URL(url), { pathname: `/${database}` }).href;
}

/** The same database with the service's login. Its password does not reveal the administrator's. */
export function asService(url: string): string {
  const service = new URL(url);
  const password = createHmac('sha256', service.password).update('payouts_app').digest('hex');
  return Object.assign(service, { username: 'payouts_app', password }).href;
}

export async function execute(url: string, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** URLs of the administrator's database on each node of the cluster, its coordinator first; empty without Citus. */
export async function citusNodes(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const found = await client.query<{ is: boolean }>(
      "SELECT EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'citus') AS is",
    );
    if (found.rows[0]?.is !== true) return [];
    const nodes = await client.query<{ host: string; port: number }>(
      'SELECT nodename AS host, nodeport AS port FROM pg_dist_node WHERE isactive ORDER BY groupid',
    );
    return nodes.rows.map(
      ({ host, port }) => Object.assign(new URL(url), { hostname: host, port: String(port) }).href,
    );
  } finally {
    await client.end();
  }
}

/** Of what the migrations and the script that distributes say: databases of another content are not reused. */
function contentHash(): string {
  const hash = createHash('sha256');
  for (const folder of ['migrations', 'repeatable', 'citus', '../src/domain']) {
    const files = readdirSync(join(prismaDir, folder), { recursive: true, encoding: 'utf8' });
    for (const file of files.toSorted()) {
      if (file.endsWith('.sql')) hash.update(readFileSync(join(prismaDir, folder, file)));
    }
  }
  return hash.digest('hex').slice(0, 12);
}

/** The comment of a database that was made to its end: a run may be stopped halfway. */
const whole = 'distributed for tests';

/** A distributed database that no other test file uses, with the rows of the one that used it before. */
export interface LentDatabase {
  readonly name: string;
  giveBack(): Promise<void>;
}

/**
 * Lends a distributed database. To make one takes many seconds, so they are kept for later files and runs. A
 * lock of the session says which are lent.
 */
export async function lendDistributed(
  admin: string,
  nodes: readonly string[],
): Promise<LentDatabase> {
  const client = new pg.Client({ connectionString: admin });
  await client.connect();
  const content = contentHash();
  for (let number = 1; ; number += 1) {
    const name = `test_citus_${content}_${number}`;
    const { rows } = await client.query<{ free: boolean; made: boolean }>(
      `SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS free,
        EXISTS (
          SELECT 1 FROM pg_database WHERE datname = $1 AND shobj_description(oid, 'pg_database') = '${whole}'
        ) AS made`,
      [name],
    );
    if (rows[0]?.free !== true) continue;
    if (!rows[0].made) await makeDistributed(admin, nodes, name);
    return { name, giveBack: () => client.end() };
  }
}

/**
 * Makes the roles of the service and the operators on a node, as a migration of a database there does. Roles
 * belong to a server. Citus makes on all nodes what its coordinator makes, and the coordinator has them from
 * the template of the run.
 */
async function makeRoles(node: string, name: string): Promise<void> {
  await execute(node, `CREATE DATABASE ${name} TEMPLATE template0`);
  await migrate(within(node, name), migrationsDir, { serviceUrl: asService(node) });
  await execute(node, `DROP DATABASE ${name} WITH (FORCE)`);
}

async function makeDistributed(
  admin: string,
  nodes: readonly string[],
  name: string,
): Promise<void> {
  for (const node of nodes) {
    await execute(node, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await makeRoles(node, name);
    await execute(node, `CREATE DATABASE ${name} TEMPLATE template0`);
    await execute(within(node, name), 'CREATE EXTENSION citus');
  }
  const url = within(admin, name);
  await execute(
    url,
    ...nodes.map((node, place) => {
      const { hostname, port } = new URL(node);
      const join = place === 0 ? 'citus_set_coordinator_host' : 'citus_add_node';
      return `SELECT ${join}('${hostname}', ${port})`;
    }),
  );
  await migrate(url, migrationsDir, { serviceUrl: asService(url) });
  const distribute = readFileSync(join(prismaDir, 'citus/distribute.sql'), 'utf8');
  await execute(url, 'SET citus.shard_count = 4', `BEGIN; ${distribute}; COMMIT`);
  await migrate(url, migrationsDir, { serviceUrl: asService(url) });
  await execute(admin, `COMMENT ON DATABASE ${name} IS '${whole}'`);
}
