import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runChecks } from '../../tools/check/run-checks.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'checks-'));
});
afterEach(() => rm(root, { recursive: true }));

test('runs every check: script in order, also after a failure, and reports what each wrote', async () => {
  const scripts = {
    test: 'node -e "process.exit(9)"',
    'check:one': 'node -e "console.log(11)"',
    'check:two': 'node -e "console.error(22); process.exit(3)"',
    'check:three': 'node -e "console.log(33)"',
  };
  await writeFile(join(root, 'package.json'), JSON.stringify({ private: true, scripts }));

  const reported: [string, boolean, string][] = [];
  const results = await runChecks(root, scripts, ({ name, passed }, output) => {
    reported.push([name, passed, output]);
  });

  expect(results.map(({ name, passed }) => [name, passed])).toEqual([
    ['check:one', true],
    ['check:two', false],
    ['check:three', true],
  ]);
  expect(reported.map(([name, passed]) => [name, passed])).toEqual([
    ['check:one', true],
    ['check:two', false],
    ['check:three', true],
  ]);
  expect(reported.map(([, , output]) => output)).toEqual([
    expect.stringContaining('11'),
    expect.stringContaining('22'),
    expect.stringContaining('33'),
  ]);
});

test('a program that does not exist is a failed check', async () => {
  const scripts = { 'check:absent': 'no-such-program-here' };
  await writeFile(join(root, 'package.json'), JSON.stringify({ private: true, scripts }));
  const [result] = await runChecks(root, scripts, () => undefined);
  expect(result?.passed).toBe(false);
});
