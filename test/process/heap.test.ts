import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { heapFlag } from '../../src/process/heap.ts';

test('V8 knows what keeps the heap small', () => {
  const { stdout } = spawnSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  const [name = ''] = heapFlag.split('=');
  expect(stdout).toMatch(new RegExp(`^ +${name} \\(`, 'm'));
});
