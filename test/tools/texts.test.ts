import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { say as sayInConsole } from '../../console/src/texts/say.ts';
import { say } from '../../src/values/say.ts';
import { typesOfTexts } from '../../tools/texts/types.ts';

const root = join(import.meta.dirname, '../..');
const files = globSync('{console/src,rest/collect,src/mail}/texts/*.json', { cwd: root });

/** What each text of a file has places for, by its path; the forms of a text by number are one. */
function placesOf(branch: unknown, path = ''): [string, string][] {
  return Object.entries(branch as object).flatMap(([key, value]: [string, unknown]) => {
    const own = `${path}.${key}`;
    if (typeof value !== 'string') return placesOf(value, own);
    const places = (value.match(/\{\w+\}/g) ?? []).toSorted((a, b) => a.localeCompare(b));
    const isForm = `${key.replace(/_\w+?$/, '')}_other` in (branch as object);
    return [[isForm ? own.replace(/_\w+?$/, '') : own, [...new Set(places)].join()]];
  });
}

const placesIn = (file: string) =>
  new Map(placesOf(JSON.parse(readFileSync(join(root, file), 'utf8'))));

test.each(files)('%s has the texts of the English file, with their places', (file) => {
  expect(placesIn(file)).toEqual(placesIn(join(dirname(file), 'en.json')));
});

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
