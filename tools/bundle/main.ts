import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { buildFolder } from '../build/folder.ts';
import { asWritten } from './as-written.ts';
import { ownAddress } from './own-address.ts';
import { bundleFolder, outside, programs } from './programs.ts';
import { inAscii } from './text.ts';

/**
 * Bundles the programs into generated/bundle, with the packages that they import: what production runs. A process that
 * runs from there is smaller by 35 MiB than one that loads the sources and the packages one by one (docs/load.md).
 * Names and the order of lines stay, so a stack can be read: each part begins with the path of its source. Nothing is
 * left out of what the sources say.
 */
const root = join(import.meta.dirname, '../..');
const place = bundleFolder(root);
const bundle = await rolldown({
  cwd: root,
  input: programs,
  platform: 'node',
  external: [...outside],
  ...asWritten.input,
  plugins: [ownAddress(place)],
});
const { output } = await bundle.generate({
  format: 'esm',
  entryFileNames: '[name].mjs',
  chunkFileNames: '[name].mjs',
  comments: { legal: false, jsdoc: false, annotation: true },
  ...asWritten.output,
});
await bundle.close();
await buildFolder(place, async (folder) => {
  for (const file of output) {
    if (file.type === 'chunk') await writeFile(join(folder, file.fileName), inAscii(file.code));
  }
});
