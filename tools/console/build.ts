import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';
import { compressFiles } from './compress.ts';
import { consoleDocuments } from './documents.ts';
import { generateTypes } from './generate.ts';
import { manifestOf } from './manifest.ts';
import { isBuilt, sourceStamp, stampFile } from './stamp.ts';

/**
 * Builds the console into generated/console, and the types of its documents into generated/console-types.
 * Does nothing where both are of the present sources, unless `anew` asks for it.
 */
export async function buildConsole(root: string, anew = false): Promise<boolean> {
  if (!anew && isBuilt(root)) return false;
  const stamp = sourceStamp(root);
  const documents = consoleDocuments(root);
  await generateTypes(root, documents);
  const folder = join(root, 'generated/console');
  await build({ configFile: join(root, 'console/vite.config.ts'), logLevel: 'warn' });
  await compressFiles(folder);
  await writeFile(
    join(folder, 'documents.json'),
    `${JSON.stringify(manifestOf(documents), null, 1)}\n`,
  );
  await writeFile(stampFile(root), stamp);
  return true;
}
