import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The file in which a built folder keeps the digest of what it was made from. */
const stampName = '.stamp';

/** A digest of files and their contents. @throws Error when one is missing */
function digestOf(root: string, files: readonly string[]): string {
  const digest = createHash('sha256');
  for (const path of files) {
    digest
      .update(path)
      .update('\0')
      .update(readFileSync(join(root, path)))
      .update('\0');
  }
  return digest.digest('hex');
}

/** What a folder was made from. */
interface Stamp {
  readonly files: readonly string[];
  readonly digest: string;
}

export function writeStamp(root: string, folder: string, files: readonly string[]): void {
  const stamp: Stamp = { files, digest: digestOf(root, files) };
  writeFileSync(join(folder, stampName), JSON.stringify(stamp));
}

/**
 * Whether a built folder is of the present sources.
 * @param sources those of now; absent: those that it was made from, where each new one is imported by one that changes
 */
export function isOfSources(root: string, folder: string, sources?: readonly string[]): boolean {
  try {
    const stamp = JSON.parse(readFileSync(join(folder, stampName), 'utf8')) as Stamp;
    return digestOf(root, sources ?? stamp.files) === stamp.digest;
  } catch {
    return false;
  }
}
