import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';

const module = join(import.meta.dirname, '../../src/process/log.ts');

/** What a process logs, in a format, with an environment of its own. */
function logged(format: 'json' | 'text', env: Record<string, string> = {}): string[] {
  const program = `
    import { createLog } from ${JSON.stringify(module)};
    const log = createLog('info', 'api', ${JSON.stringify(format)});
    const request = { request_id: 'req_1', method: 'POST', route: '/v1/payouts/:id/approve' };
    log.info({ ...request, status: 200, tenant_id: 'ten_1', actor: 'key_1', ms: 12.34 }, 'request');
    log.info({ ...request, route: 'none', status: 404, tenant_id: null, actor: null, ms: 1 }, 'request');
    log.warn({ worker: 'wrk_1', message: 'two\\nlines\\r\\u001b[2J!', none: null }, 'the worker is late');
    log.debug('unseen');`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    env,
    encoding: 'utf8',
  });
  return stdout.trimEnd().split('\n');
}

test('text is one readable line for each entry', () => {
  const lines = logged('text').map((line) => line.replace(/^\d\d:\d\d:\d\d /, 'TIME '));
  expect(lines).toEqual([
    'TIME POST   /v1/payouts/:id/approve  200  12 ms  key_1',
    'TIME POST   (no such endpoint)  404  1 ms  nobody',
    'TIME warn  the worker is late  worker=wrk_1 message=two ⏎ lines  [2J!',
  ]);
});

test('colours come only where they are asked for, and leave the words as they are', () => {
  const coloured = logged('text', { FORCE_COLOR: '1' });
  expect(coloured[0]).toContain('\u001b[32m200\u001b[39m');
  expect(coloured[1]).toContain('\u001b[33m404\u001b[39m');
  const words = (lines: string[]) =>
    lines.map((line) => stripVTControlCharacters(line).replace(/^\S+ /, ''));
  expect(words(coloured)).toEqual(words(logged('text')));
});

test('JSON is the format for machines', () => {
  const lines = logged('json', { FORCE_COLOR: '1' }).map((line) => JSON.parse(line) as unknown);
  expect(lines).toHaveLength(3);
  expect(lines[0]).toMatchObject({
    level: 'info',
    service: 'api',
    msg: 'request',
    route: '/v1/payouts/:id/approve',
    actor: 'key_1',
  });
});
