import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../dev/postgres/embedded.ts';
import { migrate } from '../../src/db/migrate.ts';
import { migrationsDir } from '../../src/db/ready.ts';
import { givenPostgres } from './config.ts';

export interface BenchPostgres {
  /** As the owner of the tables. */
  readonly url: string;
  /** As the service connects. */
  readonly serviceUrl: string;
  stop(): Promise<void>;
}

/** A migrated database in a PostgreSQL of its own with the default settings, or the one that was given. */
export async function startBenchPostgres(folder: string): Promise<BenchPostgres> {
  if (givenPostgres !== null) return { ...givenPostgres, stop: () => Promise.resolve() };
  const postgres = await startEmbeddedPostgres({
    dataDir: join(folder, 'postgres'),
    log: () => undefined,
  });
  await migrate(postgres.url, migrationsDir, { serviceUrl: postgres.serviceUrl });
  return postgres;
}
