import {
  createSourceEventStream,
  execute,
  getOperationAST,
  GraphQLError,
  OperationTypeNode,
  validateSubscriptionArgs,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type FormattedExecutionResult,
} from 'graphql';
import type { Allowance } from '../src/access/admission/admission.ts';
import { Interrupted, type TransitionFeed } from '../src/domain/payout/live/feed.ts';
import type { LiveItem } from '../src/domain/payout/live/follow.ts';
import { DomainError } from '../src/errors/domain-error.ts';
import { unavailable } from '../src/db/unavailable.ts';
import type { Services } from '../src/process/services.ts';
import { Context, type Live } from './context.ts';
import { costOfEvent } from './document/cost.ts';
import { requireFitting } from './document/fitting-variables.ts';
import { longestList, requireShortLists } from './document/variables.ts';
import { maskError, retryAfterOf } from './errors/mask.ts';
import type { HttpFacts } from './http-facts.ts';
import { schema } from './schema.ts';

/** What a request to stream asks for, as it came. */
export interface AskedStream {
  readonly query: string;
  readonly operationName?: unknown;
  readonly variables?: unknown;
}

/** One piece of a stream. */
export interface StreamPiece {
  /** Where the reader goes on after this piece. */
  readonly id: string;
  /** What the operation answers to one event; null for a piece that only moves the id on. */
  readonly result: FormattedExecutionResult | null;
}

/** How a stream ended. */
export type StreamEnd =
  /** It can be resumed. The reason is for people. */
  | { readonly kind: 'interrupted'; readonly reason: string }
  /** It cannot: the result tells the error. */
  | { readonly kind: 'failed'; readonly result: FormattedExecutionResult };

/** A stream that has begun, to be read until it ends. It throws nothing and returns how it ended. */
export type Stream = AsyncGenerator<StreamPiece, StreamEnd, void>;

/** Who reads a stream. */
export type StreamReader = Pick<Live, 'lastId' | 'signal'>;

/** Reads a document as the endpoint does, with its bounds. */
interface Enveloped {
  parse(source: string): DocumentNode;
  validate(schema: unknown, document: DocumentNode): readonly GraphQLError[];
}

const record = (value: unknown): Record<string, unknown> | null =>
  typeof value === 'object' && value !== null ? { ...value } : null;

/** The subscription that is asked for; null where it is another operation, or none that is valid. */
function readSubscription(
  { parse, validate }: Enveloped,
  { query, operationName, variables }: AskedStream,
): ExecutionArgs | null {
  // Most other operations are seen without reading them twice.
  if (!query.includes('subscription')) return null;
  let document: DocumentNode;
  try {
    document = parse(query);
    if (validate(schema, document).length > 0) return null;
  } catch {
    return null;
  }
  const name = typeof operationName === 'string' ? operationName : null;
  if (getOperationAST(document, name)?.operation !== OperationTypeNode.SUBSCRIPTION) return null;
  // With the first variable that does not fit, nothing is executed.
  const options = { maxCoercionErrors: 1 };
  return { schema, document, operationName: name, variableValues: record(variables), options };
}

/** Makes the function that opens subscriptions. */
export function createOpenStream(services: Services, feed: TransitionFeed) {
  const longest = longestList(services.config);

  /**
   * Opens the subscription that a request asks for: what fails before its first piece is thrown, masked. Null
   * where the operation is none, which then has one answer as always. `signal` ends the stream.
   */
  return async function openStream(
    enveloped: Enveloped,
    asked: AskedStream,
    facts: HttpFacts,
    { lastId, signal }: StreamReader,
  ): Promise<Stream | null> {
    const args = readSubscription(enveloped, asked);
    if (args === null) return null;
    const { requestId: id, caller, clientAddress, refusal, allowance } = facts;
    const contextOf = () =>
      new Context(services, caller, {
        id,
        clientAddress,
        refusal,
        allowance,
        live: { feed, lastId, signal },
      });
    const mask = (error: unknown) => maskError(services.log, error, id);
    allowance?.hold();
    try {
      requireShortLists(args.variableValues ?? {}, longest);
      requireFitting(args);
      const checked = validateSubscriptionArgs({
        ...args,
        contextValue: contextOf(),
        hideSuggestions: true,
      });
      if ('length' in checked) throw firstOf(checked);
      const cost = costOfEvent(args);
      // Without a key there is nothing to stream, and the refusal should say so.
      if (caller !== null) allowance?.becomeStream();
      await allowance?.spendCost(cost);
      const source = await createSourceEventStream(checked);
      if (!(Symbol.asyncIterator in source)) throw firstOf(source.errors);
      const items = source as AsyncIterable<LiveItem>;
      return run({ args, items, contextOf, mask, cost, allowance });
    } catch (error) {
      allowance?.drop();
      throw mask(openError(error));
    }
  };
}

/** The error that a caller is told of several. */
const firstOf = (errors: readonly GraphQLError[] | undefined): Error =>
  errors?.[0] ?? new Error('the operation has neither a stream nor an error');

/** Before it has begun, a stream that was interrupted is one that cannot be served at this moment. */
function openError(error: unknown): unknown {
  const cause = error instanceof GraphQLError ? error.cause : error;
  if (!(cause instanceof Interrupted)) return error;
  return new DomainError('service_unavailable', { retryAfterSeconds: 2 });
}

/** A result as its reader gets it: the status of an error is for an answer that has one. */
function toldOf(
  data: ExecutionResult['data'],
  errors: readonly GraphQLError[] | undefined,
): FormattedExecutionResult {
  const told = errors?.map((error) => {
    const { http: _, ...extensions } = error.extensions;
    return { ...error.toJSON(), extensions };
  });
  return {
    ...(data === undefined ? {} : { data }),
    ...(told === undefined ? {} : { errors: told }),
  };
}

interface Running {
  readonly args: ExecutionArgs;
  readonly items: AsyncIterable<LiveItem>;
  readonly contextOf: () => Context;
  readonly mask: (error: unknown) => GraphQLError;
  readonly cost: number;
  readonly allowance: Allowance | null;
}

async function* run(running: Running): Stream {
  const { args, items, contextOf, mask, cost, allowance } = running;
  let owed = 0;
  try {
    for await (const item of items) {
      if (item.live === null) {
        yield { id: item.id, result: null };
        continue;
      }
      await allowance?.turn();
      // A context for each event: what its loaders have read is of the moment.
      const contextValue = contextOf();
      const result = await execute({ ...args, rootValue: item, contextValue });
      const errors = result.errors?.map(mask);
      // What cannot be read at this moment is read when the stream is resumed before this event.
      const passing = errors?.find((error) => retryAfterOf(error) !== null);
      if (passing !== undefined) return { kind: 'interrupted', reason: passing.message };
      yield { id: item.id, result: toldOf(result.data, errors) };
      // An event costs what it costs to read it in a query.
      owed += cost;
      const { RATE_LIMIT_COST: ofRequest } = contextValue.services.config;
      if (owed >= ofRequest) await allowance?.spendCost(owed);
      owed %= ofRequest;
    }
    return { kind: 'interrupted', reason: 'the stream is over' };
  } catch (error) {
    if (error instanceof Interrupted) return { kind: 'interrupted', reason: error.message };
    if (unavailable(error)) return { kind: 'interrupted', reason: 'the database is away' };
    return { kind: 'failed', result: toldOf(undefined, [mask(error)]) };
  } finally {
    allowance?.drop();
  }
}
