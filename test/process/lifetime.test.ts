import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const source = (path: string) => JSON.stringify(join(import.meta.dirname, '../../src', path));

/** A process that mends what `mends` says, rejects a promise that nobody handles, and then goes on. */
async function rejects(
  mends: string,
): Promise<{ code: unknown; lines: Record<string, unknown>[] }> {
  const program = `
    import { createLog } from ${source('process/log.ts')};
    import { onUnhandledRejection } from ${source('process/lifetime.ts')};
    import { unavailable } from ${source('db/unavailable.ts')};
    import { DatabaseAway } from ${source('db/line.ts')};
    const log = createLog('info', 'worker');
    onUnhandledRejection(log, ${mends});
    void Promise.reject(new DatabaseAway('the database does not answer'));
    setTimeout(() => log.info('went on'), 50);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program]);
  const [out, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  const lines = out.trim().split('\n');
  return { code, lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

it('goes on after a rejection that is taken care of', async () => {
  const { code, lines } = await rejects('unavailable');
  expect(code).toBe(0);
  expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
    ['warn', 'a statement was lost'],
    ['info', 'went on'],
  ]);
});

it('ends, and says why, after any other that nobody handles', async () => {
  const { code, lines } = await rejects('() => false');
  expect(code).toBe(1);
  expect(lines).toMatchObject([{ level: 'fatal', message: 'the database does not answer' }]);
});
