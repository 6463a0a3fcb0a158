import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildFolder, isNewest } from '../build/folder.ts';
import { buildForProduction } from './config.ts';

/**
 * Builds the console into generated/console, where a source is newer, and its documents with their types into
 * generated/console-types.
 */
const root = join(import.meta.dirname, '../..');
const place = join(root, 'generated/console');
const types = join(root, 'generated/console-types');
const sources = [
  'console/**/*.{ts,tsx,css,html,svg,json,graphql}',
  'tools/{build,console,texts}/*.ts',
  'schema/schema.graphql',
  'src/{reference/{currencies,languages,purposes},errors/catalogue,access/roles}.ts',
  'package-lock.json',
];

async function build(folder: string): Promise<void> {
  buildForProduction();
  const { build: bundle } = await import('vite');
  const { compressFiles } = await import('./compress.ts');
  const { consoleDocuments, documentFiles } = await import('./documents.ts');
  const { generateTypes } = await import('./generate.ts');
  const { manifestOf } = await import('./manifest.ts');
  const files = documentFiles(root);
  await buildFolder(types, (typesFolder) => generateTypes(root, typesFolder, files));
  await bundle({
    configFile: join(root, 'console/vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: folder },
  });
  await compressFiles(folder);
  const manifest = `${JSON.stringify(manifestOf(consoleDocuments(files)), null, 1)}\n`;
  await writeFile(join(folder, 'documents.json'), manifest);
}

if (!isNewest(place, root, sources)) await buildFolder(place, build);
