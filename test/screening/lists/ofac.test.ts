import { describe, expect, it } from 'vitest';
import { listsMissing } from '../config.ts';
import { cellsOf, Document, ofacCsv, open, readWhole, textOf, texts, unique } from './support.ts';

const absent = (cell = ''): string => (cell.trim() === '-0-' ? '' : cell.trim());

/** `FAMILY, Given` of persons turned around, by another way than the reader's. */
const spoken = (name: string, type: string): string =>
  type === 'individual' ? name.replace(/^([^,]*), ?(.*)$/s, '$2 $1').trim() : name;

describe.skipIf(listsMissing !== null)('the list of OFAC in XML', () => {
  const file = 'ofac-xml/sdn.sample.xml';

  it('is read entry by entry as another reader reads it', async () => {
    const { entries, summary } = await readWhole('ofac_sdn', { main: open(file) });
    const document = new Document(textOf(file));
    try {
      const nodes = document.elements('sdnEntry');
      expect(entries.map(({ id }) => id)).toEqual(nodes.map((node) => texts(node, 'uid')[0]));
      for (const [at, node] of nodes.entries()) {
        const entry = entries[at];
        const primary = [...texts(node, 'firstName'), ...texts(node, 'lastName')].join(' ');
        expect(entry?.names[0]?.text).toBe(primary);
        expect(entry?.names).toHaveLength(1 + texts(node, 'akaList/aka').length);
        expect(entry?.programmes).toEqual(texts(node, 'programList/program'));
        expect(entry?.births).toHaveLength(
          texts(node, 'dateOfBirthList/dateOfBirthItem/dateOfBirth').length,
        );
      }
    } finally {
      document.dispose();
    }
    expect(summary).toMatchObject({ date: '2026-08-07', entries: 6 });
  });

  it('tells persons, ships and banks, weak aliases, and numbers from remarks', async () => {
    const { entries } = await readWhole('ofac_sdn', { main: open(file) });
    const byId = new Map(entries.map((entry) => [entry.id, entry]));
    expect(byId.get('22985')?.names.map(({ weak }) => weak)).toEqual([false, false, true]);
    expect(byId.get('22985')?.identifiers.map(({ number }) => number)).toEqual([
      'TA3941uFAvmVibSkQ6fMJXxmaSNovX86mz',
      'KYCBKPPY',
    ]);
    expect(byId.get('2674')?.identifiers).toEqual([]);
    expect(byId.get('4238')).toMatchObject({ type: 'vessel', nationalities: ['CU'] });
    expect(byId.get('9758')).toMatchObject({
      type: 'person',
      births: [{ from: '1955-12-26', to: '1955-12-26', about: false }],
      nationalities: ['IN', 'PK'],
      places: ['PK', 'IN'],
      identifiers: [{ class: 'passport', label: 'Passport', number: 'M-110522', country: 'IN' }],
    });
  });
});

describe.skipIf(listsMissing !== null)('the list of OFAC in CSV', () => {
  const sets = [
    ['ofac_sdn', 'sdn.csv', 'alt.csv', 'add.csv', 'sdn_comments.csv'],
    ['ofac_consolidated', 'cons_prim.csv', 'cons_alt.csv', 'cons_add.csv', 'cons_comments.csv'],
    [
      'ofac_sdn',
      'full-2019-sdn.csv',
      'full-2019-alt.csv',
      'full-2019-add.csv',
      'full-2019-sdn_comments.csv',
    ],
  ] as const;

  it.each(sets)(
    'is read row by row: %s of %s',
    async (kind, main, aliases, addresses, comments) => {
      const { entries } = await readWhole(kind, ofacCsv(main, aliases, addresses, comments));
      const rows = cellsOf(textOf(`ofac-csv/${main}`));
      const others = Map.groupBy(cellsOf(textOf(`ofac-csv/${aliases}`)), ([id]) => id);
      expect(entries.map(({ id }) => id)).toEqual(rows.map(([id]) => id));
      const longer = new Map(
        cellsOf(textOf(`ofac-csv/${comments}`)).map(([id, text]) => [id, text]),
      );
      for (const [at, [id, name = '', type = '', , , , , , , , , remarks = '']] of rows.entries()) {
        const entry = entries[at];
        const whole = `${remarks}${longer.get(id) ?? ''}`;
        const weak = [...whole.matchAll(/[af]\.k\.a\. '(.*?)'(?:;|\.?$)/g)].map(
          ([, one = '']) => one,
        );
        const names = [name, ...(others.get(id) ?? []).map((row) => absent(row[3])), ...weak];
        expect(
          entry?.names.map(({ text }) => text),
          id,
        ).toEqual(unique(names.map((one) => spoken(one, type))));
        const births = [...whole.matchAll(/(?:^|; )(?:alt\. )?DOB ([^;.]*)/g)].map(
          ([, one]) => one,
        );
        expect(entry?.births.length, births.join()).toBe(new Set(births).size);
      }
    },
  );

  it('takes remarks apart', async () => {
    const { entries } = await readWhole(
      'ofac_sdn',
      ofacCsv('sdn.csv', 'alt.csv', 'add.csv', 'sdn_comments.csv'),
    );
    const [logan, hesa] = entries;
    expect(logan).toMatchObject({
      type: 'person',
      names: [
        { text: 'Elvis Angus LOGAN MOREY', role: 'primary', weak: false },
        { text: 'BURTON BURGESS', role: 'alias', weak: true },
      ],
      births: [{ from: '1963-07-28', to: '1963-07-28', about: false }],
      places: ['BZ'],
    });
    expect(logan?.identifiers).toEqual([
      { class: 'passport', label: 'Passport', number: 'P0017003', country: 'BZ' },
      { class: 'national', label: 'SSN', number: '561-77-9011', country: 'US' },
    ]);
    expect(hesa?.programmes).toEqual(['NPWMD', 'IFSR', 'IRAN-CON-ARMS-EO']);
    expect(hesa?.names.filter(({ weak }) => weak)).toHaveLength(9);
    expect(hesa?.places).toEqual(['IR']);
  });
});
