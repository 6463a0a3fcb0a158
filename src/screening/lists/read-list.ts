import { withFirst } from './first-bytes.ts';
import type { Bytes, ListEntry, ListFiles, ListItem, ListKind } from './entry.ts';
import { readEu } from './eu.ts';
import { readOfacCsv } from './ofac-csv.ts';
import { readOfacXml } from './ofac-xml.ts';
import { readOwnCsv } from './own-csv.ts';
import { ListProblem } from './problem.ts';
import { readUkCsv } from './uk-csv.ts';
import { readUkXml } from './uk-xml.ts';
import { readUn } from './un.ts';

/** What a whole list says of itself. */
export interface ListSummary {
  /** The day of the list, `YYYY-MM-DD`. */
  readonly date: string;
  readonly entries: number;
  readonly names: number;
  /** Entries that neither freeze assets nor forbid payments. */
  readonly passed: number;
}

type Format = 'xml' | 'csv';
type Reader = (files: ListFiles) => AsyncGenerator<ListItem>;

/** The formats in which each list is read. */
const readers: Readonly<Record<ListKind, Readonly<Partial<Record<Format, Reader>>>>> = {
  ofac_sdn: { xml: ({ main }) => readOfacXml(main), csv: readOfacCsv },
  ofac_consolidated: { xml: ({ main }) => readOfacXml(main), csv: readOfacCsv },
  eu: { xml: ({ main }) => readEu(main) },
  un: { xml: ({ main }) => readUn(main) },
  uk: { xml: ({ main }) => readUkXml(main), csv: ({ main }) => readUkCsv(main) },
  own: { csv: ({ main }) => readOwnCsv(main) },
};

/** XML begins with `<`, behind a byte order mark and white space. */
async function formatOf(bytes: Bytes): Promise<{ format: Format; main: Bytes }> {
  const { first, all } = await withFirst(bytes, 64);
  const text = Buffer.from(first).toString('latin1').replace(/^ï»¿/, '').trimStart();
  if (text === '') throw new ListProblem('empty_file', 'The file has no content.');
  return { format: text.startsWith('<') ? 'xml' : 'csv', main: all };
}

const mostNames = 2_000;
const mostEntries = 1_000_000;
const longestId = 100;
const longestName = 2_000;
const namesSomebody = /[\p{L}\p{N}]/u;

/** Counts and judges the entries of a list one by one. */
class Checked {
  readonly #ids = new Set<string>();
  readonly #primary = new Map<string, number>();
  #entries = 0;
  #names = 0;
  #passed = 0;

  #add(id: string): void {
    if (id === '' || id.length > longestId) {
      throw new ListProblem('missing_id', `Entry ${this.#ids.size + 1} has no id.`);
    }
    if (this.#ids.has(id)) throw new ListProblem('repeated_id', `The id ${id} is there twice.`);
    this.#ids.add(id);
    if (this.#ids.size > mostEntries) {
      throw new ListProblem('too_many_parts', `There are more than ${mostEntries} entries.`);
    }
  }

  pass(id: string): void {
    this.#add(id);
    this.#passed += 1;
  }

  take({ id, names }: ListEntry): void {
    this.#add(id);
    const [first] = names;
    if (first === undefined || names.some(({ text }) => !namesSomebody.test(text))) {
      throw new ListProblem('missing_name', `The entry ${id} has no name, or an empty one.`);
    }
    if (names.length > mostNames || names.some(({ text }) => text.length > longestName)) {
      throw new ListProblem('too_long', `The entry ${id} has too many names, or too long ones.`);
    }
    this.#entries += 1;
    this.#names += names.length;
    this.#primary.set(first.text, (this.#primary.get(first.text) ?? 0) + 1);
  }

  end(kind: ListKind, date: string, stated: number | null): ListSummary {
    if (this.#entries === 0) throw new ListProblem('no_entries', 'The file has no entry.');
    const read = this.#entries + this.#passed;
    if (stated !== null && read < stated) {
      throw new ListProblem('entries_missing', `${stated} entries are stated, ${read} are there.`);
    }
    const most = Math.max(...this.#primary.values());
    if (read >= 4 && most > read / 2) {
      throw new ListProblem('same_names', `${most} of ${read} entries have the same name.`);
    }
    if (kind !== 'own' && read >= 200 && this.#names === this.#entries) {
      throw new ListProblem('missing_name', `None of ${read} entries has an alias.`);
    }
    return { date, entries: this.#entries, names: this.#names, passed: this.#passed };
  }
}

function requireDate(stated: string | null, given: string | null, today: string): string {
  const date = stated ?? given;
  if (date === null) {
    throw new ListProblem('missing_date', 'The list does not state its date, and none is given.');
  }
  // Publishers live up to 14 hours ahead.
  const latest = new Date(Date.parse(today) + 86_400_000).toISOString().slice(0, 10);
  if (!(date >= '1990-01-01' && date <= latest)) {
    throw new ListProblem('bad_date', `The list is of ${date}.`);
  }
  return date;
}

/** What else is known of a file when it is read. */
export interface ListContext {
  /** The day of a list that states none, `YYYY-MM-DD`. */
  readonly givenDate: string | null;
  readonly today: string;
}

/**
 * Reads a list from the beginning to the end, entry by entry, in little memory. What was yielded before a problem
 * counts for nothing: a list is good when the generator returns.
 *
 * @throws ListProblem for a file that is not the whole list that it must be
 */
export async function* readList(
  kind: ListKind,
  files: ListFiles,
  { givenDate, today }: ListContext,
): AsyncGenerator<ListEntry, ListSummary> {
  const { format, main } = await formatOf(files.main);
  const reader = readers[kind][format];
  if (reader === undefined) {
    throw new ListProblem('unknown_format', `The list ${kind} is not read as ${format}.`);
  }
  const checked = new Checked();
  let head: { readonly date: string | null; readonly stated: number | null } | undefined;
  for await (const item of reader({ ...files, main })) {
    if (item.type === 'head') head ??= item;
    else if (item.type === 'passed') checked.pass(item.id);
    else {
      checked.take(item.entry);
      yield item.entry;
    }
  }
  const date = requireDate(head?.date ?? null, statesDate(kind, format) ? null : givenDate, today);
  return checked.end(kind, date, head?.stated ?? null);
}

/** A given date never stands in for one that the file should have stated. */
const statesDate = (kind: ListKind, format: Format): boolean => format === 'xml' || kind === 'uk';
