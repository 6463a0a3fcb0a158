import { DatabaseError, type Pool } from 'pg';
import { acrossSchema } from './across.ts';
import { lostConnection } from './errors.ts';
import { DatabaseAway } from './line.ts';
import { firstRow, platformStatement, rows, type PlatformStatement } from './pool.ts';

/*
 * On Citus (docs/citus.md) a statement over all tenants reads all nodes, and fails while one of them is down. What looks
 * for work leaves the tenants of that node out then, and goes on for the others. One PostgreSQL has no such nodes: what is
 * here sends it the same statements as `rows`, and one more after a lost connection or a statement that took too long.
 */

/** Nodes that do not answer, by name, and the tenants of all others. */
export interface Reach extends Record<string, unknown> {
  readonly silent: readonly string[];
  readonly tenants: readonly string[];
}

const reachStatement = platformStatement({
  name: 'reach',
  text: 'SELECT r.silent, r.tenants FROM ops.reach() r WHERE r.tenants IS NOT NULL',
});

/** A node that did not answer is asked again after this time. A tenant that is new meanwhile waits as long. */
const askAgainMs = 5_000;

/** PostgreSQL ended a statement that took too long: a node may have vanished while it worked. */
const statementTimeout = '57014';

/** Told of the nodes that do not answer, at each change; none of them when all answer again. */
type Listener = (silent: readonly string[]) => void;

class Reached {
  /** Null while all nodes answer, as far as is known. */
  #last: Reach | null = null;
  #asking: Promise<Reach | null> | null = null;
  #timer: NodeJS.Timeout | undefined;
  listener: Listener = () => undefined;

  silent(): readonly string[] {
    return this.#last?.silent ?? [];
  }

  /** What was found last; null where all nodes answered. */
  last(): Reach | null {
    return this.#last;
  }

  /** Callers at the same time share one question. */
  ask(pool: Pool): Promise<Reach | null> {
    this.#asking ??= this.#ask(pool).finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  async #ask(pool: Pool): Promise<Reach | null> {
    try {
      const found = await firstRow<Reach>(pool, reachStatement, []);
      const before = this.silent().join();
      this.#last = found;
      if (this.silent().join() !== before) this.listener(this.silent());
      return found;
    } finally {
      if (this.#last !== null && !pool.ending) this.#askLater(pool);
    }
  }

  #askLater(pool: Pool): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.ask(pool).catch(() => null), askAgainMs).unref();
  }
}

/** One for each pool, by its options, which a bounded view of a pool shares. */
const known = new WeakMap<Pool['options'], Reached>();

function reachedBy({ options }: Pool): Reached {
  const reached = known.get(options) ?? new Reached();
  known.set(options, reached);
  return reached;
}

/** Calls `listener` whenever other nodes than before do not answer what is asked over `pool`. */
export function onSilence(pool: Pool, listener: Listener): void {
  reachedBy(pool).listener = listener;
}

/** The nodes that did not answer when they were asked last. */
export const silentNodes = (pool: Pool): readonly string[] => reachedBy(pool).silent();

const mayBeNode = (error: unknown): boolean =>
  lostConnection(error) || (error instanceof DatabaseError && error.code === statementTimeout);

/**
 * Does `work` for all tenants, with null; or, where a node does not answer, for those that can be reached. An error has
 * another reason, and is thrown, where all nodes answer. `work` is done once more after an error, so it has to be safe
 * to repeat.
 */
export async function acrossNodes<T>(
  pool: Pool,
  work: (reach: Reach | null) => Promise<T>,
): Promise<T> {
  const reached = reachedBy(pool);
  const before = reached.last();
  try {
    return await work(before);
  } catch (error) {
    if (!mayBeNode(error)) throw error;
    const reach = await reached.ask(pool).catch(() => null);
    if (reach === null || reach.silent.join() === before?.silent.join()) throw error;
    return work(reach);
  }
}

/** A view across tenants in a text, as src/db/across.ts names them. */
const view = new RegExp(String.raw`\b${acrossSchema}\.(\w+)`, 'g');

/** A parameter in a text. */
const parameter = /\$(\d+)/g;

/**
 * The statement with one more parameter, the tenants whose rows it reads. Citus finds the nodes of a statement by the
 * tenants that are compared with, for each table by itself, and asks all nodes where there are none of them.
 */
export function ofTenants({ name, text }: Omit<PlatformStatement, 'tenant'>) {
  const used = [...text.matchAll(parameter)].map(([, number]) => Number(number));
  const place = Math.max(0, ...used) + 1;
  return platformStatement({
    name: `${name}_reached`,
    text: text.replace(
      view,
      (whole) => `(SELECT * FROM ${whole} WHERE tenant_id = ANY ($${place}::text[]))`,
    ),
  });
}

/**
 * Runs a statement that finds one row of some tenant, and returns it, or null where no tenant has one. While a node does
 * not answer it throws instead of null: that one may have the row.
 */
export async function firstAcross<R extends Record<string, unknown>>(
  pool: Pool,
  statement: PlatformStatement,
  values: readonly unknown[],
): Promise<R | null> {
  const { found, silent } = await acrossNodes(pool, async (reach) => ({
    found:
      reach === null
        ? await firstRow<R>(pool, statement, values)
        : ((await rowsOf<R>(pool, reach, statement, values))[0] ?? null),
    silent: reach?.silent ?? [],
  }));
  if (found === null && silent.length > 0) {
    throw new DatabaseAway(`${silent.join(', ')} does not answer`);
  }
  return found;
}

/**
 * Runs a statement that reads views across tenants and looks for work, and returns its rows: of all tenants, or, where a
 * node does not answer, of those that can be reached. What must know of every tenant uses `rows`, and fails then.
 */
export function rowsAcross<R extends Record<string, unknown>>(
  pool: Pool,
  statement: PlatformStatement,
  values: readonly unknown[],
): Promise<R[]> {
  return acrossNodes(pool, (reach) =>
    reach === null ? rows<R>(pool, statement, values) : rowsOf<R>(pool, reach, statement, values),
  );
}

async function rowsOf<R extends Record<string, unknown>>(
  pool: Pool,
  { tenants }: Reach,
  statement: PlatformStatement,
  values: readonly unknown[],
): Promise<R[]> {
  return tenants.length === 0 ? [] : rows<R>(pool, ofTenants(statement), [...values, tenants]);
}
