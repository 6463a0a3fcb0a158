import { chmod, cp, mkdtemp, rename, rm } from 'node:fs/promises';

/** Codes of errors of rename(2): another build has just put its folder there. */
const taken = ['ENOTEMPTY', 'EEXIST'];

/** The place cannot be renamed: it is a mount, or in a lower layer of an overlay. */
const fixed = ['EXDEV', 'EBUSY'];

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';

/** Gives a folder's place to `folder`. Of builds at once, each may find the folder of another one there. */
async function put(folder: string, place: string): Promise<void> {
  const former = `${folder}-former`;
  try {
    await rename(place, former).catch((error: unknown) => {
      if (codeOf(error) !== 'ENOENT') throw error;
    });
    await rename(folder, place);
  } catch (error) {
    if (taken.includes(codeOf(error))) return await put(folder, place);
    if (!fixed.includes(codeOf(error))) throw error;
    await cp(folder, place, { recursive: true, force: true });
  } finally {
    await rm(former, { recursive: true, force: true });
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
  }
}
