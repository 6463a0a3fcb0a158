import { join } from 'node:path';
import { existsSync } from 'node:fs';
import { isInstalled } from '../build/installed.ts';
import { buildForProduction } from './config.ts';

/** Builds the console where it is not built from the present sources: npm's `prepare` runs this. */
const root = join(import.meta.dirname, '../..');

if (isInstalled('vite')) {
  buildForProduction();
  const { buildConsole } = await import('./build.ts');
  const started = performance.now();
  const built = await buildConsole(root, process.argv.includes('--anew'));
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  console.log(
    built ? `Built the console in ${seconds} s.` : 'The console is of the present sources.',
  );
} else if (existsSync(join(root, 'generated/console/index.html'))) {
  console.log('vite is not installed (npm --omit=dev): generated/console stays as it is.');
} else {
  console.error(
    'vite is not installed (npm --omit=dev), and generated/console is missing: copy it here.',
  );
  process.exitCode = 1;
}
