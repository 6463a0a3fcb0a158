import { describe, expect, it } from 'vitest';
import type { ListFiles } from '../../../src/screening/lists/entry.ts';
import { listsMissing } from '../config.ts';
import { pieces, problemOf, readWhole, textOf } from './support.ts';

type Part = keyof ListFiles;
const parts: Readonly<Record<Part, string>> = {
  main: 'cons_prim.csv',
  aliases: 'cons_alt.csv',
  addresses: 'cons_add.csv',
  comments: 'cons_comments.csv',
};
const all = Object.keys(parts) as readonly Part[];
const whole = (part: Part): string => textOf(`ofac-csv/${parts[part]}`);

/** The files of the consolidated list, one of them damaged. */
const withPart = (part: Part, text: string): ListFiles =>
  Object.fromEntries(all.map((one) => [one, pieces(one === part ? text : whole(one))])) as Record<
    Part,
    AsyncGenerator<Uint8Array>
  >;

const damages: readonly (readonly [string, string, (text: string) => string])[] = [
  ['cut in a row', 'bad_record', (text) => text.slice(0, text.lastIndexOf(',') - 3)],
  ['a quote too many', 'bad_record', (text) => text.replace('"', '""')],
  ['a column too many', 'bad_record', (text) => text.replace(/^/, 'x,')],
  ['a column too few', 'bad_record', (text) => text.replace(/^[^,]*,/, '')],
  ['the page of an error', 'bad_record', () => '<html>503</html>'],
  ['rows behind its end', 'cut_off', (text) => `${text}1,2\r\n`],
];

describe.skipIf(listsMissing !== null)('a damaged list of OFAC in CSV', () => {
  const cases = all.flatMap((part) =>
    damages
      // A page of XML in place of the list itself is taken for its XML.
      .filter(([what]) => part !== 'main' || what !== 'the page of an error')
      .map(([what, code, damage]) => ({ part, what, code, damage })),
  );
  it.each(cases)('is refused: $what in the $part', async ({ part, code, damage }) => {
    const text = whole(part);
    expect(damage(text)).not.toBe(text);
    expect(await problemOf('ofac_consolidated', withPart(part, damage(text)))).toBe(code);
  });

  const ofTheList: readonly (readonly [string, string, (text: string) => string])[] = [
    ['empty', 'empty_file', () => ''],
    ['the page of an error', 'unknown_message', () => '<html>503</html>'],
    ['a repeated entry', 'repeated_id', (text) => text.slice(0, text.indexOf('\n') + 1) + text],
    ['no names', 'missing_name', (text) => text.replaceAll(/^(\d+),"[^"]*"/gm, '$1,-0- ')],
    ['an unknown type', 'unknown_type', (text) => text.replace('"individual"', '"robot"')],
    ['one name', 'same_names', (text) => text.replaceAll(/^(\d+),"[^"]*"/gm, '$1,"person"')],
    ['few of its rows', 'parts_disagree', (text) => text.split('\r\n').slice(0, 30).join('\r\n')],
  ];
  it.each(ofTheList.map(([what, code, damage]) => ({ what, code, damage })))(
    'is refused: $what',
    async ({ code, damage }) => {
      expect(await problemOf('ofac_consolidated', withPart('main', damage(whole('main'))))).toBe(
        code,
      );
    },
  );

  it.each(['aliases', 'addresses', 'comments'] as const)(
    'is refused without its %s',
    async (part) => {
      const { [part]: _, ...rest } = withPart('main', whole('main'));
      expect(await problemOf('ofac_consolidated', rest as ListFiles)).toBe('missing_part');
    },
  );
});

describe.skipIf(listsMissing !== null)('a damaged list of the United Kingdom in CSV', () => {
  const text = () => textOf('uk/UK-Sanctions-List.head.csv');
  const ofTheUk: readonly (readonly [string, string, (text: string) => string])[] = [
    ['empty', 'empty_file', () => ''],
    ['no banner', 'unknown_columns', (one) => one.slice(one.indexOf('\n') + 1)],
    ['no date in the banner', 'missing_date', (one) => one.replace(/13-Feb-2026/, '')],
    ['a date that is none', 'missing_date', (one) => one.replace('13-Feb', '31-Feb')],
    ['a day to come', 'bad_date', (one) => one.replace('Feb-2026', 'Dec-2026')],
    ['a column renamed', 'unknown_columns', (one) => one.replace('Name 6', 'Surname')],
    ['a column twice', 'unknown_columns', (one) => one.replace('Phone number', 'Website')],
    ['a cell too many', 'bad_record', (one) => `${one.trimEnd()},1,1`],
    ['cut in a row', 'bad_record', (one) => one.slice(0, -60)],
    ['no ids', 'missing_id', (one) => one.replaceAll(/AFG\d+/g, '')],
    ['an unknown type', 'unknown_type', (one) => one.replace('Entity,UN', 'Thing,UN')],
    ['no entries', 'no_entries', (one) => one.split('\n').slice(0, 2).join('\n')],
  ];
  it.each(ofTheUk.map(([what, code, damage]) => ({ what, code, damage })))(
    'is refused: $what',
    async ({ code, damage }) => {
      expect(damage(text())).not.toBe(text());
      expect(await problemOf('uk', { main: pieces(damage(text())) })).toBe(code);
    },
  );
});

describe("a list of one's own", () => {
  const good = [
    'id,type,name,aliases,birth_dates,countries,identifiers,reason',
    'B-1,person,Erika Mustermann,Erika Gabler;E. Mustermann,1964-08-12;1964,DE;AT,T22000129,Fraud',
    'B-2,business,"Schrott, Müll & Söhne GmbH",,,,HRB 4711,Chargebacks',
  ].join('\n');

  it('is read as it was written', async () => {
    const { entries, summary } = await readWhole('own', { main: pieces(good, 7) });
    expect(summary).toEqual({ date: '2026-08-21', entries: 2, names: 4, passed: 0 });
    expect(entries[0]).toMatchObject({
      id: 'B-1',
      type: 'person',
      names: [{ text: 'Erika Mustermann' }, { text: 'Erika Gabler' }, { text: 'E. Mustermann' }],
      births: [{ from: '1964-08-12' }, { from: '1964-01-01', to: '1964-12-31' }],
      nationalities: ['DE', 'AT'],
      identifiers: [{ number: 'T22000129' }],
      programmes: ['Fraud'],
    });
    expect(entries[1]).toMatchObject({ type: 'organisation', births: [], nationalities: [] });
  });

  it.each([
    ['empty', 'empty_file', ''],
    ['the headings alone', 'no_entries', good.split('\n')[0] ?? ''],
    ['no headings', 'unknown_columns', good.split('\n').slice(1).join('\n')],
    ['an unknown column', 'unknown_columns', good.replace('reason', 'note')],
    ['a repeated column', 'unknown_columns', good.replace('reason', 'name')],
    ['a missing column', 'unknown_columns', good.replace('type', 'reason')],
    ['an unknown type', 'unknown_type', good.replace('person', 'robot')],
    ['a date that is none', 'bad_value', good.replace('1964-08-12', '1964-02-30')],
    ['a country that is none', 'bad_value', good.replace('DE;', 'XX;')],
    ['an id twice', 'repeated_id', good.replace('B-2', 'B-1')],
    ['no name', 'missing_name', good.replace('Erika Mustermann', '')],
    ['a cell too few', 'bad_record', good.replace(',HRB 4711,Chargebacks', '')],
    ['an open quote', 'bad_record', good.replace('Söhne GmbH"', 'Söhne GmbH')],
    ['XML', 'unknown_format', '<list/>'],
  ])('is refused: %s', async (_what, code, text) => {
    expect(await problemOf('own', { main: pieces(text, 13) })).toBe(code);
  });
});
