import { migrate } from './db/migrate.ts';
import { migrationsDir } from './db/ready.ts';
import { runCommand, withDatabase } from './process/command.ts';
import { loadConfig } from './process/config.ts';
import { directUrlOf, ownerUrlOf } from './process/settings/storage.ts';

const warn = (problem: string): void => console.warn(`Warning: ${problem}`);

/** `node src/migrate.ts`: brings the database to the state of this version, as the role that owns it. */
await runCommand(async () => {
  const given = loadConfig();
  const config = ownerUrlOf(given) === null ? await withDatabase(given) : given;
  const { applied } = await migrate(String(ownerUrlOf(config)), migrationsDir, {
    // A pooler may know the login by another name than PostgreSQL.
    serviceUrl: directUrlOf(config) ?? undefined,
    ownRoles: true,
    warn,
  });
  console.log(applied.length === 0 ? 'Nothing to apply.' : `Applied: ${applied.join(', ')}`);
  if (config.MIGRATION_DATABASE_URL === null) {
    warn(
      'The service connects as the role that owns its tables. Set MIGRATION_DATABASE_URL for the migration, and let DATABASE_URL name a role of its own.',
    );
  }
});
