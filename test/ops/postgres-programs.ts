import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { namedPostgresPrograms, programFolders } from '../support/config.ts';

/** An older pg_dump refuses a newer server. */
const neededMajor = 18;

function hasPrograms(folder: string): boolean {
  return ['pg_dump', 'pg_restore'].every((name) => {
    const { stdout } = spawnSync(join(folder, name), ['--version'], { encoding: 'utf8' });
    return Number(/\(PostgreSQL\) (\d+)/.exec(stdout ?? '')?.[1]) >= neededMajor;
  });
}

/** The folder of pg_dump and pg_restore, in PATH or at TEST_POSTGRES_BIN; null where there are none of version 18. */
export function findPostgresPrograms(): string | null {
  const places = namedPostgresPrograms === null ? programFolders : [namedPostgresPrograms];
  return places.find(hasPrograms) ?? null;
}
