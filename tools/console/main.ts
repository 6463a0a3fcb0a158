import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildFolder, isNewest } from '../build/folder.ts';
import { buildForProduction } from './config.ts';

/**
 * Builds the console into generated/console, where a source is newer, and the types of its documents into
 * generated/console-types.
 */
const root = join(import.meta.dirname, '../..');
const place = join(root, 'generated/console');
const sources = [
  'console/**/*.{ts,tsx,css,html,svg,json}',
  'tools/{build,console}/*.ts',
  'schema/schema.graphql',
  'src/{reference/{currencies,purposes},errors/catalogue,access/roles}.ts',
  'package-lock.json',
];

async function build(folder: string): Promise<void> {
  buildForProduction();
  const { build: bundle } = await import('vite');
  const { compressFiles } = await import('./compress.ts');
  const { consoleDocuments } = await import('./documents.ts');
  const { generateTypes } = await import('./generate.ts');
  const { manifestOf } = await import('./manifest.ts');
  const documents = consoleDocuments(root);
  await generateTypes(root, documents);
  await bundle({
    configFile: join(root, 'console/vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: folder },
  });
  await compressFiles(folder);
  const manifest = `${JSON.stringify(manifestOf(documents), null, 1)}\n`;
  await writeFile(join(folder, 'documents.json'), manifest);
}

if (!isNewest(place, root, sources)) await buildFolder(place, build);
