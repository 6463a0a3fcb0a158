import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../dev/postgres/embedded.ts';
import { migrate } from '../../src/db/migrate.ts';
import { migrationsDir } from '../../src/db/ready.ts';
import { compareGenerated } from '../docs/generated.ts';
import { commandCallers } from './command-callers.ts';
import { operatorObjects } from './operator-objects.ts';
import { schemaDiff } from './schema-diff.ts';

const root = join(import.meta.dirname, '../..');

/**
 * Fails when prisma/migrations does not make the tables of prisma/schema.prisma, printing what is missing as SQL, when
 * the callers of the commands are not those of their SQL, and when prisma/repeatable makes something else the second
 * time. With `--write` it writes the callers and checks nothing.
 */
async function problems(url: string): Promise<string[]> {
  await migrate(url, migrationsDir);
  const write = process.argv.includes('--write');
  const stale = await staleCallers(url, write);
  if (write) return [];
  const difference = await schemaDiff(url, join(migrationsDir, '../schema.prisma'));
  return [
    ...(difference === ''
      ? []
      : [
          `The migrations are not what schema.prisma says. What is missing, as SQL:\n\n${difference}`,
        ]),
    ...stale.map(
      (name) => `${name} is not what its SQL says. Run \`npm run generate\` and commit the result.`,
    ),
    ...(await repeatProblems(url)),
  ];
}

async function staleCallers(url: string, write: boolean): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const results = await compareGenerated(root, await commandCallers(client, root), { write });
    return results.filter(({ fresh }) => !fresh).map(({ name }) => name);
  } finally {
    await client.end();
  }
}

async function repeatProblems(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const first = await operatorObjects(client);
    await client.query("UPDATE schema_repeatable SET sha256 = ''");
    await migrate(url, migrationsDir);
    const second = await operatorObjects(client);
    const { applied } = await migrate(url, migrationsDir);
    const gone = first.filter((line) => !second.includes(line));
    const added = second.filter((line) => !first.includes(line));
    return [
      ...gone.map((line) => `The second run of prisma/repeatable loses: ${line}`),
      ...added.map((line) => `The second run of prisma/repeatable adds: ${line}`),
      ...applied.map((name) => `A migration run without a change applies ${name} again.`),
    ];
  } finally {
    await client.end();
  }
}

const folder = mkdtempSync(join(tmpdir(), 'payouts-drift-'));
chmodSync(folder, 0o755);
const postgres = await startEmbeddedPostgres({
  dataDir: join(folder, 'postgres'),
  settings: { fsync: 'off' },
  log: () => {},
});
try {
  const found = await problems(postgres.url);
  for (const problem of found) console.error(problem);
  if (found.length > 0) process.exitCode = 1;
  else
    console.log(
      'The migrations make what schema.prisma and the callers of commands say, and repeat.',
    );
} finally {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
