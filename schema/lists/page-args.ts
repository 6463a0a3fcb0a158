import { builder } from '../builder.ts';
import type { PageArgs } from './page.ts';

/** Arguments of a list that is read forwards only. */
export const forwardArgs = builder.args((t) => ({
  first: t.int({ description: 'Page size, 25 by default and 100 at most.' }),
  after: t.string({ description: 'endCursor of the page before.' }),
}));

/** Arguments of a list (https://relay.dev/graphql/connections.htm): first and after, or last and before. */
export const pageArgs = {
  ...forwardArgs,
  ...builder.args((t) => ({
    last: t.int({ description: 'Page size of the last rows, 100 at most, in place of first.' }),
    before: t.string({ description: 'startCursor of the page after: only rows in front of it.' }),
  })),
};

/**
 * What a page costs of an operation's complexity.
 * @param share how many rows count as one; `edges` counts tenfold by itself, as every list
 */
export function pageCost(share: number) {
  return ({ first, last }: PageArgs) => ({
    field: 1,
    multiplier: Math.min(first ?? last ?? 25, 100) / share,
  });
}

/**
 * What a page of a list that can be counted costs. Its total costs the same however short the page is, so the
 * page counts as one of 20 rows at least.
 */
export const countedPageCost = ({ first, last }: PageArgs) =>
  pageCost(20)({ first: Math.max(first ?? last ?? 25, 20) });
