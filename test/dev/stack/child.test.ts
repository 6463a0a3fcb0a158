import { join } from 'node:path';
import { expect, test } from 'vitest';
import { identifyProcess } from '../../../dev/postgres/process.ts';
import { supervise } from '../../../dev/stack/child.ts';
import { eventually } from '../../support/factory.ts';

const program = (name: string) => join(import.meta.dirname, 'programs', name);

test('a child that does not drain is killed after the deadline', async () => {
  const lines: string[] = [];
  const spec = { name: 'stubborn', entry: program('stubborn.ts'), environment: {} };
  const child = supervise(spec, (_name, line) => lines.push(line));
  const busy = await eventually(() =>
    Promise.resolve(lines.find((line) => line.startsWith('busy'))),
  );
  await child.stop(300);
  expect(identifyProcess(Number(/\d+/.exec(busy)?.[0]))).toBeNull();
  expect(lines).toContain('not yet');
});

test('a child that never becomes ready is given up, with its own words printed', async () => {
  const lines: string[] = [];
  const spec = {
    name: 'missing',
    entry: program('no-such-program.ts'),
    environment: {},
    readyUrl: 'http://127.0.0.1:1/',
  };
  const child = supervise(spec, (_name, line) => lines.push(line));
  await expect(child.ready(new AbortController().signal)).rejects.toThrow('missing does not start');
  expect(lines.join('\n')).toContain('no-such-program.ts');
  expect(lines.filter((line) => line.startsWith('ended'))).toEqual([
    'ended (code 1); starting again',
    'ended (code 1); starting again',
    'ended (code 1); starting again',
  ]);
  await child.stop();
});
