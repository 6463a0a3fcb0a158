import { chmod, mkdtemp, rename, rm } from 'node:fs/promises';

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
    await rename(place, `${folder}-former`).catch(() => undefined);
    await rename(folder, place).catch(() => undefined);
  } finally {
    await rm(folder, { recursive: true, force: true });
    await rm(`${folder}-former`, { recursive: true, force: true });
  }
}
