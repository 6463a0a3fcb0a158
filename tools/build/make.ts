import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** What is made in generated/, each by the program `tools/<part>/main.ts`. */
export type Part = 'prisma' | 'console' | 'site' | 'bundle';

/**
 * Makes parts of generated/, each in a process of its own: Vite takes over the environment of its process, and what
 * makes the site loads the whole schema.
 */
export async function make(...parts: readonly Part[]): Promise<void> {
  for (const part of parts) {
    const program = join(import.meta.dirname, '..', part, 'main.ts');
    const child = spawn(process.execPath, [program], { stdio: ['ignore', 'inherit', 'inherit'] });
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`tools/${part}/main.ts failed: see its lines above`);
  }
}
