import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiDocument } from '../../rest/docs/reference/document.ts';
import { anyServer, type BuiltSite } from '../../rest/docs/served.ts';
import type { BuiltFile } from '../../rest/look/built.ts';
import { buildFolder, isNewest } from '../build/folder.ts';

/**
 * Makes the pages under /docs and the OpenAPI document into generated/site, where a source is newer, so that the
 * service reads them and never makes them.
 */
const root = join(import.meta.dirname, '../..');
const place = join(root, 'generated/site');
const sources = [
  '{rest,schema,src}/**/*.{ts,json,js,css,svg,graphql}',
  'docs/**/*.md',
  'docs/verifiers/*',
  'client/README.md',
  'CHANGELOG.md',
  'tools/{build,site}/*.ts',
  'package-lock.json',
];

async function build(folder: string): Promise<void> {
  const { openApiDocument } = await import('../../rest/openapi/document.ts');
  const { createSite } = await import('../../rest/docs/site.ts');
  const document = openApiDocument();
  // The types of the library also know what our documents never have, as schemas that are `true`.
  const site = createSite(document as unknown as ApiDocument, anyServer);
  const { documents, entries, navigation } = site;
  const write = (name: BuiltFile, content: unknown): void =>
    writeFileSync(join(folder, name), JSON.stringify(content));
  write('site.json', { documents, entries, navigation } satisfies BuiltSite);
  write('openapi.json', document);
}

if (!isNewest(place, root, sources)) await buildFolder(place, build);
