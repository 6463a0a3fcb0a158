import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiDocument } from '../../rest/docs/reference/document.ts';
import type { BuiltSite } from '../../rest/docs/served.ts';
import type { BuiltFile } from '../../rest/look/built.ts';
import { buildInPlace } from '../build/place.ts';
import { digestsOf, isBuilt, writeStamp } from '../build/stamp.ts';

/** What the pages and the OpenAPI document are made from. */
const patterns = [
  '{rest,schema,src}/**/*.{ts,json,js,css,svg,graphql}',
  'docs/**/*.md',
  'docs/verifiers/*',
  'client/README.md',
  'CHANGELOG.md',
  'tools/{build,site}/*.ts',
  'package-lock.json',
];

/**
 * Makes the pages under /docs and the OpenAPI document into generated/site, so that the service reads them and never
 * makes them.
 *
 * Does nothing where they are of the present sources, unless `anew` asks for it.
 */
export async function buildSite(root: string, anew = false): Promise<boolean> {
  const place = join(root, 'generated/site');
  const sources = globSync(patterns, { cwd: root }).toSorted();
  if (!anew && isBuilt(root, place, sources)) return false;
  const digests = digestsOf(root, sources);
  const { openApiDocument } = await import('../../rest/openapi/document.ts');
  const { createSite } = await import('../../rest/docs/site.ts');
  const { anyServer } = await import('../../rest/docs/served.ts');
  const document = openApiDocument();
  // The types of the library also know what our documents never have, as schemas that are `true`.
  const site = createSite(document as unknown as ApiDocument, anyServer);
  const { documents, entries, navigation } = site;
  await buildInPlace(place, (folder) => {
    const write = (name: BuiltFile, content: unknown): void =>
      writeFileSync(join(folder, name), JSON.stringify(content));
    write('site.json', { documents, entries, navigation } satisfies BuiltSite);
    write('openapi.json', document);
    writeStamp(folder, digests);
    return Promise.resolve();
  });
  return true;
}
