import { builtinModules } from 'node:module';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { programs as started } from '../../../dev/stack/services.ts';
import { bundleFolder, outside, programs } from '../../../tools/bundle/programs.ts';

/** The bundle that this run has made. */
const root = join(import.meta.dirname, '../../..');
const folder = bundleFolder(root);
const files = readdirSync(folder).filter((name) => name.endsWith('.mjs'));
const text = (name: string): string => readFileSync(join(folder, name), 'utf8');

test('has the programs that are started', () => {
  expect(files).toEqual(expect.arrayContaining(Object.keys(programs).map((name) => `${name}.mjs`)));
  for (const path of Object.values(started)) expect(files).toContain(path.split('/').at(-1));
});

test('can be read by the account that the service runs as', () => {
  expect(statSync(folder).mode & 0o755).toBe(0o755);
  for (const name of files) expect(statSync(join(folder, name)).mode & 0o444).toBe(0o444);
});

test('imports what Node has, parts of itself, and packages of production that stay outside', () => {
  const production = new Set([
    ...Object.keys(manifest.dependencies),
    ...Object.keys(manifest.optionalDependencies),
  ]);
  const nodes = new Set(builtinModules);
  const packages = new Set<string>();
  for (const name of files) {
    for (const [, specifier = ''] of text(name).matchAll(
      /^import (?:[^"']+ from )?"([^"]+)";$/gm,
    )) {
      if (specifier.startsWith('./')) expect(files).toContain(specifier.slice(2));
      else if (!nodes.has(specifier.replace(/^node:/, ''))) packages.add(specifier);
    }
  }
  expect([...packages].filter((name) => !production.has(name))).toEqual([]);
  expect([...packages].filter((name) => !outside.some((kept) => kept.test(name)))).toEqual([]);
});

test('is ASCII, of which Node keeps one byte a character, and names its sources', () => {
  for (const name of files) expect(/[^\0-\u007f]/.exec(text(name))?.[0]).toBeUndefined();
  for (const [name, source] of Object.entries(programs)) {
    expect(text(`${name}.mjs`)).toContain(`\n// ${source}\n`);
  }
});
