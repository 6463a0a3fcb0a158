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

/** Of an answer that tells what an earlier request made. */
export const replayHeaders = { 'Idempotent-Replayed': 'true' };
