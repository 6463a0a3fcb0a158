import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { compileCache, shareCompileCache } from './config.ts';

const root = join(import.meta.dirname, '../..');

/**
 * Every test file is a process of its own that imports the service, and so are the processes that some tests
 * kill. Stripping types and compiling is half of their start, so it is kept. A killed process keeps nothing:
 * the first run therefore starts each program once with a setting that it refuses, whereupon it has loaded all
 * of its modules and ends.
 */
export async function useCompileCache(): Promise<void> {
  shareCompileCache();
  if (existsSync(compileCache)) return;
  const ends = ['src/server.ts', 'src/worker.ts'].map(async (entry) => {
    const env = { NODE_COMPILE_CACHE: compileCache, PORT: 'refused' };
    const child = spawn(process.execPath, [join(root, entry)], { env, stdio: 'ignore' });
    // Everything works without a cache.
    await once(child, 'close').catch(() => undefined);
  });
  await Promise.all(ends);
}
