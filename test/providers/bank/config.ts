import { existsSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

/**
 * Where the schemas and sample files of others are: `BANK_RAILS`, or a folder beside the repository. They are not
 * part of the project, so tests that need them say so and are skipped where they are missing.
 */
export const rails: string =
  process.env['BANK_RAILS'] ??
  ['../shared/rails', '../../shared/rails'].map((path) => join(root, path)).find(existsSync) ??
  join(root, '../shared/rails');

export const railsMissing: string | null = existsSync(rails)
  ? null
  : `skipped: there is no folder ${rails}; set BANK_RAILS to one with files of banks`;

/** `FUZZ_SEED` repeats a randomised run. */
export const fuzzSeed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31);
