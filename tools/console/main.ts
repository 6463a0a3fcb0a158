import { join } from 'node:path';
import { prepare } from '../build/prepare.ts';
import { buildForProduction } from './config.ts';
import { consoleFolder, consoleSources } from './sources.ts';

/** Builds the console where it is not built from the present sources: npm's `prepare` runs this. */
const root = join(import.meta.dirname, '../..');

await prepare({
  name: 'the console',
  root,
  folder: consoleFolder(root),
  builder: 'vite',
  sources: consoleSources(root),
  build: async () => {
    buildForProduction();
    const { buildConsole } = await import('./build.ts');
    return buildConsole(root, process.argv.includes('--anew'));
  },
});
