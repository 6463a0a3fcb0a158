import { chmod, cp, mkdtemp, rename, rm } from 'node:fs/promises';

/** Codes of errors of rename(2): another build has just put its folder there. */
const taken = ['ENOTEMPTY', 'EEXIST'];

/** The place cannot be renamed: it is a mount, or in a lower layer of an overlay. */
const fixed = ['EXDEV', 'EBUSY'];

/** More builds at once than ever are. */
const mostTries = 100;

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';

/** Where a build keeps what it replaces until it is done. */
const formerOf = (folder: string): string => `${folder}-former`;

/** Moves what stands at a place away; nothing may stand there. */
async function clear(place: string, former: string): Promise<void> {
  await rm(former, { recursive: true, force: true });
  await rename(place, former).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error;
  });
}

/** Gives a place to `folder`. Of builds at once, each may find the folder of another one there again. */
async function put(folder: string, place: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await clear(place, formerOf(folder));
      return await rename(folder, place);
    } catch (error) {
      if (taken.includes(codeOf(error)) && tries < mostTries) continue;
      if (!fixed.includes(codeOf(error))) throw error;
      return cp(folder, place, { recursive: true, force: true });
    }
  }
}

/**
 * Builds a folder of generated/ beside its place and moves it there: it is whole or not there, also where two processes
 * build at once. The later one's stays.
 */
export async function buildInPlace(
  place: string,
  build: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(`${place}-building-`);
  try {
    await build(folder);
    // One of mkdtemp is closed to the account that the service runs as, where another one has built it.
    await chmod(folder, 0o755);
    await put(folder, place);
  } finally {
    await rm(folder, { recursive: true, force: true });
    await rm(formerOf(folder), { recursive: true, force: true });
  }
}
