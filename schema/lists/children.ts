import { mostChildren, type ChildrenOf, type ReadChildren } from '../../src/domain/children.ts';
import type { Context } from '../context.ts';
import { loadBy } from './loader.ts';

/** The rows of a parent, for all parents of an operation in one query. */
export function childrenBy<Row>(
  read: ReadChildren<Row>,
): (context: Context, of: ChildrenOf) => Promise<readonly Row[]> {
  return loadBy(read, ({ id, before }) => `${id} ${before ?? ''}`);
}

/** What a list of up to a hundred rows costs of an operation's complexity, whatever is in it. */
export const childrenCost = { field: 1, multiplier: mostChildren / 5 };
