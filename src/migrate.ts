import { loadConfig } from './process/config.ts';
import { directUrlOf, ownerUrlOf } from './process/settings/storage.ts';
import { migrate } from './db/migrate.ts';
import { migrationsDir } from './db/ready.ts';

const config = loadConfig();
const ownerUrl = ownerUrlOf(config);
const warn = (problem: string): void => console.warn(`Warning: ${problem}`);

if (ownerUrl === null) {
  console.error('Set DATABASE_URL to the database to migrate.');
  process.exitCode = 1;
} else {
  const { applied } = await migrate(ownerUrl, migrationsDir, {
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
