import { isCountry } from '../../reference/countries.ts';
import { readCsv, readTable } from './csv.ts';
import { distinctIntervals, fromIso, interval, type Interval } from './dates.ts';
import {
  distinct,
  distinctNames,
  type Bytes,
  type EntryType,
  type ListEntry,
  type ListItem,
} from './entry.ts';
import { ListProblem } from './problem.ts';

const columns = [
  'id',
  'type',
  'name',
  'aliases',
  'birth_dates',
  'countries',
  'identifiers',
  'reason',
] as const;

const types: Readonly<Record<string, EntryType>> = {
  person: 'person',
  business: 'organisation',
  organisation: 'organisation',
};

type Cell = (column: (typeof columns)[number]) => string;

/** Several values of one cell are separated by semicolons. */
const several = (text: string): string[] => distinct(text.split(';').map((one) => one.trim()));

/** `1960-12-24`, `1960-12` or `1960`. */
function birthOf(text: string): Interval | null {
  const [, year, month] = /^(\d{4})(?:-(\d{2}))?$/.exec(text) ?? [];
  if (year === undefined) return fromIso(text);
  return interval(Number(year), month === undefined ? null : Number(month), null);
}

/** A person wrote this list and can correct it: what cannot be read is refused. */
function requireAll<T>(values: readonly (T | null)[], line: number, what: string): T[] {
  return values.map((value) => {
    if (value !== null) return value;
    throw new ListProblem('bad_value', `Line ${line}: ${what} cannot be read.`);
  });
}

function entryOf(line: number, cell: Cell): ListEntry {
  const type = types[cell('type').toLowerCase()];
  if (type === undefined) {
    throw new ListProblem('unknown_type', `Line ${line}: the type is person or business.`);
  }
  const births = requireAll(several(cell('birth_dates')).map(birthOf), line, 'a birth date');
  const codes = several(cell('countries')).map((code) => (isCountry(code) ? code : null));
  return {
    id: cell('id'),
    type,
    names: distinctNames([
      { text: cell('name'), role: 'primary', weak: false },
      ...several(cell('aliases')).map((text) => ({ text, role: 'alias' as const, weak: false })),
    ]),
    births: distinctIntervals(births),
    nationalities: requireAll(codes, line, 'a country code of two letters'),
    places: [],
    identifiers: several(cell('identifiers')).map((number) => ({
      class: 'other',
      label: 'Identifier',
      number,
      country: null,
    })),
    programmes: distinct([cell('reason')]),
  };
}

/**
 * Reads a list of one's own: a CSV with the columns `id`, `type` and `name`, and as wanted `aliases`, `birth_dates`,
 * `countries`, `identifiers` and `reason`. It states no date.
 */
export async function* readOwnCsv(bytes: Bytes): AsyncGenerator<ListItem> {
  yield { type: 'head', date: null, stated: null };
  const rows = readTable(readCsv(bytes), { needed: ['id', 'type', 'name'], known: columns });
  for await (const { line, cell } of rows) {
    yield { type: 'entry', entry: entryOf(line, cell) };
  }
}
