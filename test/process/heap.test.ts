import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { heapFlags } from '../../src/process/heap.ts';

test('V8 knows what keeps the heap small', () => {
  const { stdout } = spawnSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  for (const flag of heapFlags) {
    const [name = ''] = flag.split('=');
    expect(stdout).toMatch(new RegExp(`^ +${name} \\(`, 'm'));
  }
});
