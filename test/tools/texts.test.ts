import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { say as sayInConsole } from '../../console/src/texts/say.ts';
import { say } from '../../src/values/say.ts';
import { typesOfTexts } from '../../tools/texts/types.ts';

const root = join(import.meta.dirname, '../..');
const files = globSync('{console/src,rest/collect,src/mail}/texts/*.json', { cwd: root });

interface Text {
  readonly said: string;
  /** The names in braces. */
  readonly places: string;
}

/** The texts of a branch by their paths; the forms of a text by number are one, the one for other numbers. */
function textsOf(branch: unknown, path = ''): [string, Text][] {
  return Object.entries(branch as object).flatMap(([key, value]: [string, unknown]) => {
    const own = path === '' ? key : `${path}.${key}`;
    if (typeof value !== 'string') return textsOf(value, own);
    const places = (value.match(/\{\w+\}/g) ?? []).toSorted((a, b) => a.localeCompare(b));
    const isForm = `${key.replace(/_\w+?$/, '')}_other` in (branch as object);
    const name = isForm ? own.replace(/_\w+?$/, '') : own;
    return [[name, { said: value, places: [...new Set(places)].join(' ') }]];
  });
}

const textsIn = (file: string) =>
  new Map(textsOf(JSON.parse(readFileSync(join(root, file), 'utf8'))));

/** What a translator has to do: a line for each text, with what it says in English. */
function leftToDo(file: string): string[] {
  const english = textsIn(join(dirname(file), 'en.json'));
  const others = textsIn(file);
  const lacking = [...english].flatMap(([path, { said, places }]) => {
    const other = others.get(path);
    if (other === undefined) return [`lacks ${path}: ${said}`];
    if (other.places === places) return [];
    return [`${path} has places for ${other.places || 'nothing'}, not for ${places || 'nothing'}`];
  });
  const superfluous = [...others.keys()].filter((path) => !english.has(path));
  return [...lacking, ...superfluous.map((path) => `has ${path}, which English lacks`)];
}

test.each(files)('%s has the texts of the English file, with their places', (file) => {
  expect(leftToDo(file)).toEqual([]);
});

/** Texts that are the same in two languages: names, codes and loan words. More of them have not been translated. */
const mostAlike = 0.06;

test.each(files.filter((file) => file.startsWith('console/') && !file.endsWith('en.json')))(
  '%s is a translation',
  (file) => {
    const english = textsIn(join(dirname(file), 'en.json'));
    const others = textsIn(file);
    const words = (said: string) => said.replaceAll(/\{\w+\}/g, '').match(/\p{L}+/gu) ?? [];
    const sentences = [...english].filter(([, { said }]) => words(said).length > 3);
    expect(sentences.filter(([path, { said }]) => others.get(path)?.said === said)).toEqual([]);
    const alike = [...english].filter(([path, { said }]) => others.get(path)?.said === said);
    expect(alike.length / english.size).toBeLessThan(mostAlike);
  },
);

describe('texts of the console', () => {
  const texts = {
    title: 'Members',
    removeOf: 'Remove {name}',
    states: { other: 'Another' },
    selected_one: '{count} payout of {name}',
    selected_other: '{count} payouts of {name}',
  };
  const said = sayInConsole(texts, 'en') as {
    readonly title: string;
    readonly states: { readonly other: string };
    removeOf(values: { name: string }): string;
    selected(values: { count: number; name: string }): string;
  };

  test('are texts, or take values', () => {
    expect(said.title).toBe('Members');
    expect(said.states.other).toBe('Another');
    expect(said.removeOf({ name: '$& {name}' })).toBe('Remove $& {name}');
  });

  test('have a form for each kind of number, with the digits of the language', () => {
    expect([0, 1, 1234].map((count) => said.selected({ count, name: 'A' }))).toEqual([
      '0 payouts of A',
      '1 payout of A',
      '1,234 payouts of A',
    ]);
    const polish = { rows_one: 'wiersz', rows_few: 'wiersze', rows_other: 'wierszy' };
    const { rows } = sayInConsole(polish, 'pl') as { rows(values: { count: number }): string };
    expect([1, 3, 5].map((count) => rows({ count }))).toEqual(['wiersz', 'wiersze', 'wierszy']);
  });

  test('have a type that says what each takes', () => {
    expect(typesOfTexts(texts)).toBe(`export type Texts = {
  readonly title: string;
  readonly removeOf: (values: { readonly name: string | number }) => string;
  readonly states: {
    readonly other: string;
  };
  readonly selected: (values: { readonly count: number; readonly name: string | number }) => string;
};
`);
  });
});

test('texts of the form and of mails take values, and have what is known from the start', () => {
  const said = say({ size: '{mb} MB', lead: { to: '{business}, {mb} MB' } }, { mb: 5 }) as {
    readonly size: string;
    readonly lead: { to(values: { business: string }): string };
  };
  expect(said.size).toBe('5 MB');
  expect(said.lead.to({ business: '{mb} $1' })).toBe('{mb} $1, 5 MB');
});
