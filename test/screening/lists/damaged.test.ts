import { describe, expect, it } from 'vitest';
import type { ListKind } from '../../../src/screening/lists/entry.ts';
import { listsMissing } from '../config.ts';
import { pieces, problemOf, textOf } from './support.ts';

/** What is done to a text, and what the reader must then say. */
type Damage = readonly [what: string, codes: readonly string[], damage: (text: string) => string];

/** Leaves out what stands between the end of the first entry and the end of the last one. */
const without = (text: string, open: string, close: string): string =>
  text.slice(0, text.indexOf(open)) + text.slice(text.lastIndexOf(close) + close.length);

/** Repeats the first entry behind itself. */
function repeated(text: string, open: string, close: string): string {
  const [from, to] = [text.indexOf(open), text.indexOf(close) + close.length];
  return text.slice(0, to) + text.slice(from, to) + text.slice(to);
}

interface Xml {
  readonly kind: ListKind;
  readonly file: string;
  readonly root: string;
  readonly open: string;
  readonly close: string;
  /** Finds the date, the first id and every name. */
  readonly date: RegExp;
  readonly id: RegExp;
  readonly names: RegExp;
}

const xml: readonly Xml[] = [
  {
    kind: 'ofac_sdn',
    file: 'ofac-xml/sdn.sample.xml',
    root: 'sdnList',
    open: '<sdnEntry>',
    close: '</sdnEntry>',
    date: /<Publish_Date>.*?<\/Publish_Date>/,
    id: /<uid>.*?<\/uid>/,
    names: /<\/?(?:last|first)Name>/g,
  },
  {
    kind: 'eu',
    file: 'eu/xmlFullSanctionsList_1_1.sample.xml',
    root: 'export',
    open: '<sanctionEntity',
    close: '</sanctionEntity>',
    date: / generationDate="[^"]*"/,
    id: / euReferenceNumber="[^"]*" logicalId="[^"]*"/,
    names: / (?:whole|first|middle|last)Name=/g,
  },
  {
    kind: 'un',
    file: 'un/UN_consolidated.xml',
    root: 'CONSOLIDATED_LIST',
    open: '<INDIVIDUAL>',
    close: '</INDIVIDUAL>',
    date: / dateGenerated="[^"]*"/,
    id: /<DATAID>.*?<\/DATAID>|<REFERENCE_NUMBER>.*?<\/REFERENCE_NUMBER>/g,
    names: /<\/?(?:FIRST|SECOND|THIRD|FOURTH)_NAME\b/g,
  },
  {
    kind: 'uk',
    file: 'uk/UK-Sanctions-List.sample.xml',
    root: 'Designations',
    open: '<Designation>',
    close: '</Designation>',
    date: / dateGenerated="[^"]*"|<DateGenerated>.*?<\/DateGenerated>/g,
    id: /<UniqueID>.*?<\/UniqueID>/,
    names: /<\/?Name[1-6]>/g,
  },
];

const xmlDamages = ({ root, open, close, date, id, names }: Xml): readonly Damage[] => [
  ['empty', ['empty_file'], () => ''],
  ['cut in the middle of a tag', ['not_well_formed'], (text) => text.slice(0, text.length / 2)],
  [
    'cut after an entry',
    ['not_well_formed'],
    (text) => text.slice(0, text.indexOf(close) + close.length),
  ],
  [
    'the page of an error instead',
    ['unknown_message', 'not_well_formed'],
    () => '<html><body>503</body></html>',
  ],
  [
    'another root',
    ['unknown_message'],
    (text) => text.replace(`<${root}`, '<Other').replace(`</${root}>`, '</Other>'),
  ],
  [
    'a DOCTYPE with an entity',
    ['doctype'],
    (text) => text.replace('?>', `?><!DOCTYPE ${root} [<!ENTITY a "b">]>`),
  ],
  ['no date', ['missing_date'], (text) => text.replaceAll(new RegExp(date.source, 'g'), '')],
  ['no ids', ['missing_id'], (text) => text.replaceAll(new RegExp(id.source, 'g'), '')],
  [
    'names in another place',
    ['missing_name'],
    (text) => text.replaceAll(names, (found) => found.replace(/^(?:<\/?| )/, '$&x')),
  ],
  ['an entry twice', ['repeated_id'], (text) => repeated(text, open, close)],
  [
    'no entries',
    ['no_entries', 'entries_missing', 'misplaced_element'],
    (text) => without(text, open, close),
  ],
  [
    'an unknown element between the entries',
    ['misplaced_element'],
    (text) => text.replace(open, `<Section>1</Section>${open}`),
  ],
  ['something behind its end', ['not_well_formed'], (text) => `${text}<more/>`],
];

describe.skipIf(listsMissing !== null).each(xml)('a damaged list: $file', (list) => {
  it.each(xmlDamages(list).map(([what, codes, damage]) => ({ what, codes, damage })))(
    'is refused: $what',
    async ({ codes, damage }) => {
      const whole = textOf(list.file);
      const damaged = damage(whole);
      expect(damaged).not.toBe(whole);
      expect(codes).toContain(await problemOf(list.kind, { main: pieces(damaged) }));
    },
  );

  it('is refused: a byte that is not UTF-8', async () => {
    const bytes = Buffer.from(textOf(list.file));
    bytes[bytes.indexOf(list.close) - 2] = 0xff;
    expect(['encoding', 'not_well_formed']).toContain(
      await problemOf(list.kind, { main: pieces(bytes) }),
    );
  });
});

describe.skipIf(listsMissing !== null)('what one list says of its own', () => {
  it('refuses OFAC with fewer entries than it states', async () => {
    const text = textOf('ofac-xml/sdn.sample.xml').replace('>5<', '>7<');
    expect(await problemOf('ofac_sdn', { main: pieces(text) })).toBe('entries_missing');
  });

  it('refuses types that nobody knows', async () => {
    const ofac = textOf('ofac-xml/sdn.sample.xml').replace('>Individual<', '>Robot<');
    expect(await problemOf('ofac_sdn', { main: pieces(ofac) })).toBe('unknown_type');
    const eu = textOf('eu/xmlFullSanctionsList_1_1.sample.xml').replace('code="person"', 'code=""');
    expect(await problemOf('eu', { main: pieces(eu) })).toBe('unknown_type');
  });

  it('refuses a list whose names are the word for its kind', async () => {
    const text = textOf('eu/xmlFullSanctionsList_1_1.sample.xml').replaceAll(
      / wholeName="[^"]*"/g,
      ' wholeName="person"',
    );
    expect(await problemOf('eu', { main: pieces(text) })).toBe('same_names');
  });

  it('refuses a list of the day after tomorrow', async () => {
    const text = textOf('un/UN_consolidated.xml').replace('2026-02-27T', '2026-11-29T');
    expect(await problemOf('un', { main: pieces(text, 65_536) })).toBe('bad_date');
  });
});
