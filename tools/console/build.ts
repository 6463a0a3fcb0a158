import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';
import { compressFiles } from './compress.ts';
import { consoleDocuments } from './documents.ts';
import { generateTypes } from './generate.ts';
import { manifestOf } from './manifest.ts';
import { isBuilt, sourceStamp, stampName } from './stamp.ts';

/**
 * Builds the console into generated/console, and the types of its documents into generated/console-types.
 * Does nothing where both are of the present sources, unless `anew` asks for it.
 */
export async function buildConsole(root: string, anew = false): Promise<boolean> {
  if (!anew && isBuilt(root)) return false;
  const stamp = sourceStamp(root);
  const documents = consoleDocuments(root);
  await generateTypes(root, documents);
  const folder = await mkdtemp(join(root, 'generated/console-building-'));
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
  await writeFile(join(folder, stampName), stamp);
  await putInPlace(folder, join(root, 'generated/console'));
  return true;
}

/** A build is whole or not there, also where two processes build at once: the later one's stays. */
async function putInPlace(built: string, place: string): Promise<void> {
  const former = `${built}-former`;
  await rename(place, former).catch(() => undefined);
  await rename(built, place).catch(() => rm(built, { recursive: true }));
  await rm(former, { recursive: true, force: true });
}
