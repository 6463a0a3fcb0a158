import { makeCursor, openCursor } from '../../src/crypto/cursor.ts';
import { invalid } from '../../src/errors/domain-error.ts';
import type { OperatorCall } from '../../src/process/services.ts';
import type { Context } from '../context.ts';
import type { Page } from '../lists/page.ts';

/** Where the cursors of operators belong: an operator is in no tenant, and no tenant has this id. */
const operators = 'operators';

interface OperatorPageRequest<Row> {
  readonly list: string;
  readonly filter: Record<string, unknown>;
  readonly first: number | null | undefined;
  readonly after: string | null | undefined;
  /** Reads up to `take` rows after a position. */
  readonly fetch: (call: OperatorCall, after: string | null, take: number) => Promise<Row[]>;
  readonly position: (row: Row) => string;
}

/**
 * A page of a list for operators, across tenants. Throws unauthorized without a key, forbidden for the key of a
 * business, and validation_failed for a page size out of range or a cursor of another list or filter.
 */
export async function operatorPage<Row>(
  context: Context,
  request: OperatorPageRequest<Row>,
): Promise<Page<Row>> {
  const call = context.operatorCall;
  const { keyring, config } = call.services;
  const { PAGE_SIZE: usual, PAGE_SIZE_MAX: most } = config;
  const size = request.first ?? Math.min(usual, most);
  if (size < 1 || size > most) {
    throw invalid([{ field: 'first', code: 'out_of_range', message: `must be from 1 to ${most}` }]);
  }
  const place = { tenantId: operators, list: request.list, filter: request.filter };
  const after = request.after ?? null;
  const position = after === null ? null : openCursor(keyring, place, after, 'after');
  // One row more than asked tells whether there is a next page.
  const found = await request.fetch(call, position, size + 1);
  const edges = found
    .slice(0, size)
    .map((node) => ({ cursor: makeCursor(keyring, place, request.position(node)), node }));
  return {
    edges,
    pageInfo: {
      hasNextPage: found.length > size,
      hasPreviousPage: after !== null,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
    total: null,
  };
}

/** What a page of an operators' list costs of an operation's complexity. */
export const operatorPageCost = (args: { first?: number | null | undefined }) => ({
  field: 20,
  multiplier: Math.min(args.first ?? 25, 100) / 5,
});
