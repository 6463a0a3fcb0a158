import { writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Plugin } from 'rolldown';
import { asWritten } from './as-written.ts';
import { buildInPlace } from '../build/place.ts';
import { digest, digestsOf, isBuilt, writeStamp } from '../build/stamp.ts';
import { ownAddress } from './own-address.ts';
import { bundleFolder, outside, programs } from './programs.ts';
import { inAscii } from './text.ts';

/** What decides about a bundle beside the sources in it. */
const makers = [
  'package-lock.json',
  'tools/build/stamp.ts',
  ...['as-written', 'build', 'own-address', 'programs', 'text'].map(
    (name) => `tools/bundle/${name}.ts`,
  ),
];

/** Notes the digest of each source as it is read. */
const loaded = (root: string, digests: Record<string, string>): Plugin => ({
  name: 'loaded',
  transform: {
    filter: { id: { exclude: [/node_modules/, /^\0/] } },
    handler(code, id) {
      digests[relative(root, id)] = digest(code);
    },
  },
});

/**
 * Bundles the programs into generated/bundle, with the packages that they import. A process that runs from there is
 * smaller by 35 MiB than one that loads the sources and the packages one by one (docs/load.md). Names and the order of
 * lines stay, so a stack can be read: each part begins with the path of its source. Nothing is left out of what the
 * sources say.
 *
 * Does nothing where the bundle is of the present sources, unless `anew` asks for it.
 */
export async function buildBundle(root: string, anew = false): Promise<boolean> {
  const place = bundleFolder(root);
  if (!anew && isBuilt(root, place)) return false;
  const digests = { ...digestsOf(root, makers) };
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    cwd: root,
    input: programs,
    platform: 'node',
    external: [...outside],
    ...asWritten.input,
    plugins: [loaded(root, digests), ownAddress(place)],
  });
  const { output } = await bundle.generate({
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name].mjs',
    comments: { legal: false, jsdoc: false, annotation: true },
    ...asWritten.output,
  });
  await bundle.close();
  const chunks = output.filter((file) => file.type === 'chunk');
  await buildInPlace(place, async (folder) => {
    for (const { fileName, code } of chunks) await writeFile(join(folder, fileName), inAscii(code));
    writeStamp(folder, digests);
  });
  return true;
}
