import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { permissions, roles } from '../../src/access/roles.ts';
import { events } from '../../src/domain/event/types.ts';
import { declarationsOf, isThere, linksOf, pages, pathsOf, readPage } from './links.ts';

const checklists = ['docs/add-an-event-type.md', 'docs/add-a-transition.md'];

describe.each(pages)('%s', (page) => {
  test('leads only to files that exist', () => {
    expect(linksOf(page).filter(({ target }) => !isThere(target))).toEqual([]);
  });

  test('names only paths that exist', () => {
    // A pattern such as `src/domain/<noun>/` stands for many; acme is the example of a provider.
    const paths = pathsOf(page).filter((path) => !/[<*{…]|acme|^test\/artifacts/.test(path));
    const folder = dirname(page);
    const isSomewhere = (path: string) => isThere(path) || isThere(join(folder, path));
    expect(paths.filter((path) => !isSomewhere(path))).toEqual([]);
  });
});

describe.each(checklists)('the checklist %s', (page) => {
  const symbols = linksOf(page).flatMap(({ text, target }) => {
    const [, symbol] = /^`(\w+)`$/.exec(text) ?? [];
    return symbol !== undefined && target.endsWith('.ts') ? [{ symbol, target }] : [];
  });

  test('names symbols that the linked module declares', () => {
    expect(symbols.length).toBeGreaterThan(2);
    expect(symbols.filter(({ symbol, target }) => !declarationsOf(target).has(symbol))).toEqual([]);
  });
});

test('README and the map are short', () => {
  expect(Buffer.byteLength(readPage('README.md'))).toBeLessThan(8_192);
  expect(Buffer.byteLength(readPage('docs/architecture.md'))).toBeLessThan(10_240);
});

test('the page for receivers explains each event type once', () => {
  const page = readPage('docs/webhooks.md');
  const explained = [...page.matchAll(/^\| `[a-z_]+\.\w+`.*$/gm)].map(([row]) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  const declared = Object.entries(events).map(([type, { sentWhen, howOften, tail }]) => [
    `\`${type}\``,
    sentWhen,
    Object.keys(tail)
      .map((field) => `\`${field}\``)
      .join(', '),
    howOften,
  ]);
  expect(explained).toEqual(declared);
});

test('each promise is numbered once, in order, and has a test that exists', () => {
  const rows = [...readPage('docs/promises.md').matchAll(/^- ([A-Z])(\d+)\. (.*)$/gm)];
  const numbers = rows.map(([, letter = '', number = '']) => `${letter}${number}`);
  expect(numbers.length).toBeGreaterThan(25);
  expect(new Set(numbers).size).toBe(numbers.length);
  for (const [row, letter, number, held = ''] of rows) {
    const before = rows
      .filter(([, other]) => other === letter)
      .findIndex(([, , n]) => n === number);
    expect(Number(number), row).toBe(before + 1);
    expect(held, row).toMatch(/`test\/[\w./-]+\.ts`/);
  }
});

test('the glossary explains each word once, in the order of the alphabet', () => {
  const rows = [...readPage('docs/glossary.md').matchAll(/^- \*\*([a-z][a-z -]+)\*\*:/gm)];
  const words = rows.map(([, word = '']) => word);
  expect(words.length).toBeGreaterThan(25);
  expect(words).toEqual([...new Set(words)].toSorted());
});

test('the interface says which role may do what', () => {
  const rows = [...readPage('docs/interface.md').matchAll(/^ {2}- `([\w:]+)`[^:]*: (.+)$/gm)];
  const told = rows.map(([, permission, who = '']) => [
    permission,
    who === 'every role' ? roles : who.split(', '),
  ]);
  expect(told).toEqual(Object.entries(permissions));
});
