import { createHash } from 'node:crypto';
import type { PoolClient } from 'pg';
import { inTransaction } from '../../db/pool.ts';
import type { Bytes, ListFiles, ListKind } from '../../screening/lists/entry.ts';
import { ListProblem } from '../../screening/lists/problem.ts';
import { readList, type ListSummary } from '../../screening/lists/read-list.ts';
import type { Services } from '../../process/services.ts';
import { digestOf, endEntries, insertEntries, type NewEntry } from './entry-store.ts';
import {
  beginLoad,
  currentEntries,
  currentVersion,
  endSameLoad,
  finishLoad,
  lockLists,
  refuseLoad,
  type CurrentVersion,
} from './load-store.ts';

/** What is to be loaded. */
export interface Load {
  readonly kind: ListKind;
  readonly files: ListFiles;
  /** The day of a list that states none, `YYYY-MM-DD`. */
  readonly givenDate: string | null;
  readonly loadedBy: string;
  /** Why a version that is much smaller than the one before is right; null refuses it. */
  readonly acceptedBecause: string | null;
}

export interface Loaded extends ListSummary {
  /** `same` where the version in use has the same bytes. */
  readonly outcome: 'loaded' | 'same';
  readonly sequence: number;
  readonly added: number;
  readonly ended: number;
}

/** Entries that go to the database together. */
const batchSize = 500;

/** Hashes a file while it is read. All files of a list make its digest. */
function hashed(files: ListFiles) {
  const hashes: (() => string)[] = [];
  const wrap = (bytes: Bytes): Bytes => {
    const hash = createHash('sha256');
    hashes.push(() => hash.digest('hex'));
    return (async function* pass() {
      for await (const chunk of bytes) {
        hash.update(chunk);
        yield chunk;
      }
    })();
  };
  const wrapped: ListFiles = {
    main: wrap(files.main),
    ...(files.aliases === undefined ? {} : { aliases: wrap(files.aliases) }),
    ...(files.addresses === undefined ? {} : { addresses: wrap(files.addresses) }),
    ...(files.comments === undefined ? {} : { comments: wrap(files.comments) }),
  };
  return {
    files: wrapped,
    digest: (): string => {
      const [first = '', ...others] = hashes.map((end) => end());
      if (others.length === 0) return first;
      return createHash('sha256')
        .update([first, ...others].join('\n'))
        .digest('hex');
    },
  };
}

interface Written {
  readonly summary: ListSummary;
  readonly added: number;
  readonly ended: number;
}

/** Reads the list and writes what it has new, within one transaction. */
async function writeEntries(
  client: PoolClient,
  { kind, givenDate }: Load,
  files: ListFiles,
  sequence: number,
): Promise<Written> {
  const today = new Date().toISOString().slice(0, 10);
  const before = new Map((await currentEntries(client, kind)).map((one) => [one.ref, one]));
  const changed: string[] = [];
  const reading = readList(kind, files, { givenDate, today });
  let batch: NewEntry[] = [];
  let added = 0;
  // An entry that changes ends before its successor begins: there is one current entry of an id.
  const flush = async (): Promise<void> => {
    await endEntries(client, changed.splice(0), sequence - 1);
    await insertEntries(client, kind, sequence, batch);
    added += batch.length;
    batch = [];
  };
  for (;;) {
    const next = await reading.next();
    if (next.done === true) {
      await flush();
      const gone = [...before.values()].map(({ id }) => id);
      await endEntries(client, gone, sequence - 1);
      return { summary: next.value, added, ended: gone.length };
    }
    const entry = next.value;
    const digest = digestOf(entry);
    const known = before.get(entry.id);
    before.delete(entry.id);
    if (known?.digest === digest) continue;
    if (known !== undefined) changed.push(known.id);
    batch.push({ entry, digest });
    if (batch.length === batchSize) await flush();
  }
}

/** A version that lost many of its entries or names is taken for damaged. */
function requireWhole(
  before: CurrentVersion | null,
  { date, entries, names }: ListSummary,
  { acceptedBecause }: Load,
  shrinkPercent: number,
): void {
  if (before === null) return;
  if (date < before.listedOn) {
    throw new ListProblem('older', `The list is of ${date}; that of ${before.listedOn} is loaded.`);
  }
  if (acceptedBecause !== null) return;
  const share = 1 - shrinkPercent / 100;
  const [what, now, then] =
    entries < before.entries * share
      ? (['entries', entries, before.entries] as const)
      : (['names', names, before.names] as const);
  if (now >= then * share) return;
  throw new ListProblem(
    'shrunk',
    `The list has ${now} ${what}; the loaded one has ${then}. --accept-fewer takes it, with a reason.`,
  );
}

/**
 * Loads a version of a list, whole or not at all: what was in use stays in use until the new version is complete, and
 * after a refusal. A process that dies leaves a load without an end, and nothing else.
 *
 * @throws ListProblem for a list that must not be used, after it is recorded why
 */
export async function loadList({ pool, config, log }: Services, load: Load): Promise<Loaded> {
  const id = await beginLoad(pool, load.kind, load.loadedBy);
  const { files, digest } = hashed(load.files);
  try {
    return await inTransaction(pool, async (client) => {
      await lockLists(client);
      const before = await currentVersion(client, load.kind);
      const sequence = (before?.sequence ?? 0) + 1;
      const { summary, added, ended } = await writeEntries(client, load, files, sequence);
      const sha256 = digest();
      if (before !== null && before.sha256 === sha256 && before.listedOn === summary.date) {
        await endSameLoad(client, id, sha256);
        return { ...summary, outcome: 'same', sequence: before.sequence, added, ended };
      }
      requireWhole(before, summary, load, config.WATCHLIST_SHRINK_PERCENT);
      const because = load.acceptedBecause;
      await finishLoad(client, load.kind, {
        ...summary,
        id,
        sequence,
        sha256,
        added,
        ended,
        because,
      });
      return { ...summary, outcome: 'loaded', sequence, added, ended };
    });
  } catch (error) {
    const problem =
      error instanceof ListProblem
        ? { code: error.code, problem: error.message }
        : { code: 'fault', problem: 'The load failed. The log has the cause.' };
    await refuseLoad(pool, { id, ...problem, sha256: null });
    log.error({ list: load.kind, code: problem.code }, 'a list of sanctions was refused');
    throw error;
  }
}
