import { readFile } from 'node:fs/promises';
import { globSync } from 'node:fs';
import { join } from 'node:path';

export interface SourceFile {
  /** Path from the repository's root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** What other programs write or keep, and files that break a rule on purpose. */
const foreign = [
  '.git/',
  '.data/',
  'client/dist/',
  'client/src/generated/',
  'generated/',
  'node_modules/',
  'reports/',
  'test/artifacts/',
  'test/architecture/fixtures/',
  'package-lock.json/',
];

/** The files of the repository that match a pattern, in the order of their paths. */
export function readFiles(root: string, patterns: readonly string[]): Promise<SourceFile[]> {
  const slashed = (path: string) => path.replaceAll('\\', '/');
  const exclude = (path: string) => foreign.some((one) => `${slashed(path)}/`.startsWith(one));
  const paths = globSync(patterns, { cwd: root, exclude }).map(slashed);
  return Promise.all(
    paths
      .toSorted()
      .map(async (path) => ({ path, text: await readFile(join(root, path), 'utf8') })),
  );
}
