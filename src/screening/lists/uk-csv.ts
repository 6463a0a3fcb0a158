import { countryByName } from '../../reference/country-names.ts';
import { distinctIntervals, fromBritish, fromOfac } from './dates.ts';
import { readCsv, readTable, type CsvRow } from './csv.ts';
import {
  distinct,
  distinctNames,
  type Bytes,
  type EntryType,
  type IdentifierClass,
  type ListEntry,
  type ListItem,
  type ListedIdentifier,
  type ListedName,
} from './entry.ts';
import { ListProblem } from './problem.ts';
import { primaryFirst, ukCounts, ukName, ukRole, ukType } from './uk-entry.ts';

const needed = [
  'Unique ID',
  'Name 6',
  'Name 1',
  'Name 2',
  'Name 3',
  'Name 4',
  'Name 5',
  'Name type',
  'Alias strength',
  'Name non-latin script',
  'Regime Name',
  'Designation Type',
  'Sanctions Imposed',
  'Address Country',
  'D.O.B',
  'Nationality(/ies)',
] as const;

type Row = { readonly line: number; readonly cell: (column: string) => string };

/** The rows of one designation: one for each combination of a name with an address, a birth date and so on. */
interface Gathered {
  readonly type: EntryType;
  readonly counts: boolean;
  readonly rows: Row[];
}

const identifierColumns: readonly (readonly [string, IdentifierClass])[] = [
  ['Passport number', 'passport'],
  ['National Identifier number', 'national'],
  ['Business registration number (s)', 'registration'],
  ['IMO number', 'vessel'],
];

function namesOf(rows: readonly Row[]): ListedName[] {
  const names = rows.flatMap(({ cell }): ListedName[] => [
    {
      text: ukName(
        [1, 2, 3, 4, 5].map((part) => cell(`Name ${part}`)),
        cell('Name 6'),
      ),
      ...ukRole(cell('Name type'), cell('Alias strength')),
    },
    { text: cell('Name non-latin script'), role: 'alias', weak: false },
  ]);
  return distinctNames(primaryFirst(names.filter(({ text }) => text !== '')));
}

function identifiersOf(rows: readonly Row[]): ListedIdentifier[] {
  return identifierColumns.flatMap(([label, kind]) =>
    distinct(rows.map(({ cell }) => cell(label))).map((number) => ({
      class: kind,
      label,
      number,
      country: null,
    })),
  );
}

function entryOf(id: string, { type, rows }: Gathered): ListEntry {
  const cells = (column: string) => distinct(rows.map(({ cell }) => cell(column)));
  const countries = (column: string) =>
    distinct(cells(column).flatMap((text) => text.split(/[|;]/).map(countryByName)));
  return {
    id,
    type,
    names: namesOf(rows),
    births: distinctIntervals(cells('D.O.B').map((text) => fromBritish(text) ?? fromOfac(text))),
    nationalities: countries('Nationality(/ies)'),
    places: distinct([...countries('Address Country'), ...countries('Country of birth')]),
    identifiers: identifiersOf(rows),
    programmes: cells('Regime Name'),
  };
}

/** `Report Date: 13-Feb-2026` stands alone in the first line. */
function bannerDate({ cells }: CsvRow): string | null {
  const found = /^Report Date:\s*(\d{1,2})-([A-Za-z]{3})-(\d{4})$/.exec(cells[0]?.trim() ?? '');
  return found === null ? null : (fromOfac(found.slice(1).join(' '))?.from ?? null);
}

async function* below(rows: AsyncGenerator<CsvRow>): AsyncGenerator<CsvRow> {
  yield* rows;
}

/** Reads the CSV of the UK Sanctions List, which has a banner above the headings and several rows for a designation. */
export async function* readUkCsv(bytes: Bytes): AsyncGenerator<ListItem> {
  const rows = readCsv(bytes);
  const first = await rows.next();
  if (first.done === true) throw new ListProblem('empty_file', 'The file has no content.');
  yield { type: 'head', date: bannerDate(first.value), stated: null };
  const gathered = new Map<string, Gathered>();
  for await (const row of readTable(below(rows), { needed, known: null })) {
    const id = row.cell('Unique ID');
    const known = gathered.get(id);
    if (known === undefined) gathered.set(id, gatheredFrom(row));
    else known.rows.push(row);
  }
  for (const [id, one] of gathered) {
    yield one.counts ? { type: 'entry', entry: entryOf(id, one) } : { type: 'passed', id };
  }
}

const gatheredFrom = (row: Row): Gathered => ({
  type: ukType(row.cell('Designation Type'), `line ${row.line}`),
  counts: ukCounts(row.cell('Sanctions Imposed')),
  rows: [row],
});
