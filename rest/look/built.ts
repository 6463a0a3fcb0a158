import { readFile } from 'node:fs/promises';

/** What tools/site makes of the guides and the contracts; to make it takes more memory than all that serves it. */
export type BuiltFile = 'site.json' | 'openapi.json';

/** @throws Error when `npm run prepare` has not made it */
export async function readBuilt(name: BuiltFile): Promise<string> {
  const file = new URL(`../../generated/site/${name}`, import.meta.url);
  return readFile(file, 'utf8').catch((cause: unknown) => {
    throw new Error(`generated/site/${name} cannot be read: npm run prepare makes it`, { cause });
  });
}

/** Calls `make` with the first use, and keeps what it gives; after a failure it is called again. */
export function keptFrom<T>(make: () => Promise<T>): () => Promise<T> {
  let kept: Promise<T> | null = null;
  return () =>
    (kept ??= make().catch((error: unknown) => {
      kept = null;
      throw error;
    }));
}
