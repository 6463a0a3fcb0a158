import { existsSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

/**
 * Where the descriptions are that providers publish of their APIs: `PROVIDER_DESCRIPTIONS`, or a folder beside the
 * repository. They are not part of the project, so tests that need them say so and are skipped where they are missing.
 */
const folder: string =
  process.env['PROVIDER_DESCRIPTIONS'] ??
  ['../shared/providers', '../../shared/providers']
    .map((path) => join(root, path))
    .find(existsSync) ??
  join(root, '../shared/providers');

/** Where a provider's descriptions are, and what a test that is skipped without them says; null where they are there. */
export function descriptionsOf(provider: string): { path: string; missing: string | null } {
  const path = join(folder, provider);
  const missing = existsSync(path)
    ? null
    : `skipped: there is no folder ${path}; set PROVIDER_DESCRIPTIONS to one with descriptions of providers`;
  return { path, missing };
}
