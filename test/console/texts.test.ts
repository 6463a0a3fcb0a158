import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { texts } from '../../console/src/texts/texts.ts';

/**
 * Branches that hold texts of their own beside those that are looked up by a computed key: the keys. In every
 * other branch with a computed key each text counts as used.
 */
const computed: Readonly<Record<string, readonly string[]>> = {
  environment: ['sandbox', 'production'],
  'overview.deliveries': ['delivered', 'pending', 'dead', 'canceled'],
  'payouts.filter': ['from', 'to', 'value'],
};

const sources = globSync('console/src/**/*.{ts,tsx}')
  .filter((file) => !file.startsWith('console/src/texts/'))
  .map((file) => readFileSync(file, 'utf8'));

/** The paths of all texts below a branch: `overview.deliveries.title`. */
function leavesOf(branch: object, path = ''): string[] {
  return Object.entries(branch).flatMap(([key, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? leavesOf(value, `${path}${key}.`)
      : [`${path}${key}`],
  );
}

const joined = (...parts: readonly string[]) => parts.filter((part) => part !== '').join('.');

const declaration = /const (?:(\w+)|\{ ([\w, ]+) \})(?:: [^=]+)? = (\w+)((?:\.\w+)*);/g;

/** What a source calls branches and texts: `const words = texts.keys` and `const { title } = words.page`. */
function namesOf(source: string): ReadonlyMap<string, readonly string[]> {
  const names = new Map([['texts', ['']]]);
  for (const [, name, picked = '', of = '', path = ''] of source.matchAll(declaration)) {
    for (const branch of names.get(of) ?? []) {
      const whole = joined(branch, path.slice(1));
      const given =
        name === undefined
          ? picked.split(', ').map((part) => [part, joined(whole, part)] as const)
          : [[name, whole] as const];
      for (const [key, meant] of given) names.set(key, [...(names.get(key) ?? []), meant]);
    }
  }
  return names;
}

/** The paths that a source reads. A type reads nothing, and a declaration only gives a branch another name. */
function readIn(source: string): string[] {
  const names = namesOf(source);
  const code = source
    .replaceAll(/^ *(?:\/\*|\*|\/\/).*$/gm, '')
    .replaceAll(/typeof \w+(?:\.\w+)*/g, '')
    .replaceAll(declaration, '');
  return [...code.matchAll(/(?<![\w.])(\w+)((?:\??\.\w+)*)(\[?)/g)].flatMap(
    ([, name = '', path = '', key = '']) =>
      (names.get(name) ?? []).flatMap((branch) => {
        const read = joined(branch, path.replaceAll('?', '').slice(1));
        const keys = key === '' ? undefined : computed[read];
        return keys === undefined ? [read] : keys.map((each) => joined(read, each));
      }),
  );
}

const read = new Set(sources.flatMap(readIn));
const all = [...read];

/** Whether a text is read, a branch with it as a whole, or a property of it, as the map of a list. */
const isRead = (path: string) => {
  const parts = path.split('.');
  return (
    parts.some((_, index) => read.has(parts.slice(0, index + 1).join('.'))) ||
    all.some((each) => each.startsWith(`${path}.`))
  );
};

test('no text of the catalogue is unused', () => {
  expect(leavesOf(texts).filter((path) => !isRead(path))).toEqual([]);
});

test('every key that is named as computed is a text of the catalogue', () => {
  const known = new Set(leavesOf(texts));
  const keys = Object.entries(computed).flatMap(([branch, names]) =>
    names.map((name) => `${branch}.${name}`),
  );
  expect(keys.filter((key) => !known.has(key))).toEqual([]);
});
