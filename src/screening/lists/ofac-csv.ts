import { countryByName } from '../../reference/country-names.ts';
import { readCsv } from './csv.ts';
import { distinctIntervals } from './dates.ts';
import {
  distinct,
  distinctNames,
  type Bytes,
  type EntryType,
  type ListEntry,
  type ListFiles,
  type ListItem,
  type ListedName,
} from './entry.ts';
import { readRemarks } from './ofac-remarks.ts';
import { ListProblem } from './problem.ts';

/** Columns of each file. None has a row of headings. */
const columns = { main: 12, addresses: 6, aliases: 5, comments: 2 } as const;
type Part = keyof typeof columns;

/** An organisation has no type: the row has the mark of an absent value. */
const types: Readonly<Record<string, EntryType>> = {
  individual: 'person',
  vessel: 'vessel',
  aircraft: 'aircraft',
  '': 'organisation',
};

/** An absent value is `-0-`, in real files with a blank behind it. */
const cellOf = (text: string | undefined): string => {
  const cell = (text ?? '').trim();
  return cell === '-0-' ? '' : cell;
};

async function* rowsOf(bytes: Bytes, part: Part) {
  for await (const { line, cells } of readCsv(bytes)) {
    if (cells.length !== columns[part]) {
      throw new ListProblem(
        'bad_record',
        `Line ${line} of the ${part} has ${cells.length} cells instead of ${columns[part]}.`,
      );
    }
    yield { line, cells: cells.map(cellOf) };
  }
}

/** Rows of another file by the number of their entry. */
async function gather(bytes: Bytes | undefined, part: Part): Promise<Map<string, string[][]>> {
  if (bytes === undefined) {
    throw new ListProblem('missing_part', `The file of the ${part} is missing.`);
  }
  const found = new Map<string, string[][]>();
  for await (const { line, cells } of rowsOf(bytes, part)) {
    const [id = ''] = cells;
    if (!/^\d+$/.test(id)) {
      throw new ListProblem('bad_record', `Line ${line} of the ${part} begins with no number.`);
    }
    const known = found.get(id);
    if (known === undefined) found.set(id, [cells]);
    else known.push(cells);
  }
  return found;
}

/** Persons are `FAMILY NAME, Given names`: the words are turned around. */
function spoken(name: string, type: EntryType): string {
  if (type !== 'person') return name;
  const at = name.indexOf(',');
  return at < 0 ? name : `${name.slice(at + 1).trim()} ${name.slice(0, at).trim()}`;
}

interface Parts {
  readonly aliases: ReadonlyMap<string, string[][]>;
  readonly addresses: ReadonlyMap<string, string[][]>;
  readonly comments: ReadonlyMap<string, string[][]>;
}

/** `NPWMD] [IFSR`: several programmes are in one cell. */
const programmesOf = (cell: string): string[] => distinct(cell.split(/[[\]\s]+/));

function entryOf(cells: readonly string[], type: EntryType, parts: Parts): ListEntry {
  const [id = '', name = '', , programmes = '', , callSign = ''] = cells;
  const further = (parts.comments.get(id) ?? []).map(([, text]) => text ?? '');
  const remarks = readRemarks([cells[11] ?? '', ...further].join(''));
  const aliases = (parts.aliases.get(id) ?? []).map(([, , kind, text = '']): ListedName => ({
    text: spoken(text, type),
    role: kind === 'fka' ? 'former' : 'alias',
    weak: false,
  }));
  const weak = remarks.names.map((one) => ({ ...one, text: spoken(one.text, type) }));
  const flag = countryByName(cells[9] ?? '');
  return {
    id,
    type,
    names: distinctNames(
      [{ text: spoken(name, type), role: 'primary' as const, weak: false }, ...aliases, ...weak]
        // A name that is missing is found missing; an alias that is empty says nothing.
        .filter(({ text }, index) => index === 0 || text !== ''),
    ),
    births: distinctIntervals(remarks.births),
    nationalities: distinct([...remarks.nationalities, flag]),
    places: distinct([
      ...(parts.addresses.get(id) ?? []).map((row) => countryByName(row[4] ?? '')),
      ...remarks.places,
    ]),
    identifiers: [
      ...remarks.identifiers,
      ...(callSign === ''
        ? []
        : [{ class: 'vessel' as const, label: 'Call sign', number: callSign, country: null }]),
    ],
    programmes: programmesOf(programmes),
  };
}

/** More than this share of entries without the list itself: it was cut, since even copies from different years have less. */
const mostForeign = 0.7;

function requireTogether(ids: ReadonlySet<string>, part: Part, rows: Parts[keyof Parts]): void {
  const foreign = [...rows.keys()].filter((id) => !ids.has(id)).length;
  if (foreign <= rows.size * mostForeign) return;
  throw new ListProblem(
    'parts_disagree',
    `${foreign} of ${rows.size} entries of the ${part} are not in the list.`,
  );
}

/** Reads the CSV of OFAC, which states no date: `main` with its aliases, addresses and comments. */
export async function* readOfacCsv(files: ListFiles): AsyncGenerator<ListItem> {
  const parts: Parts = {
    aliases: await gather(files.aliases, 'aliases'),
    addresses: await gather(files.addresses, 'addresses'),
    comments: await gather(files.comments, 'comments'),
  };
  yield { type: 'head', date: null, stated: null };
  const ids = new Set<string>();
  for await (const { line, cells } of rowsOf(files.main, 'main')) {
    const type = types[cells[2] ?? ''];
    if (type === undefined) {
      throw new ListProblem('unknown_type', `Line ${line} is about "${cells[2] ?? ''}".`);
    }
    ids.add(cells[0] ?? '');
    yield { type: 'entry', entry: entryOf(cells, type, parts) };
  }
  requireTogether(ids, 'aliases', parts.aliases);
  requireTogether(ids, 'addresses', parts.addresses);
}
