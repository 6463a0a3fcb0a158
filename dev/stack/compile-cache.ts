import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/**
 * Fills the compile cache that the environment names, where there is none: a process that refuses a setting has
 * loaded all of its modules before it ends.
 */
export async function fillCompileCache(environment: NodeJS.ProcessEnv): Promise<void> {
  if (existsSync(String(environment['NODE_COMPILE_CACHE']))) return;
  const ends = ['src/server.ts', 'src/worker.ts'].map(async (entry) => {
    const child = spawn(process.execPath, [join(root, entry)], {
      env: { ...environment, PORT: 'refused' },
      stdio: 'ignore',
    });
    // Everything works without a warm cache.
    await once(child, 'close').catch(() => undefined);
  });
  await Promise.all(ends);
}
