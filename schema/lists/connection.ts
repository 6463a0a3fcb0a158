import { requirePermission } from '../../src/access/scope.ts';
import { makeCursor, openCursor } from '../../src/crypto/cursor.ts';
import type { PageRange } from '../../src/domain/page-range.ts';
import { invalid } from '../../src/errors/domain-error.ts';
import type { Services } from '../../src/process/services.ts';
import type { Context } from '../context.ts';
import {
  mostCounted,
  type ListPage,
  type PageArgs,
  type PageInfo,
  type ListTotal,
} from './page.ts';

/** Rows of a list, from the end that was asked for. */
export interface ListRows<Row> {
  readonly rows: readonly Row[];
  /**
   * Set where the search stopped before it had found enough or reached the end: the position up to which
   * it looked.
   */
  readonly stoppedAt?: string | null;
}

interface PageRequest<Row> {
  readonly list: string;
  readonly filter: Record<string, unknown>;
  readonly args: PageArgs;
  /** Reads a range of the list. Backwards, the rows come last one first. */
  readonly fetch: (range: PageRange) => Promise<readonly Row[] | ListRows<Row>>;
  /** The position of a row; its id, for lists that run newest first. */
  readonly position?: (row: Row) => string;
  /** Counts the list, up to `most` rows. */
  readonly count?: (most: number) => Promise<number | ListTotal>;
  /** The list is read forwards only. */
  readonly oneWay?: true;
}

/** Size and direction of the page. Throws `validation_failed` for a size out of range, or for two. */
function sizeOf(
  { PAGE_SIZE, PAGE_SIZE_MAX }: Record<'PAGE_SIZE' | 'PAGE_SIZE_MAX', number>,
  args: PageArgs,
) {
  const backwards = typeof args.last === 'number';
  const field = backwards ? 'last' : 'first';
  const size = args.last ?? args.first ?? Math.min(PAGE_SIZE, PAGE_SIZE_MAX);
  if (backwards && typeof args.first === 'number') {
    throw invalid([{ field, code: 'invalid_value', message: 'Give first or last, not both.' }]);
  }
  if (size < 1 || size > PAGE_SIZE_MAX) {
    throw invalid([{ field, code: 'out_of_range', message: `must be from 1 to ${PAGE_SIZE_MAX}` }]);
  }
  return { size, backwards };
}

/**
 * One page of a list, by a keyset: the query costs the same on every page, while Prisma's own cursor grows
 * with the depth. Throws `validation_failed` for a page size out of range, for first and last together, and for
 * a cursor of another tenant, list, order or filter.
 *
 * Edges have the order of the list in both directions. Whether there are rows on the side that was not
 * read is asked of the database only when that field is selected.
 */
export async function resolvePage<Row extends { id: string }>(
  context: Context,
  request: PageRequest<Row>,
): Promise<ListPage<Row>> {
  const { scope, services } = context.call;
  requirePermission(scope, 'read');
  return pageOf(services, scope.tenantId, { position: ({ id }) => id, ...request });
}

/**
 * The page of a caller who may read the list.
 * @param owner whose cursors they are: the tenant, or the name of those who are in none
 */
export async function pageOf<Row>(
  services: Pick<Services, 'config' | 'keyring'>,
  owner: string,
  request: PageRequest<Row> & Required<Pick<PageRequest<Row>, 'position'>>,
): Promise<ListPage<Row>> {
  const { position } = request;
  const { size, backwards } = sizeOf(services.config, request.args);
  const place = { tenantId: owner, list: request.list, filter: request.filter };
  const opened = (field: 'after' | 'before'): string | null => {
    const cursor = request.args[field] ?? null;
    return cursor === null ? null : openCursor(services.keyring, place, cursor, field);
  };
  const bounds = { after: opened('after'), before: opened('before') };
  const read = async (range: PageRange): Promise<ListRows<Row>> => {
    const found = await request.fetch(range);
    return 'rows' in found ? found : { rows: found };
  };

  // One row more than asked tells whether there are more, without a count.
  const found = await read({ ...bounds, take: size + 1, backwards });
  const shown = found.rows.slice(0, size);
  const edges = (backwards ? shown.toReversed() : shown).map((node) => ({
    // Made for whoever selects it: its HMAC costs as much as the rest of the row.
    get cursor() {
      return makeCursor(services.keyring, place, position(node));
    },
    node,
  }));
  const stoppedAt = found.stoppedAt ?? null;
  const stop = stoppedAt === null ? null : makeCursor(services.keyring, place, stoppedAt);
  const more = found.rows.length > size || stop !== null;

  const any = async (range: Pick<PageRange, 'after' | 'before' | 'backwards'>) => {
    const beyond = await read({ ...range, take: 1 });
    return beyond.rows.length > 0 || (beyond.stoppedAt ?? null) !== null;
  };
  const first = shown.at(backwards ? -1 : 0);
  const last = shown.at(backwards ? 0 : -1);
  // Of an empty page, what is on this side of the other bound is beyond this one.
  const earlier = () =>
    any({ after: null, before: first ? position(first) : bounds.before, backwards: true });
  const later = () =>
    any({ after: last ? position(last) : bounds.after, before: null, backwards: false });

  return {
    edges,
    pageInfo: lazily({
      hasNextPage: () => (!backwards && more) || (bounds.before !== null && later()),
      hasPreviousPage: () =>
        (backwards && more) || (bounds.after !== null && (request.oneWay === true || earlier())),
      startCursor: () => (backwards ? stop : null) ?? edges[0]?.cursor ?? null,
      endCursor: () => (backwards ? null : stop) ?? edges.at(-1)?.cursor ?? null,
    }),
    total: request.count === undefined ? null : totalOf(request.count),
  };
}

type Lazy<T> = { readonly [Name in keyof T]: () => T[Name] | Promise<T[Name]> };

/** A page's info whose parts are asked for when a field reads them. GraphQL waits for what a field gives. */
function lazily(parts: Lazy<PageInfo>): PageInfo {
  const info = {};
  for (const [name, get] of Object.entries(parts)) Object.defineProperty(info, name, { get });
  return info as PageInfo;
}

/** Counts once, however many fields ask. */
function totalOf(count: (most: number) => Promise<number | ListTotal>): () => Promise<ListTotal> {
  let counted: Promise<ListTotal> | null = null;
  const ask = async (): Promise<ListTotal> => {
    const found = await count(mostCounted + 1);
    if (typeof found !== 'number') return found;
    return { count: Math.min(found, mostCounted), exact: found <= mostCounted };
  };
  return () => (counted ??= ask());
}
