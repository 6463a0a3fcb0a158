import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../dev/postgres/embedded.ts';
import { migrate } from '../../src/db/migrate.ts';
import { allowedDrift } from './allowed-drift.ts';
import { judge } from './judge-drift.ts';
import { schemaDiff } from './schema-diff.ts';

/** Fails, printing SQL, when prisma/migrations do not make the tables of prisma/schema.prisma. */
const prisma = join(import.meta.dirname, '../../prisma');

async function difference(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'payouts-drift-'));
  chmodSync(folder, 0o755);
  const postgres = await startEmbeddedPostgres({
    dataDir: join(folder, 'postgres'),
    settings: { fsync: 'off' },
    stopWithParent: true,
    log: () => {},
  });
  try {
    await migrate(postgres.url, join(prisma, 'migrations'));
    return await schemaDiff(postgres.url, join(prisma, 'schema.prisma'));
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const { drift, unused } = judge(await difference(), allowedDrift);
if (drift.length > 0) {
  console.error('The migrations are not what schema.prisma says. What is missing, as SQL:\n');
  console.error(drift.join('\n\n'));
}
for (const { statement, why } of unused) {
  console.error(`allowed-drift.ts allows what is no longer there: ${statement.source} (${why})`);
}
if (drift.length + unused.length > 0) process.exitCode = 1;
else console.log('The migrations make what schema.prisma says.');
