import type { Request, RequestHandler, Response } from 'express';
import { GraphQLError } from 'graphql';
import { createFindDocument, type AskedDocument } from '../schema/document/accepted.ts';
import { retryAfterOf } from '../schema/errors/mask.ts';
import type { createGraphql } from '../schema/server.ts';
import type { Stream, StreamReader } from '../schema/stream.ts';
import { isOperator, type Caller } from '../src/access/scope.ts';
import { createKeylessLimit } from '../src/access/rate-limit/keyless.ts';
import { catalogue } from '../src/errors/catalogue.ts';
import { DomainError } from '../src/errors/domain-error.ts';
import type { Services } from '../src/process/services.ts';
import { keylessBytes, keylessParts, readJsonBody } from './http/body.ts';
import type { Failure } from './http/envelope.ts';
import { facts, setRetryAfter } from './route/handler.ts';
import { graphiqlHeaders } from './http/hardening.ts';
import { sendStream } from './http/event-stream.ts';
import { HttpError } from './http/http-error.ts';

export const graphqlPath = '/graphql';

/**
 * What failed before an operation began (a limit, the body, the method), as a GraphQL client reads
 * it: an error with its code in `extensions`.
 */
export function sendGraphqlFailure(response: Response, failure: Failure, status: number): void {
  const { code, message, details } = failure;
  const extensions = { code, details, request_id: facts(response).requestId };
  setRetryAfter(response, failure, status);
  response.status(status).json({ errors: [{ message, extensions }] });
}

function wantsGraphiql(request: Request, services: Services): boolean {
  return (
    services.config.NODE_ENV !== 'production' &&
    request.method === 'GET' &&
    (request.headers.accept ?? '').includes('text/html')
  );
}

/** The refusal of a stream, by the status of its error: there is no event yet. */
function sendRefusal(response: Response, error: GraphQLError): void {
  const { code, details } = error.extensions as unknown as Pick<Failure, 'code' | 'details'>;
  const wait = retryAfterOf(error);
  const retry = wait === null ? {} : { retryAfterSeconds: wait };
  const failure: Failure = { code, message: error.message, details, ...retry };
  sendGraphqlFailure(response, failure, catalogue[code].status);
}

/** Answers a subscription with its events; false for another operation, which has one answer. */
async function answersAsStream(
  request: Request,
  response: Response,
  open: (reader: StreamReader) => Promise<Stream | null>,
): Promise<boolean> {
  if (!(request.headers.accept ?? '').includes('text/event-stream')) return false;
  const ended = new AbortController();
  response.once('close', () => ended.abort());
  try {
    const lastId = request.get('last-event-id') ?? null;
    const stream = await open({ lastId, signal: ended.signal });
    if (stream === null) return false;
    facts(response).streamsSince = process.hrtime.bigint();
    await sendStream(response, stream);
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    sendRefusal(response, error);
  }
  return true;
}

const fields = ['query', 'documentId', 'operationName', 'variables', 'extensions'];

const isObjectOrAbsent = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'object' && !Array.isArray(value));

/** Throws `bad_request` for a body that no GraphQL request has (GraphQL over HTTP, section 5.1). */
function checkParameters(body: Readonly<Record<string, unknown>>): void {
  const { operationName, variables, extensions } = body;
  const refused = (message: string) => new DomainError('bad_request', { message });
  if (typeof (operationName ?? '') !== 'string') throw refused('operationName must be a string.');
  if (!isObjectOrAbsent(variables)) throw refused('variables must be an object.');
  if (!isObjectOrAbsent(extensions)) throw refused('extensions must be an object.');
  if (Object.keys(body).every((key) => fields.includes(key))) return;
  throw refused(`The body of a GraphQL request has no other fields than ${fields.join(', ')}.`);
}

/** Operators bring files of banks, which are larger than anything that a business sends here. */
function limitOf({ config }: Services, caller: Caller | null): number {
  if (caller === null) return Math.min(config.BODY_MAX_BYTES, keylessBytes);
  return isOperator(caller) ? config.OPERATOR_BODY_MAX_BYTES : config.BODY_MAX_BYTES;
}

/**
 * The GraphQL endpoint. POST with `application/json` only: no page of another origin can send that
 * without a preflight, and no link can run an operation. The body is read here, under the same limits
 * as REST's. Operations without a valid key are counted for each address.
 */
export function createGraphqlHandler(
  services: Services,
  { yoga, openStream }: ReturnType<typeof createGraphql>,
): RequestHandler {
  const admitKeyless = createKeylessLimit(services);
  const findDocument = createFindDocument(services.config.GRAPHQL_ACCEPTED_DOCUMENTS);
  return async (request, response, next) => {
    facts(response).route = graphqlPath;
    const { requestId, clientAddress, caller, refusal, reportLimit, allowance } = facts(response);
    const context = { requestId, clientAddress, caller, refusal, reportLimit, allowance };
    if (wantsGraphiql(request, services)) {
      graphiqlHeaders(request, response, () => undefined);
      await yoga(request, response, context);
      return;
    }
    if (request.method !== 'POST') {
      response.setHeader('Allow', 'OPTIONS, POST');
      if (request.method !== 'OPTIONS') throw new HttpError(405, 'GraphQL takes POST.');
      response.status(204).end();
      return;
    }
    if (caller === null) admitKeyless(clientAddress, reportLimit);
    const maxParts = caller === null ? keylessParts : undefined;
    const body = await readJsonBody(request, true, limitOf(services, caller), allowance, maxParts);
    const asked: AskedDocument = typeof body === 'object' && body !== null ? body : {};
    checkParameters(asked as Readonly<Record<string, unknown>>);
    const { documentId: _, ...parameters } = asked;
    const query = findDocument(asked);
    if (
      await answersAsStream(request, response, (reader) =>
        openStream({ ...parameters, query }, context, reader),
      )
    ) {
      return;
    }
    // The endpoint takes a parsed body from here instead of the stream.
    request.body = { ...parameters, query };
    await yoga(request, response, context);
    if (!response.headersSent) next();
  };
}
