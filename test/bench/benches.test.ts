import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { longTestMs } from '../support/patience.ts';
import { benches } from './benches.ts';
import { childEnvironment } from './config.ts';

const main = join(import.meta.dirname, 'main.ts');

let database: TestDatabase;
beforeEach(async () => {
  database = await testDatabase();
});
afterEach(() => database.drop());

// What it measures says nothing here: the numbers are small, and PostgreSQL keeps nothing on disk.
it.each(Object.keys(benches))(
  '%s runs and prints its figures',
  { timeout: longTestMs },
  async (name) => {
    const child = spawn(process.execPath, [main, name], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: childEnvironment({
        BENCH_SMALL: '1',
        BENCH_OWNER_URL: database.ownerUrl,
        BENCH_SERVICE_URL: database.url,
        // A worker that ends waits for the endpoints that never answer.
        WEBHOOK_TIMEOUT_MS: '3000',
      }),
    });
    let printed = '';
    let complained = '';
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (complained += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    expect(code, complained).toBe(0);
    const figures = printed.trim().split('\n').at(-1) ?? '';
    expect(figures).toMatch(/\d/);
    expect(printed).not.toMatch(/NaN|undefined/);
  },
);
