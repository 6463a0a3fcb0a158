import { GraphQLError, parse, validate, type DocumentNode, type ExecutionResult } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { TransitionFeed } from '../src/domain/payout/live/feed.ts';
import type { Services } from '../src/process/services.ts';
import { useBounds } from './document/bounds.ts';
import { limits } from './builder.ts';
import { Context } from './context.ts';
import { costOf } from './document/cost.ts';
import { requireFitting } from './document/fitting-variables.ts';
import { longestList, requireShortLists } from './document/variables.ts';
import { maskError } from './errors/mask.ts';
import type { HttpFacts } from './http-facts.ts';
import { graphiqlOptions } from './graphiql/options.ts';
import { startMeasure } from './document/measure.ts';
import { schema } from './schema.ts';
import { createOpenStream, type AskedStream, type StreamReader } from './stream.ts';

export type RunDocument = (
  document: DocumentNode,
  variables: Record<string, unknown>,
  context: Context,
) => Promise<ExecutionResult<Record<string, unknown>>>;

/** Parses and validates a document of our own; throws at start when it does not fit the schema. */
export function prepareDocument(source: string): DocumentNode {
  const document = parse(source);
  const [problem] = validate(schema, document);
  if (problem !== undefined) throw new Error(`${problem.message} in ${source}`);
  return document;
}

/**
 * Gives an operation that came over HTTP its context; one that runs in process brings its own. What
 * a resolver threw is masked here, where the request id is known.
 */
function useCaller(services: Services): Plugin {
  const longest = longestList(services.config);
  return {
    // `createOpenStream` serves the requests that can read a stream.
    onSubscribe: ({ setResultAndStopExecution }) => {
      setResultAndStopExecution({ errors: [notAsStream()] });
    },
    onExecute: ({ args, executeFn, setExecuteFn }) => {
      const given: unknown = args.contextValue;
      const measured = startMeasure(services.metrics, args, given instanceof Context);
      const context = given instanceof Context ? given : contextOf(services, given as HttpFacts);
      const { allowance } = context;
      let cost = 0;
      setExecuteFn(async (called) => {
        try {
          allowance?.hold();
          try {
            if (!context.ownDocument) {
              requireShortLists(called.variableValues, longest);
              requireFitting(called);
              cost = costOf(called);
              await allowance?.spendCost(cost);
            }
            // The engine types what an executor returns as any.
            // oxlint-disable-next-line typescript/no-unsafe-return
            return await executeFn({ ...called, contextValue: context });
          } finally {
            allowance?.drop();
          }
        } catch (error) {
          return { errors: [maskError(services.log, error, context.requestId)] };
        }
      });
      return {
        onExecuteDone: ({ result, setResult }) => {
          if (Symbol.asyncIterator in result) return;
          measured(result.errors === undefined ? 'ok' : 'error');
          const errors = result.errors?.map((error) =>
            maskError(services.log, error, context.requestId),
          );
          const keyed = context.scope !== null || context.operator !== null;
          const told = { cost: { complexity: cost, limit: limits.complexity } };
          setResult({
            ...result,
            ...(errors === undefined ? {} : { errors }),
            ...(keyed && cost > 0 ? { extensions: { ...result.extensions, ...told } } : {}),
          });
        },
      };
    },
  };
}

function notAsStream(): GraphQLError {
  const message =
    'A subscription is answered as a stream of events: send Accept: text/event-stream.';
  const http = { status: 406 };
  return new GraphQLError(message, { extensions: { code: 'bad_request', details: [], http } });
}

function contextOf(services: Services, facts: HttpFacts): Context {
  const { requestId: id, caller, ...request } = facts;
  return new Context(services, caller, { id, ...request });
}

/** Whether introspection is permitted: by default everywhere except in production. */
function introspects({ GRAPHQL_INTROSPECTION: set, NODE_ENV }: Services['config']): boolean {
  return set === null ? NODE_ENV !== 'production' : set === 'on';
}

/**
 * Makes the GraphQL endpoint, the function that runs prepared documents in process, and the one that opens
 * subscriptions. `stop` ends the streams of these, which can be resumed elsewhere.
 */
export function createGraphql(services: Services) {
  const yoga = createYoga<HttpFacts>({
    schema,
    graphqlEndpoint: '/graphql',
    graphiql: ({ headers }, { clientAddress }) =>
      graphiqlOptions(services.config, { headers, clientAddress }),
    // The page comes whole from its package: it works without a network, and no third party serves
    // script to a page that holds a key. It is 9 MB of text, loaded when somebody opens it.
    renderGraphiQL: async (options) =>
      (await import('@graphql-yoga/render-graphiql')).renderGraphiQL(options),
    landingPage: false,
    logging: false,
    batching: false,
    multipart: false,
    cors: false,
    maskedErrors: { maskError: (error) => maskError(services.log, error, null) },
    parserAndValidationCache: false, // `useBounds` has one that is bounded by what it keeps
    plugins: [useBounds(introspects(services.config)), useCaller(services)],
  });

  // Once for all: the plugins take what they need of an operation from its arguments.
  const { execute } = yoga.getEnveloped();
  const run: RunDocument = async (document, variables, context) => {
    const result: unknown = await execute({
      schema,
      document,
      contextValue: context,
      variableValues: variables,
    });
    return result as ExecutionResult<Record<string, unknown>>; // no @defer, so never a stream
  };
  const feed = new TransitionFeed(services);
  const open = createOpenStream(services, feed);
  const openStream = (asked: AskedStream, facts: HttpFacts, reader: StreamReader) =>
    // It parses and validates by the plugins above.
    open(yoga.getEnveloped(facts), asked, facts, reader);
  return { yoga, run, openStream, stop: () => feed.stop() };
}
