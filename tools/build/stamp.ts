import { createHash } from 'node:crypto';
import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const stampName = '.stamp';

/** Digests of sources by their paths. */
export type Digests = Readonly<Record<string, string>>;

/** What a built folder was made from, and the bytes of each file in it. */
interface Stamp {
  readonly sources: Digests;
  readonly files: Readonly<Record<string, number>>;
}

export function digest(content: string): string {
  return createHash('sha256').update(content).digest('base64url');
}

/** To be taken before a build reads the sources: one that changes meanwhile is another one afterwards. */
export function digestsOf(root: string, sources: readonly string[]): Digests {
  return Object.fromEntries(
    sources.map((path) => [path, digest(readFileSync(join(root, path), 'utf8'))]),
  );
}

export function writeStamp(folder: string, sources: Digests): void {
  const names = globSync('**/*.*', { cwd: folder });
  const files = Object.fromEntries(names.map((name) => [name, statSync(join(folder, name)).size]));
  writeFileSync(join(folder, stampName), JSON.stringify({ sources, files } satisfies Stamp));
}

function hasSources(root: string, made: Digests, sources: readonly string[]): boolean {
  const now = digestsOf(root, sources);
  return (
    sources.length === Object.keys(made).length && sources.every((path) => now[path] === made[path])
  );
}

/**
 * Whether a built folder is whole and of the present sources.
 * @param sources their paths; without them those that it was made from count, since a new one is imported by one that
 *   has changed
 */
export function isBuilt(root: string, folder: string, sources?: readonly string[]): boolean {
  try {
    const stamp = JSON.parse(readFileSync(join(folder, stampName), 'utf8')) as Stamp;
    return (
      hasSources(root, stamp.sources, sources ?? Object.keys(stamp.sources)) &&
      Object.entries(stamp.files).every(
        ([name, size]) => statSync(join(folder, name)).size === size,
      )
    );
  } catch {
    return false;
  }
}
