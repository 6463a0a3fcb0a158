import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { compileCache, shareCompileCache } from './config.ts';

const root = join(import.meta.dirname, '../..');

/**
 * Every test file is a process of its own that imports the service, and so are the processes that some tests
 * kill. Stripping types and compiling is half of their start, so it is kept. A killed process keeps nothing, so
 * the first run fills the cache: a process that refuses a setting has loaded all of its modules before it ends.
 */
export async function useCompileCache(): Promise<void> {
  shareCompileCache();
  if (existsSync(compileCache)) return;
  const ends = ['src/server.ts', 'src/worker.ts'].map(async (entry) => {
    const child = spawn(process.execPath, [join(root, entry)], {
      env: { NODE_COMPILE_CACHE: compileCache, PORT: 'refused' },
      stdio: 'ignore',
    });
    // Everything works without a warm cache.
    await once(child, 'close').catch(() => undefined);
  });
  await Promise.all(ends);
}
