import { describe, expect, it } from 'vitest';
import { listsMissing } from '../config.ts';
import { attributes, Document, open, readWhole, textOf, texts, unique } from './support.ts';

describe.skipIf(listsMissing !== null)('the list of the European Union', () => {
  const file = 'eu/xmlFullSanctionsList_1_1.sample.xml';

  it('is read entity by entity as another reader reads it', async () => {
    const { entries, summary } = await readWhole('eu', { main: open(file) });
    const document = new Document(textOf(file));
    try {
      const nodes = document.elements('sanctionEntity');
      expect(entries).toHaveLength(nodes.length);
      for (const [at, node] of nodes.entries()) {
        const entry = entries[at];
        expect(entry?.id).toBe(node.attr('euReferenceNumber')?.value);
        expect(entry?.names.map(({ text }) => text)).toEqual(
          unique(attributes(node, 'nameAlias', 'wholeName')),
        );
        expect(entry?.births.map(({ from }) => from)).toEqual(
          unique(attributes(node, 'birthdate', 'birthdate')),
        );
        expect(entry?.identifiers.map(({ number }) => number)).toEqual(
          attributes(node, 'identification', 'number'),
        );
        expect(entry?.nationalities).toEqual(
          unique(attributes(node, 'citizenship', 'countryIso2Code')),
        );
        expect(entry?.programmes).toEqual(attributes(node, 'regulation', 'programme'));
      }
    } finally {
      document.dispose();
    }
    // The day of its making, not the one on which it was fetched.
    expect(summary).toMatchObject({ date: '2026-08-05', entries: 5 });
  });

  it('takes the name and never the kind for the name, and knows no country `00`', async () => {
    const { entries } = await readWhole('eu', { main: open(file) });
    expect(entries.map(({ type, names }) => [type, names[0]?.text])).toEqual([
      ['person', 'Saddam Hussein Al-Tikriti'],
      ['person', 'Bin Khalid Fahd Bin Adballah'],
      ['organisation', 'Global Relief Foundation (GRF)'],
      ['organisation', 'Grinex'],
      ['organisation', 'İslami Büyük Doğu Akıncılar Cephesi'],
    ]);
    expect(entries[1]?.identifiers).toEqual([
      { class: 'passport', label: 'National passport', number: '488555', country: null },
    ]);
    expect(entries[3]?.identifiers.map((one) => one.class)).toEqual(['tax', 'registration']);
  });
});

describe.skipIf(listsMissing !== null)('the list of the United Kingdom', () => {
  const file = 'uk/UK-Sanctions-List.sample.xml';

  it('is read designation by designation, but for a ship that may not enter a port', async () => {
    const { entries, summary } = await readWhole('uk', { main: open(file) });
    const document = new Document(textOf(file));
    try {
      const nodes = document
        .elements('Designation')
        .filter((node) => /asset freeze/i.test(texts(node, 'SanctionsImposed').join('')));
      expect(entries.map(({ id }) => id)).toEqual(nodes.map((node) => texts(node, 'UniqueID')[0]));
      for (const [at, node] of nodes.entries()) {
        const whole = document
          .elements('Name')
          .filter(
            (name) => name.parent?.parent?.find(`*[.='${entries[at]?.id ?? ''}']`).length === 1,
          )
          .map((name) =>
            [1, 2, 3, 4, 5, 6].flatMap((part) => texts(name, `Name${part}`)).join(' '),
          );
        const others = texts(node, 'NonLatinNames/NonLatinName/NameNonLatinScript');
        const found = entries[at]?.names.map(({ text }) => text) ?? [];
        expect(found.toSorted()).toEqual(unique([...whole, ...others]).toSorted());
      }
    } finally {
      document.dispose();
    }
    expect(summary).toMatchObject({ date: '2026-08-14', entries: 4, passed: 1 });
  });

  it('understands dates with masks, numbers in lines, and the quality of aliases', async () => {
    const { entries } = await readWhole('uk', { main: open(file) });
    const [mansur, akram, , exmo] = entries;
    expect(mansur?.births).toEqual([
      { from: '1968-01-01', to: '1968-12-31', about: false },
      { from: '1967-11-12', to: '1967-11-12', about: false },
    ]);
    expect(mansur?.identifiers[0]).toMatchObject({ class: 'passport', number: 'D0009720' });
    expect(akram?.births.map(({ from, to }) => `${from} ${to}`)).toContain('1958-09-01 1958-09-30');
    expect(akram?.names.filter(({ weak }) => weak).map(({ text }) => text)).toEqual([
      'Abu Akram',
      'Abu Jarrah',
    ]);
    expect(exmo?.identifiers).toContainEqual({
      class: 'lei',
      label: 'Legal Entity Identifier',
      number: '984500B899H9EED3B354',
      country: null,
    });
    expect(exmo?.identifiers[0]).toMatchObject({ class: 'registration', number: '11655602' });
  });

  it('is read as CSV too, below its banner', async () => {
    const { entries, summary } = await readWhole('uk', {
      main: open('uk/UK-Sanctions-List.head.csv'),
    });
    expect(summary).toEqual({ date: '2026-02-13', entries: 2, names: 4, passed: 0 });
    expect(entries.map(({ id, type, names }) => [id, type, names.map(({ text }) => text)])).toEqual(
      [
        [
          'AFG0001',
          'organisation',
          ['HAJI KHAIRULLAH HAJI SATTAR MONEY EXCHANGE', 'حاجی خيرالله و حاجی ستار صرافی'],
        ],
        ['AFG0006', 'person', ['MOHAMMAD HASSAN AKHUND', 'محمد حسن آخوند']],
      ],
    );
    expect(entries[1]?.births[0]?.from).toBe('1958-01-01');
    expect(entries[1]?.identifiers.map(({ number }) => number)).toEqual(['A1234567', '12345']);
  });
});
