import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { strippedFile } from '../../src/process/stripped.mjs';

const root = join(import.meta.dirname, '../..');

/** A folder with what strips, and a program of two files. */
let folder: string;
const source = `import { half } from './half.ts';
const asked: number = 42;   console.log(half(asked), process.moduleLoadList.some((name) => name.includes('amaro')));
`;
const half = (divisor: number): string =>
  `export function half(of: number): number { return of / ${divisor}; }\n`;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stripped-'));
  for (const path of ['src/process/stripped.mjs', 'tools/strip/main.ts']) {
    cpSync(join(root, path), join(folder, path), { recursive: true });
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  mkdirSync(join(folder, 'generated'));
  writeFileSync(join(folder, 'src/main.ts'), source);
  writeFileSync(join(folder, 'src/half.ts'), half(2));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function node(...args: string[]): string {
  const options = { cwd: folder, encoding: 'utf8', env: {} } as const;
  const { stdout, stderr } = spawnSync(process.execPath, ['--no-warnings', ...args], options);
  expect(stderr).toBe('');
  return stdout.trim();
}

const strip = (): string => node('tools/strip/main.ts');
const run = (): string => node('--import', './src/process/stripped.mjs', 'src/main.ts');
const written = (text: string): string => strippedFile(text).replace(root, folder);

test('a process loads the sources without their types, and nothing that strips them', () => {
  strip();
  expect(run()).toBe('21 false');
  const text = readFileSync(written(source), 'utf8');
  // Every position stays the same, so stacks tell lines and columns of the source.
  expect(text.indexOf('console')).toBe(source.indexOf('console'));
  expect(text).not.toContain('number');
});

test('where nothing was written, and where a source has changed since, Node strips it', () => {
  expect(run()).toBe('21 true');
  strip();
  writeFileSync(join(folder, 'src/half.ts'), half(3));
  expect(run()).toBe('14 true');
  strip();
  expect(run()).toBe('14 false');
});

test.each([
  ['is empty', () => ''],
  ['was cut off', (text: string) => text.slice(0, -5)],
  ['has zeros', (text: string) => text.slice(0, -5) + '\0'.repeat(5)],
])('a written file that %s is not used', (_what, damage) => {
  strip();
  const file = written(half(2));
  writeFileSync(file, damage(readFileSync(file, 'utf8')));
  expect(run()).toBe('21 true');
});
