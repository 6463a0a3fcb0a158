import { createReadStream } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { userInfo } from 'node:os';
import { loadList, type Loaded } from '../domain/screening/load.ts';
import { withDatabase } from '../process/command.ts';
import { loadConfig } from '../process/config.ts';
import { closeServices, createServices } from '../process/services.ts';
import { listKinds, type ListFiles, type ListKind } from '../screening/lists/entry.ts';
import { ListProblem } from '../screening/lists/problem.ts';
import type { Arguments } from './arguments.ts';
import { UsageError } from './statement.ts';

export const loadWatchlistCommand = 'load-watchlist';

const kindNames = listKinds.map((kind) => kind.replaceAll('_', '-'));

const usage = `Usage: npm run ops -- ${loadWatchlistCommand} <kind> <file> [--date <day>] [--accept-fewer <reason>]
  Loads a version of a list of sanctions, whole or not at all. Kinds: ${kindNames.join(', ')}.
  The CSV of OFAC is given by its list (sdn.csv, cons_prim.csv); its other files lie beside it. A list that states no
  date needs --date 2026-08-21. --accept-fewer takes a version that is much smaller than the one before.
  The exit status is 1 for a list that is refused: what was in use stays in use. The command needs the settings
  of the service.`;

/** What a person is told of a list that was refused; null for another error. */
export const explainWatchlist = (error: unknown): string | null =>
  error instanceof ListProblem ? `${error.code}: ${error.message}` : null;

function kindOf(name: string): ListKind {
  const kind = listKinds[kindNames.indexOf(name.replaceAll('_', '-'))];
  if (kind === undefined) throw new UsageError(`There is no list ${name}.\n${usage}`);
  return kind;
}

/** How the files beside OFAC's list are named: after the word for the list, which they replace. */
const siblings = { aliases: 'alt', addresses: 'add' } as const;

/** `sdn.csv` → `alt.csv`, `cons_prim.csv` → `cons_alt.csv`, whatever the case of their letters. */
async function besides(path: string): Promise<Omit<ListFiles, 'main'>> {
  const found = /^(.*?)(sdn|prim)\.csv$/i.exec(basename(path));
  if (found === null) return {};
  const [, before = '', word = ''] = found;
  const names = await readdir(dirname(path));
  const open = (wanted: string) => {
    const name = names.find((one) => one.toLowerCase() === wanted.toLowerCase());
    return name === undefined ? undefined : createReadStream(join(dirname(path), name));
  };
  const comments =
    word.toLowerCase() === 'sdn' ? `${before}sdn_comments.csv` : `${before}comments.csv`;
  const streams = {
    aliases: open(`${before}${siblings.aliases}.csv`),
    addresses: open(`${before}${siblings.addresses}.csv`),
    comments: open(comments),
  };
  return Object.fromEntries(Object.entries(streams).filter(([, stream]) => stream !== undefined));
}

function dateOf(given: Arguments): string | null {
  const date = given.named.get('date') ?? null;
  if (date !== null && !/^\d{4}-\d{2}-\d{2}$/.test(date)) {
    throw new UsageError('--date is a day such as 2026-08-21');
  }
  return date;
}

function reasonOf(given: Arguments): string | null {
  const reason = given.named.get('accept_fewer') ?? null;
  if (reason === 'true' || reason?.trim() === '') {
    throw new UsageError('--accept-fewer needs a reason, which is kept with the version');
  }
  return reason;
}

function wordsOf(
  kind: ListKind,
  { outcome, date, entries, names, added, ended, sequence }: Loaded,
) {
  if (outcome === 'same') return `${kind}: the version of ${date} is loaded already`;
  return `${kind}: version ${sequence} of ${date} has ${entries} entries with ${names} names; ${added} are new or changed, ${ended} are gone`;
}

/**
 * Loads a list and prints what it has.
 *
 * @throws UsageError without a kind and a file, ListProblem for a list that is refused, and the errors of the file system
 */
export async function loadWatchlist(given: Arguments, out: NodeJS.WritableStream): Promise<void> {
  const [name, path, ...others] = given.positional;
  if (given.help) {
    out.write(`${usage}\n`);
    return;
  }
  if (name === undefined || path === undefined || others.length > 0) {
    throw new UsageError(`${loadWatchlistCommand} takes a kind and a file\n${usage}`);
  }
  const [kind, givenDate, acceptedBecause] = [kindOf(name), dateOf(given), reasonOf(given)];
  // Opened before anything else, so that a file that is not there is named and nothing is recorded.
  const file = await open(path);
  const services = createServices(await withDatabase(loadConfig()), 'worker');
  try {
    const files: ListFiles = { main: file.createReadStream(), ...(await besides(path)) };
    const loadedBy = userInfo().username;
    const loaded = await loadList(services, { kind, files, givenDate, loadedBy, acceptedBecause });
    out.write(`${wordsOf(kind, loaded)}\n`);
  } finally {
    await closeServices(services);
    await file.close();
  }
}
