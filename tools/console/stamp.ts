import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const sources = [
  'console/**/*.{ts,tsx,css,html,svg,json}',
  'tools/console/*.ts',
  'schema/schema.graphql',
  'src/{reference/{currencies,purposes},errors/catalogue,access/roles}.ts',
  'package-lock.json',
];

/** Where a build keeps the digest of what it was made from. */
export const stampFile = (root: string): string => join(root, 'generated/console/.stamp');

/** A digest of everything that the built console is made from. */
export function sourceStamp(root: string): string {
  const digest = createHash('sha256');
  for (const path of globSync(sources, { cwd: root }).toSorted()) {
    digest
      .update(path)
      .update('\0')
      .update(readFileSync(join(root, path)))
      .update('\0');
  }
  return digest.digest('hex');
}

/** Whether the built console is that of the present sources. */
export function isBuilt(root: string): boolean {
  try {
    return readFileSync(stampFile(root), 'utf8') === sourceStamp(root);
  } catch {
    return false;
  }
}
