import { globSync, statSync, utimesSync } from 'node:fs';
import { chmod, cp, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** More builds at once than ever are. */
const mostTries = 100;

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';

/** Gives a place to `folder`. Of builds at once, each may find the folder of another one there again. */
async function put(folder: string, place: string): Promise<void> {
  const former = `${folder}-former`;
  for (let tries = 1; ; tries += 1) {
    try {
      await rename(place, former).catch((error: unknown) => {
        if (codeOf(error) !== 'ENOENT') throw error;
      });
      return await rename(folder, place);
    } catch (error) {
      if (['ENOTEMPTY', 'EEXIST'].includes(codeOf(error)) && tries < mostTries) continue;
      // A mount, or a folder in a lower layer of an overlay, cannot be renamed.
      if (!['EXDEV', 'EBUSY'].includes(codeOf(error))) throw error;
      return await cp(folder, place, { recursive: true, force: true });
    } finally {
      await rm(former, { recursive: true, force: true });
    }
  }
}

/**
 * Builds a folder of generated/ beside its place and moves it there: it is whole or not there, also where two processes
 * build at once. The later one's stays.
 */
export async function buildFolder(
  place: string,
  build: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(`${place}-building-`);
  // By the clock of the file system, which may be some milliseconds behind.
  const { mtime: started } = statSync(folder);
  try {
    await build(folder);
    // One of mkdtemp is closed to the account that the service runs as, where another one has built it.
    await chmod(folder, 0o755);
    // A source that changed meanwhile is newer.
    utimesSync(folder, started, started);
    await put(folder, place);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Whether a folder was built after the last change of each file that the patterns name. */
export function isNewest(place: string, root: string, patterns: readonly string[]): boolean {
  const built = statSync(place, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return globSync(patterns, { cwd: root }).every(
    (path) => statSync(join(root, path)).mtimeMs < built,
  );
}
