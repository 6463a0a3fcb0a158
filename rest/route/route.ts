import type { z } from 'zod';
import type { Permission } from '../../src/access/roles.ts';
import type { ErrorCode } from '../../src/errors/catalogue.ts';
import type { FurtherHeader } from '../contracts/answer-headers.ts';
import type { Tag } from './tags.ts';

export interface RouteAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a caller sent, after its contract accepted it; keys are still snake_case. */
export interface RouteInput<P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** The bytes of a `text/csv` body, where the row takes one and it came; `body` is then absent. */
  readonly csv: Uint8Array | null;
}

/** One success status of an operation. */
export interface DeclaredAnswer {
  /** What callers know by it, in whole sentences. */
  readonly means: string;
  /** Schema of the body; null for none. */
  readonly body: z.ZodType | null;
  /** Headers that it can have besides those of every answer. */
  readonly headers?: readonly FurtherHeader[];
}

/**
 * What an operation is and what it answers, without how it is done; the OpenAPI document is made from
 * it.
 */
interface RouteContract<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Express path, for example `/v1/payouts/:payoutId`. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  /** What callers should know beyond the summary, in Markdown. */
  readonly details?: string;
  readonly tag: Tag;
  /** Null: no credential is needed. */
  readonly permission: Permission | null;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** Headers that change the answer, for the OpenAPI document alone. */
  readonly headers?: z.ZodType;
  /** What a `text/csv` body holds, where one may come in the place of JSON; the domain reads it. */
  readonly csv?: z.ZodType;
  /** The body holds many rows, and may be as large as BULK_BODY_MAX_BYTES. */
  readonly bulk?: true;
  /**
   * What has an `idempotency_key`: the body, in whose place the header `Idempotency-Key` may stand, or
   * each of its rows, and then the header is refused.
   */
  readonly idempotencyKey?: 'of_body' | 'of_rows';
  /** The success statuses. */
  readonly responses: Readonly<Record<number, DeclaredAnswer>>;
  /** Errors beyond those that every operation can answer (`rest/openapi/errors.ts`). */
  readonly errors: readonly ErrorCode[];
}

/** One row of the route table: a contract, the GraphQL document that does the work, and the mapping. */
export interface Route<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
> extends RouteContract<P, Q, B> {
  readonly document: string;
  /** Variables of the document, already camelCase where the contract's body is passed through. */
  readonly variables: (
    input: RouteInput<z.output<P>, z.output<Q>, z.output<B>>,
  ) => Record<string, unknown> | Promise<Record<string, unknown>>;
  /**
   * Takes the operation's data and what was asked; throws DomainError, for example where a read
   * found nothing.
   */
  readonly answer: (
    data: Record<string, unknown>,
    input: RouteInput<z.output<P>, z.output<Q>, z.output<B>>,
  ) => RouteAnswer | Promise<RouteAnswer>;
}

/** A row without its mapping: what a CSV export is, too. */
export type Operation = Omit<Route, 'answer'>;

/** Checks a row's types against its own schemas and forgets them, so that rows fit in one table. */
export function route<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>(
  row: Route<P, Q, B>,
): Route {
  return row;
}
