import { loadConfig } from '../config.ts';
import { migrate } from './migrate.ts';
import { migrationsDir } from './ready.ts';

const { DATABASE_URL } = loadConfig();
if (DATABASE_URL === null) {
  console.error('Set DATABASE_URL: the database to migrate.');
  process.exitCode = 1;
} else {
  const { applied } = await migrate(DATABASE_URL, migrationsDir);
  console.log(applied.length === 0 ? 'Nothing to apply.' : `Applied: ${applied.join(', ')}`);
}
