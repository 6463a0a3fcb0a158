import { loadConfig } from './process/config.ts';
import { gracefully } from './process/lifetime.ts';
import { directUrlOf, ownerUrlOf } from './process/settings/storage.ts';
import { migrate, MigrationError } from './db/migrate.ts';
import { SharedSessionError } from './db/own-session.ts';
import { migrationsDir } from './db/ready.ts';

const config = gracefully(() => loadConfig());
const ownerUrl = ownerUrlOf(config);
const warn = (problem: string): void => console.warn(`Warning: ${problem}`);

function fail(message: string): void {
  console.error(message);
  process.exitCode = 1;
}

async function run(url: string): Promise<void> {
  const { applied } = await migrate(url, migrationsDir, {
    // A pooler may know the login by another name than PostgreSQL.
    serviceUrl: directUrlOf(config) ?? undefined,
    warn,
  });
  console.log(applied.length === 0 ? 'Nothing to apply.' : `Applied: ${applied.join(', ')}`);
  if (config.MIGRATION_DATABASE_URL === null) {
    warn(
      'The service connects as the role that owns its tables. Set MIGRATION_DATABASE_URL for the migration, and let DATABASE_URL name a role of its own.',
    );
  }
}

if (ownerUrl === null) {
  fail('Set DATABASE_URL to the database to migrate.');
} else {
  try {
    await run(ownerUrl);
  } catch (error) {
    // What a person has to decide is a sentence; anything else is a fault, with its trace.
    if (!(error instanceof SharedSessionError || error instanceof MigrationError)) throw error;
    fail(error.message);
  }
}
