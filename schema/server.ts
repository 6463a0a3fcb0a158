import {
  execute,
  getOperationAST,
  GraphQLError,
  OperationTypeNode,
  type ExecutionArgs,
  type ExecutionResult,
} from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { TransitionFeed } from '../src/domain/payout/live/feed.ts';
import type { Services } from '../src/process/services.ts';
import { useBounds } from './document/bounds.ts';
import { limits } from './builder.ts';
import { Context } from './context.ts';
import { createCharged } from './document/charge.ts';
import { maskError } from './errors/mask.ts';
import type { HttpFacts } from './http-facts.ts';
import { graphiqlOptions } from './graphiql/options.ts';
import { startMeasure } from './document/measure.ts';
import { createRun } from './prepared/run.ts';
import { schema } from './schema.ts';
import { createOpenStream, type AskedStream, type StreamReader } from './stream.ts';

/**
 * Gives an operation that came over HTTP its context. What a resolver threw is masked here, where the request
 * id is known.
 */
function useCaller(services: Services): Plugin {
  const charged = createCharged(services.config);
  return {
    // `createOpenStream` serves the requests that can read a stream.
    onSubscribe: ({ setResultAndStopExecution }) => {
      setResultAndStopExecution({ errors: [notAsStream()] });
    },
    onExecute: ({ args, setExecuteFn }) => {
      const measured = startMeasure(services.metrics, { name: null, type: typeOf(args) });
      const facts: unknown = args.contextValue;
      const context = contextOf(services, facts as HttpFacts);
      let cost = 0;
      // Not Yoga's executor: that takes a JSON value with a key `then` for a promise.
      setExecuteFn(async (called) => {
        try {
          return await charged<ExecutionResult>(context, called, async (charge) => {
            cost = charge;
            return await execute({ ...called, contextValue: context });
          });
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

/** The type of an operation. One that is not in its document counts as a query; executing it tells that. */
function typeOf({ document, operationName }: ExecutionArgs): OperationTypeNode {
  return getOperationAST(document, operationName)?.operation ?? OperationTypeNode.QUERY;
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

  const feed = new TransitionFeed(services);
  const open = createOpenStream(services, feed);
  const openStream = (asked: AskedStream, facts: HttpFacts, reader: StreamReader) =>
    // It parses and validates by the plugins above.
    open(yoga.getEnveloped(facts), asked, facts, reader);
  return { yoga, run: createRun(services), openStream, stop: () => feed.stop() };
}
