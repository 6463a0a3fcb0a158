import { requirePermission } from '../../src/access/scope.ts';
import { makeCursor, openCursor } from '../../src/crypto/cursor.ts';
import { invalid } from '../../src/errors/domain-error.ts';
import type { Context } from '../context.ts';

export interface Page<Row> {
  readonly edges: { readonly cursor: string; readonly node: Row }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

interface PageRequest<Row> {
  readonly list: string;
  readonly filter: Record<string, unknown>;
  readonly first: number | null | undefined;
  readonly after: string | null | undefined;
  /** Fetches up to `take` rows after a position, in the list's order. */
  readonly fetch: (after: string | null, take: number) => Promise<Row[]>;
  /** The position of a row; its id, for lists that run newest first. */
  readonly position?: (row: Row) => string;
}

/**
 * One page of a list. Lists run newest first, with the id alone as keyset, which sorts by time: the
 * query costs the same on every page, while Prisma's own cursor grows with the depth. Throws `validation_failed`
 * for a page size out of range or a cursor of another tenant, list or filter.
 */
export async function resolvePage<Row extends { id: string }>(
  context: Context,
  request: PageRequest<Row>,
): Promise<Page<Row>> {
  const { scope, services } = context.call;
  requirePermission(scope, 'read');
  const { PAGE_SIZE: usual, PAGE_SIZE_MAX: maximumPageSize } = services.config;
  const size = request.first ?? Math.min(usual, maximumPageSize);
  if (size < 1 || size > maximumPageSize) {
    throw invalid([
      {
        field: 'first',
        code: 'out_of_range',
        message: `must be from 1 to ${maximumPageSize}`,
      },
    ]);
  }
  const place = { tenantId: scope.tenantId, list: request.list, filter: request.filter };
  const after =
    request.after === null || request.after === undefined
      ? null
      : openCursor(services.keyring, place, request.after, 'after');
  // One row more than asked tells whether there is a next page, without a count.
  const found = await request.fetch(after, size + 1);
  const position = request.position ?? ((row: Row) => row.id);
  const edges = found
    .slice(0, size)
    .map((node) => ({ cursor: makeCursor(services.keyring, place, position(node)), node }));
  return {
    edges,
    pageInfo: {
      hasNextPage: found.length > size,
      hasPreviousPage: after !== null,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}
