import { join } from 'node:path';
import { prepare } from '../build/prepare.ts';
import { buildBundle } from './build.ts';
import { bundleFolder } from './programs.ts';

/** Bundles the programs where the bundle is not of the present sources: npm's `prepare` runs this. */
const root = join(import.meta.dirname, '../..');

await prepare({
  name: 'the bundle',
  root,
  folder: bundleFolder(root),
  builder: 'rolldown',
  build: () => buildBundle(root, process.argv.includes('--anew')),
});
