import { migrate } from './db/migrate.ts';
import { migrationsDir } from './db/ready.ts';
import { runCommand, withDatabase } from './process/command.ts';
import { loadConfig } from './process/config.ts';

const warn = (problem: string): void => console.warn(`Warning: ${problem}`);

/** `node src/migrate.ts`: brings the database to the state of this version, as the role that owns it. */
await runCommand(async () => {
  const given = loadConfig();
  const config = given.MIGRATION_DATABASE_URL === null ? await withDatabase(given) : given;
  const { DATABASE_URL, MIGRATION_DATABASE_URL } = config;
  const { applied } = await migrate(MIGRATION_DATABASE_URL ?? String(DATABASE_URL), migrationsDir, {
    serviceUrl: DATABASE_URL ?? undefined,
    warn,
  });
  console.log(applied.length === 0 ? 'Nothing to apply.' : `Applied: ${applied.join(', ')}`);
  if (MIGRATION_DATABASE_URL === null) {
    warn(
      'The service connects as the role that owns its tables. Set MIGRATION_DATABASE_URL for the migration, and let DATABASE_URL name a role of its own.',
    );
  }
});
