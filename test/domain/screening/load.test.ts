import { beforeEach, describe, expect, it } from 'vitest';
import { loadList } from '../../../src/domain/screening/load.ts';
import { readStandings } from '../../../src/domain/screening/standing.ts';
import { useCalls } from '../../support/calls.ts';
import { loadOwn, manyPeople, ownList } from './support.ts';

const parts = useCalls();
beforeEach(() => parts.database.reset());

async function sql<R extends object>(text: string): Promise<R[]> {
  return (await parts.database.pool.query(text)).rows as R[];
}

const standing = async () =>
  (await readStandings(parts.services.pool, ['own'], 36_500)).map(
    ({ state, sequence, problem }) => ({
      state,
      sequence,
      problem,
    }),
  )[0];

const erika = 'B-1,person,Erika Mustermann,Erika Gabler,1964-08-12,DE,T22000129,Fraud';
const hans = 'B-2,person,Hans Meier,,,CH,,Fraud';

/** Every id that a posting names is that of a name, and each name is found under some key. */
async function requireSoundPostings() {
  const wrong = await sql(
    `SELECT p.key FROM watchlist_posting p WHERE p.uses <> cardinality(p.names)
       OR EXISTS (SELECT FROM unnest(p.names) n WHERE n NOT IN (SELECT id FROM watchlist_name))
     UNION ALL
     SELECT n.name FROM watchlist_name n WHERE NOT EXISTS (SELECT FROM watchlist_posting p WHERE n.id = ANY (p.names))`,
  );
  expect(wrong).toEqual([]);
}

describe('a list', () => {
  it('is never, current, stale and failed', async () => {
    expect(await standing()).toEqual({ state: 'never', sequence: null, problem: null });
    await loadOwn(parts.services, ownList(erika, hans));
    expect(await standing()).toEqual({ state: 'current', sequence: 1, problem: null });
    const [old] = await readStandings(parts.services.pool, ['own'], 1);
    expect(old?.state).toBe('stale');
    await expect(loadOwn(parts.services, ownList())).rejects.toThrow('no entry');
    expect(await standing()).toEqual({
      state: 'failed',
      sequence: 1,
      problem: 'no_entries: The file has no entry.',
    });
    await loadOwn(parts.services, ownList(erika, hans));
    expect(await standing()).toEqual({ state: 'current', sequence: 1, problem: null });
  });

  it('that was never loaded and is refused has failed', async () => {
    await expect(loadOwn(parts.services, '<html>')).rejects.toMatchObject({
      code: 'unknown_format',
    });
    expect(await standing()).toMatchObject({ state: 'failed', sequence: null });
    expect(await sql('SELECT FROM watchlist_entry')).toEqual([]);
  });

  it('costs its difference: what is the same stays, what changed ends and begins', async () => {
    await loadOwn(parts.services, ownList(erika, hans, ...manyPeople(20)));
    const changed = hans.replace('CH', 'AT');
    const next = ownList(erika, changed, ...manyPeople(19), 'B-3,business,Schrott GmbH,,,,,');
    const loaded = await loadOwn(parts.services, next, { givenDate: '2026-08-22' });
    expect(loaded).toMatchObject({
      outcome: 'loaded',
      sequence: 2,
      added: 2,
      ended: 1,
      entries: 22,
    });
    const entries = await sql(
      `SELECT ref, first_version, last_version, content -> 'nationalities' ->> 0 AS country FROM watchlist_entry
       WHERE ref IN ('B-1', 'B-2', 'B-3', 'P-19') ORDER BY ref, first_version`,
    );
    expect(entries).toEqual([
      { ref: 'B-1', first_version: 1, last_version: null, country: 'DE' },
      { ref: 'B-2', first_version: 1, last_version: 1, country: 'CH' },
      { ref: 'B-2', first_version: 2, last_version: null, country: 'AT' },
      { ref: 'B-3', first_version: 2, last_version: null, country: null },
      { ref: 'P-19', first_version: 1, last_version: 1, country: null },
    ]);
    expect(await sql(`SELECT status FROM watchlist_version ORDER BY id`)).toEqual([
      { status: 'replaced' },
      { status: 'current' },
    ]);
    await requireSoundPostings();
  });

  it('with the same bytes and day is loaded once', async () => {
    const text = ownList(erika, hans);
    const first = await loadOwn(parts.services, text);
    const again = await loadOwn(parts.services, text);
    expect([first.outcome, again.outcome, again.sequence]).toEqual(['loaded', 'same', 1]);
    expect(await sql('SELECT FROM watchlist_entry')).toHaveLength(2);
  });
});

describe('a version is refused, and the one before stays in use', () => {
  beforeEach(async () => {
    await loadOwn(parts.services, ownList(erika, hans, ...manyPeople(40)));
  });

  it.each([
    ['shrunk', ownList(erika, ...manyPeople(30)), {}],
    ['no_entries', ownList(), {}],
    ['repeated_id', ownList(erika, erika), {}],
    ['older', ownList(erika, hans, ...manyPeople(40)), { givenDate: '2026-08-20' }],
    ['bad_date', ownList(erika), { givenDate: '2999-01-01' }],
  ])('%s', async (code, text, given) => {
    await expect(loadOwn(parts.services, text, given)).rejects.toMatchObject({ code });
    expect(await standing()).toMatchObject({ state: 'failed', sequence: 1 });
    const current = await sql(`SELECT FROM watchlist_entry WHERE last_version IS NULL`);
    expect(current).toHaveLength(42);
    expect(
      await sql(`SELECT problem_code FROM watchlist_version WHERE status = 'refused'`),
    ).toEqual([{ problem_code: code }]);
    await requireSoundPostings();
  });

  it('unless somebody says why it has fewer', async () => {
    const text = ownList(erika, ...manyPeople(10));
    const acceptedBecause = 'The programme of Syria has ended.';
    await loadOwn(parts.services, text, { acceptedBecause });
    expect(await standing()).toEqual({ state: 'current', sequence: 2, problem: null });
    expect(
      await sql(`SELECT accepted_because FROM watchlist_version WHERE status = 'current'`),
    ).toEqual([{ accepted_because: acceptedBecause }]);
    await requireSoundPostings();
  });

  it('and a list with many names less, though it has as many entries', async () => {
    const alias = ownList(
      ...manyPeople(40).map((row) => row.replace(',,,,,', ',Al Ias;Ali As,,,,')),
    );
    await loadOwn(parts.services, alias, { acceptedBecause: 'another list' });
    await expect(
      loadOwn(parts.services, ownList(...manyPeople(40)), { givenDate: '2026-08-22' }),
    ).rejects.toThrow('names');
  });
});

it('two loads at once make two versions, one after the other', async () => {
  const lists = [1, 2, 3].map((many) => ownList(erika, hans, ...manyPeople(many)));
  const loads = await Promise.all(
    lists.map((text) => loadOwn(parts.services, text, { acceptedBecause: 'a race' })),
  );
  expect(loads.map(({ sequence }) => sequence).toSorted((one, other) => one - other)).toEqual([
    1, 2, 3,
  ]);
  expect(await sql(`SELECT FROM watchlist_version WHERE status = 'current'`)).toHaveLength(1);
  await requireSoundPostings();
});

/** Rows of a list; before the row of that number `meanwhile` is awaited. */
async function* rowsWith(
  count: number,
  place: number,
  meanwhile: () => Promise<unknown>,
): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`${ownList()}\n`);
  for (const [at, row] of manyPeople(count).entries()) {
    if (at === place) await meanwhile();
    yield Buffer.from(`${row}\n`);
  }
}

const loadRows = (main: AsyncGenerator<Uint8Array>) =>
  loadList(parts.services, {
    kind: 'own',
    files: { main },
    givenDate: '2026-08-22',
    loadedBy: 'test',
    acceptedBecause: null,
  });

describe('a load that ends on the way', () => {
  beforeEach(async () => {
    await loadOwn(parts.services, ownList(erika, hans));
  });

  async function requireUnchanged(): Promise<void> {
    const current = await sql(
      `SELECT ref FROM watchlist_entry WHERE last_version IS NULL ORDER BY ref`,
    );
    expect(current).toEqual([{ ref: 'B-1' }, { ref: 'B-2' }]);
    expect(await sql(`SELECT sequence FROM watchlist_version WHERE status = 'current'`)).toEqual([
      { sequence: 1 },
    ]);
    await requireSoundPostings();
  }

  it.each([0, 1, 499, 501, 1_200, 1_499])(
    'leaves nothing: its source, at row %i',
    async (place) => {
      const fails = () => Promise.reject(new Error('the disk is gone'));
      await expect(loadRows(rowsWith(1_500, place, fails))).rejects.toThrow('the disk is gone');
      expect(await standing()).toMatchObject({ state: 'failed', sequence: 1 });
      await requireUnchanged();
    },
  );

  it.each([0, 501, 1_200])('leaves nothing: its session is killed at row %i', async (place) => {
    const kill = () =>
      sql(
        `SELECT pg_terminate_backend(pid) FROM pg_locks
         WHERE locktype = 'advisory' AND granted AND pid <> pg_backend_pid()
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      );
    await expect(loadRows(rowsWith(1_500, place, kill))).rejects.toThrow();
    await requireUnchanged();
    const again = await loadRows(rowsWith(1_500, -1, () => Promise.resolve()));
    expect(again).toMatchObject({ sequence: 2, added: 1_500, ended: 2 });
    await requireSoundPostings();
  });

  it('counts as failed when its process died', async () => {
    await sql(`INSERT INTO watchlist_version (kind, loaded_by) VALUES ('own', 'nobody')`);
    expect(await standing()).toMatchObject({ state: 'current' });
    await sql(
      `UPDATE watchlist_version SET started_at = now() - interval '61 minutes' WHERE status = 'loading'`,
    );
    expect(await standing()).toEqual({
      state: 'failed',
      sequence: 1,
      problem: 'the load did not end',
    });
  });
});
