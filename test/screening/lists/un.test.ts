import type { XmlElement } from 'libxml2-wasm';
import { describe, expect, it } from 'vitest';
import { listsMissing } from '../config.ts';
import { Document, open, readWhole, textOf, texts, unique } from './support.ts';

const file = 'un/UN_consolidated.xml';

/** Names as they stand in the file: parts with blanks between them, and what is packed taken apart. */
function namesOf(node: XmlElement): string[] {
  const parts = ['FIRST_NAME', 'SECOND_NAME', 'THIRD_NAME', 'FOURTH_NAME']
    .flatMap((part) => texts(node, part))
    .filter((part) => part.toLowerCase() !== 'na')
    .join(' ');
  const isEntity = node.name === 'ENTITY';
  const aliases = texts(node, `${node.name}_ALIAS/ALIAS_NAME`).join(';');
  const split = (text: string) => text.split(/;|\s?\b[a-z]\)\s/);
  return unique(
    [
      ...(isEntity ? split(parts) : [parts]),
      ...texts(node, 'NAME_ORIGINAL_SCRIPT'),
      ...split(aliases),
    ]
      .map((name) => name.trim())
      .filter((name) => name !== '' && name.toLowerCase() !== 'na'),
  );
}

function daysOf(node: XmlElement): string[] {
  const births = node.find('INDIVIDUAL_DATE_OF_BIRTH') as XmlElement[];
  return unique(
    births.flatMap((birth) => {
      const [date] = texts(birth, 'DATE');
      if (date !== undefined) return [`${date}..${date}`];
      const [first = '', last = first] = [
        ...texts(birth, 'YEAR'),
        ...texts(birth, 'FROM_YEAR'),
      ].concat(texts(birth, 'TO_YEAR'));
      return first === '' ? [] : [`${first}-01-01..${last}-12-31`];
    }),
  ).toSorted();
}

describe.skipIf(listsMissing !== null)(`the list of the United Nations (${file})`, () => {
  it('is read entry by entry as another reader reads it', async () => {
    const { entries, summary } = await readWhole('un', { main: open(file) });
    const document = new Document(textOf(file));
    try {
      const nodes = [...document.elements('INDIVIDUAL'), ...document.elements('ENTITY')];
      expect(entries.map(({ id }) => id)).toEqual(
        nodes.map((node) => texts(node, 'REFERENCE_NUMBER')[0]),
      );
      for (const [at, node] of nodes.entries()) {
        const entry = entries[at];
        const found = entry?.names.map(({ text }) => text);
        expect(found?.toSorted(), entry?.id).toEqual(namesOf(node).toSorted());
        const days = unique(entry?.births.map(({ from, to }) => `${from}..${to}`) ?? []);
        expect(days.toSorted(), entry?.id).toEqual(daysOf(node));
        const numbers = entry?.identifiers.map(({ number }) => number);
        expect(numbers, entry?.id).toEqual(texts(node, 'INDIVIDUAL_DOCUMENT/NUMBER'));
      }
    } finally {
      document.dispose();
    }
    expect(summary).toMatchObject({ date: '2026-02-27', entries: 1_003, passed: 0 });
  });

  it('has no name of an empty element, and knows every nationality but `na`', async () => {
    const { entries } = await readWhole('un', { main: open(file) });
    expect(entries.flatMap(({ names }) => names).filter(({ text }) => text.length < 2)).toEqual([]);
    const people = entries.filter(({ type }) => type === 'person');
    expect(people).toHaveLength(730);
    const written = textOf(file).match(/<NATIONALITY>/g)?.length ?? 0;
    const known = people.filter(({ nationalities }) => nationalities.length > 0).length;
    expect(written - known).toBeLessThanOrEqual(2);
  });

  it('tells weak names, and dates that are not exact', async () => {
    const { entries } = await readWhole('un', { main: open(file) });
    const iyamuremye = entries.find(({ id }) => id === 'CDi.003');
    expect(iyamuremye?.names.slice(0, 3)).toEqual([
      { text: 'GASTON IYAMUREMYE', role: 'primary', weak: false },
      { text: 'Rumuli', role: 'alias', weak: true },
      { text: 'Byiringiro Victor Rumuli', role: 'alias', weak: false },
    ]);
    expect(iyamuremye?.births).toEqual([{ from: '1948-01-01', to: '1948-12-31', about: false }]);
    const about = entries.flatMap(({ births }) => births).filter((birth) => birth.about);
    expect(about.length).toBeGreaterThan(90);
  });
});
