import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const check = join(root, 'src/process/node-version.mjs');

/** Runs a program that prints `ran`, in a process that says that it is another version of Node. */
function run(version: string) {
  const versions = `{ value: { ...process.versions, node: '${version}' } }`;
  const pretend = `data:text/javascript,Object.defineProperty(process, 'versions', ${versions})`;
  const args = ['--import', pretend, '--import', check, '--eval', 'console.log("ran")'];
  return spawnSync(process.execPath, args, { encoding: 'utf8' });
}

test('an older Node is told which one is needed and how to get it, without a stack', () => {
  const { status, stdout, stderr } = run('20.20.2');
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(/^This needs Node 24 or newer, and \S+ is Node 20\.20\.2\. .*\n$/);
});

test('a Node that suffices runs the program', () => {
  for (const version of ['24.0.0', '100.0.0']) {
    expect(run(version)).toMatchObject({ status: 0, stdout: 'ran\n', stderr: '' });
  }
});

test('every script that runs a TypeScript file looks at the version first', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const programs = Object.values(scripts).filter((line) => /^node .*\.ts\b/.test(line));
  expect(programs.length).toBeGreaterThan(8);
  const unchecked = programs.filter(
    (line) => !line.startsWith('node --import ./src/process/node-version.mjs '),
  );
  expect(unchecked).toEqual([]);
});
