import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isInstalled } from '../build/installed.ts';
import { buildBundle } from './build.ts';
import { bundleFolder } from './programs.ts';

/** Bundles the programs where the bundle is not of the present sources: npm's `prepare` runs this. */
const root = join(import.meta.dirname, '../..');

if (isInstalled('rolldown')) {
  const started = performance.now();
  const built = await buildBundle(root, process.argv.includes('--anew'));
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  console.log(
    built ? `Bundled the programs in ${seconds} s.` : 'The bundle is of the present sources.',
  );
} else if (existsSync(bundleFolder(root))) {
  console.log('rolldown is not installed (npm --omit=dev): generated/bundle stays as it is.');
} else {
  console.error(
    'rolldown is not installed (npm --omit=dev), and generated/bundle is missing: copy it here.',
  );
  process.exitCode = 1;
}
