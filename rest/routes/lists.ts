import { toCamelCase } from '../http/case.ts';
import type { RouteAnswer } from '../route/route.ts';

interface Connection {
  readonly edges: readonly { readonly node: unknown }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** A GraphQL connection as REST answers a list: `{<name>: [...], next_cursor}`. */
export function listAnswer(name: string, data: unknown): RouteAnswer {
  const { edges, pageInfo } = data as Connection; // the document selects exactly this
  return {
    status: 200,
    body: {
      [name]: edges.map((edge) => edge.node),
      next_cursor: pageInfo.hasNextPage ? pageInfo.endCursor : null,
    },
  };
}

interface ListQuery {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** The variables of a list's document: one page, and the filter that is asked for beside it. */
export const listVariables = ({ limit, cursor, ...filter }: ListQuery) => ({
  first: limit,
  after: cursor ?? null,
  filter: toCamelCase(filter),
});

/** Of an answer that tells what an earlier request made. */
export const replayHeaders = { 'Idempotent-Replayed': 'true' };
