import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { catalogue, isErrorCode } from '../../src/errors/catalogue.ts';
import { anchorsOf, isThere, linksOf, pages, readPage } from './links.ts';

/** Words in backquotes that could name a setting or an error code. */
const shouted = /`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)`/g;

const root = join(import.meta.dirname, '../..');
const sources = await Array.fromAsync(
  glob(['{src,rest,simulator,dev,test}/**/*.ts', 'docs/verifiers/*.mjs', 'docker-compose.yml'], {
    cwd: root,
  }),
);
const words = new Set(
  sources.flatMap((file) => readFileSync(join(root, file), 'utf8').match(/[A-Z][A-Z0-9_]+/g) ?? []),
);

describe.each(pages)('%s', (page) => {
  const text = readPage(page);

  test('names only settings and codes that exist', () => {
    const names = [...text.matchAll(shouted)].map(([, name = '']) => name);
    const known = (name: string) =>
      isErrorCode(name) || words.has(name) || words.has(name.replace(/_FILE$/, ''));
    expect(names.filter((name) => !known(name))).toEqual([]);
  });

  test('gives each code with its status', () => {
    const told = [...text.matchAll(/\b([45]\d\d) `(\w+)`/g)];
    // Statuses of HTTP itself share one code.
    const wrong = told.filter(
      ([, status, code]) =>
        isErrorCode(code) && code !== 'bad_request' && catalogue[code].status !== Number(status),
    );
    expect(wrong.map(([shown]) => shown)).toEqual([]);
  });

  test('leads only to headings that exist', () => {
    const lost = linksOf(page).filter(
      ({ target, anchor }) =>
        anchor !== '' &&
        target.endsWith('.md') &&
        isThere(target) &&
        !anchorsOf(target).has(anchor),
    );
    expect(lost).toEqual([]);
  });
});
