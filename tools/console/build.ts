import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';
import { buildInPlace } from '../build/place.ts';
import { digestsOf, isBuilt, writeStamp } from '../build/stamp.ts';
import { compressFiles } from './compress.ts';
import { consoleDocuments } from './documents.ts';
import { generateTypes } from './generate.ts';
import { manifestOf } from './manifest.ts';
import { consoleFolder, consoleSources } from './sources.ts';

/**
 * Builds the console into generated/console, and the types of its documents into generated/console-types.
 * Does nothing where both are of the present sources, unless `anew` asks for it.
 */
export async function buildConsole(root: string, anew = false): Promise<boolean> {
  const place = consoleFolder(root);
  const sources = consoleSources(root);
  if (!anew && isBuilt(root, place, sources)) return false;
  const digests = digestsOf(root, sources);
  const documents = consoleDocuments(root);
  await generateTypes(root, documents);
  await buildInPlace(place, async (folder) => {
    await build({
      configFile: join(root, 'console/vite.config.ts'),
      logLevel: 'warn',
      build: { outDir: folder },
    });
    await compressFiles(folder);
    await writeFile(
      join(folder, 'documents.json'),
      `${JSON.stringify(manifestOf(documents), null, 1)}\n`,
    );
    writeStamp(folder, digests);
  });
  return true;
}
