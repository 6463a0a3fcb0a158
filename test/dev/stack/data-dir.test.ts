import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { prepareDataDir } from '../../../dev/stack/config.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'data-dir-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Root may write anywhere, so it lends itself another account meanwhile. */
function asNobody(work: () => void): void {
  const root = process.getuid?.() === 0;
  if (root) process.seteuid?.(65_534);
  try {
    work();
  } finally {
    if (root) process.seteuid?.(0);
  }
}

test('a folder is made with those above it, and found again with a database in it', () => {
  const path = join(folder, 'a/b');
  prepareDataDir(path);
  mkdirSync(join(path, 'postgres'));
  prepareDataDir(path);
  writeFileSync(join(path, 'postgres/PG_VERSION'), '18\n');
  prepareDataDir(path);
});

test('a folder that this account may not write is refused by name', () => {
  const path = join(folder, 'closed');
  mkdirSync(path);
  chmodSync(folder, 0o755);
  chmodSync(path, 0o555);
  asNobody(() => {
    expect(() => prepareDataDir(path)).toThrow(`DATA_DIR: ${path}: EACCES`);
    expect(() => prepareDataDir(join(path, 'below'))).toThrow('EACCES');
  });
});

test('a file in its place or on its way is refused', () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  expect(() => prepareDataDir(file)).toThrow('EEXIST');
  expect(() => prepareDataDir(join(file, 'below'))).toThrow('ENOTDIR');
});

test('a folder of other files is refused, and they stay', () => {
  mkdirSync(join(folder, 'postgres'));
  writeFileSync(join(folder, 'postgres/thesis.tex'), '');
  expect(() => prepareDataDir(folder)).toThrow('its folder "postgres" holds other files');
});
