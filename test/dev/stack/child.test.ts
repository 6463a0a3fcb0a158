import { join } from 'node:path';
import { expect, test } from 'vitest';
import { identifyProcess } from '../../../dev/postgres/process.ts';
import { supervise } from '../../../dev/stack/child.ts';
import { eventually } from '../../support/factory.ts';

const program = (name: string) => join(import.meta.dirname, 'programs', name);

const until = (condition: () => boolean) => eventually(() => Promise.resolve(condition()));

test('a child that does not drain is killed after the deadline', async () => {
  const lines: string[] = [];
  const spec = { name: 'stubborn', entry: program('stubborn.ts'), environment: {} };
  const child = supervise(spec, (line) => lines.push(line));
  await until(() => lines.some((line) => line.startsWith('busy')));
  const pid = child.pid() ?? 0;
  await child.stop(300);
  expect(identifyProcess(pid)).toBeNull();
  await until(() => lines.includes('not yet'));
});

test('a child that never becomes ready is given up, with its own words printed', async () => {
  const lines: string[] = [];
  const spec = {
    name: 'missing',
    entry: program('no-such-program.ts'),
    environment: {},
    readyUrl: 'http://127.0.0.1:1/',
  };
  const child = supervise(spec, (line) => lines.push(line));
  await expect(child.ready(new AbortController().signal)).rejects.toThrow('missing does not start');
  expect(lines.join('\n')).toContain('no-such-program.ts');
  expect(lines.filter((line) => line.startsWith('ended'))).toEqual([
    'ended (code 1); starting again in 0.25 s',
    'ended (code 1); starting again in 0.5 s',
    'ended (code 1); starting again in 1 s',
  ]);
  await child.stop(1_000);
});
