import type { OperatorCall } from '../../src/process/services.ts';
import type { Context } from '../context.ts';
import { pageOf } from '../lists/connection.ts';
import { pageCost } from '../lists/page-args.ts';
import type { ListPage } from '../lists/page.ts';

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
): Promise<ListPage<Row>> {
  const call = context.operatorCall;
  const { first, after, fetch, ...list } = request;
  return pageOf(call.services, operators, {
    ...list,
    args: { first, after },
    oneWay: true,
    fetch: ({ after: position, take }) => fetch(call, position, take),
  });
}

/** What a page of an operators' list costs of an operation's complexity. */
export const operatorPageCost = (args: { first?: number | null | undefined }) => ({
  ...pageCost(5)(args),
  field: 20,
});
