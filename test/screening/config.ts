import { existsSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/**
 * Where the lists and yardsticks of others are: `SCREENING_LISTS`, or a folder beside the repository. They are not part
 * of the project, so tests that need them say so and are skipped where they are missing.
 */
const lists: string =
  process.env['SCREENING_LISTS'] ??
  ['../shared/screening', '../../shared/screening']
    .map((path) => join(root, path))
    .find(existsSync) ??
  join(root, '../shared/screening');

export const listsMissing: string | null = existsSync(lists)
  ? null
  : `skipped: there is no folder ${lists}; set SCREENING_LISTS to one with lists`;

/** The path of one of their files. */
export const listFile = (name: string): string => join(lists, name);
