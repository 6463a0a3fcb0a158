import { existsSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../../..');

/**
 * ISO's schemas and files of banks, which are not part of the project: `BANK_RAILS` names their
 * folder, and one that stands beside the project is found without it.
 */
export const railsFolder =
  process.env['BANK_RAILS'] ??
  ['../shared/rails', '../../shared/rails'].map((path) => join(root, path)).find(existsSync) ??
  join(root, '../shared/rails');

/** Repeats a run of generated payees. */
export const payeesSeed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31);
