import type { Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import type { Allowance, AdmissionSubject } from '../../src/access/admission/admission.ts';
import type { LimitState } from '../../src/access/rate-limit/limit.ts';
import { unauthorized, type Refusal } from '../../src/access/refusal.ts';
import { isOperator, requirePermission, type Caller, type Scope } from '../../src/access/scope.ts';
import { asError } from '../../src/errors/as-error.ts';
import { catalogue } from '../../src/errors/catalogue.ts';
import { DomainError, invalid, type FieldError } from '../../src/errors/domain-error.ts';
import { fieldErrors } from '../../src/values/field-errors.ts';
import type { Services } from '../../src/process/services.ts';
import { KeyringRefused } from '../../src/crypto/live-keyring.ts';
import { unavailable } from '../../src/db/unavailable.ts';
import { Context } from '../../schema/context.ts';
import { prepareDocument } from '../../schema/prepared/document.ts';
import type { RunDocument } from '../../schema/prepared/run.ts';
import { isCsv, keylessBytes, keylessParts, readBytes, readJsonBody } from '../http/body.ts';
import { refuseIdempotencyKey, withIdempotencyKey } from '../http/idempotency-key.ts';
import {
  errorEnvelope,
  failureFromGraphql,
  failureOf,
  failureOfDomain,
  type Failure,
} from '../http/envelope.ts';
import type { Operation, Route } from './route.ts';

/** What the middleware has found out about a request before a route handles it. */
export interface RequestFacts {
  requestId: string;
  clientAddress: string;
  /** Who calls; null without a valid key. */
  caller: Caller | null;
  /** Why there is no caller; `missing` where no key was shown. */
  refusal: Refusal;
  /** Whether the request shows the link of a form that there is. */
  hasLink: boolean;
  /** The caller, unless it is an operator. */
  scope: Scope | null;
  /** Whose share of the process the request uses; null: that of the client address. */
  holder: AdmissionSubject | null;
  /** Counts further requests in the caller's rate limit; null without one. */
  countMore: ((units: number) => Promise<LimitState>) | null;
  /** What the request may use; null until it is let in. */
  allowance: Allowance | null;
  /** Puts a limit into the headers of the answer. */
  reportLimit: (limit: LimitState) => void;
  /** When the answer became a stream (`process.hrtime.bigint()`); null for any other answer. */
  streamsSince: bigint | null;
  /** Route template for the log, since a path may hold an id. */
  route: string | null;
}

export interface RestParts {
  readonly services: Services;
  readonly run: RunDocument;
}

export function facts(response: Response): RequestFacts {
  return response.locals as RequestFacts;
}

/**
 * Answers with JSON. Express's own `json` also handles ETags, callbacks and conditional requests,
 * which costs half as much as the whole answer.
 */
function sendJson(response: Response, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}

/** When to retry after too many requests at a time: exports usually end within seconds. */
const busySeconds = 10;

/** A database that was restarted is back within seconds. */
export const unavailableSeconds = 5;

/** Sets Retry-After on 429 and 503, unless the limit has set its own. */
export function setRetryAfter(response: Response, failure: Failure, status: number): void {
  const usual = { 429: busySeconds, 503: unavailableSeconds }[status];
  const wait = failure.retryAfterSeconds ?? (response.hasHeader('Retry-After') ? undefined : usual);
  if (wait !== undefined) response.setHeader('Retry-After', wait);
}

/** Answers with the error envelope. */
export function sendFailure(
  services: Services,
  response: Response,
  failure: Failure,
  status: number = catalogue[failure.code].status,
): void {
  const { requestId, scope } = facts(response);
  const publicUrl = services.config.PUBLIC_URL;
  // RFC 9110, section 15.5.2.
  if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  setRetryAfter(response, failure, status);
  sendJson(response, status, errorEnvelope(failure, { id: requestId, scope, publicUrl }));
}

const nothing = z.strictObject({});

function parsePart(schema: z.ZodType | undefined, value: unknown, where: string): unknown {
  const result = (schema ?? nothing.optional()).safeParse(value);
  if (result.success) return result.data;
  throw invalid(fieldErrors(result.error, value).map((error) => inPart(error, value, where)));
}

function inPart(error: FieldError, value: unknown, where: string): FieldError {
  // An error of the whole part has no field of its own and gets the name of the part.
  if (error.field === '') return { ...error, field: where };
  const given = where === 'query' ? (value as Record<string, unknown>)[error.field] : null;
  // A repeated parameter is read as a list, which its sender did not write.
  if (!Array.isArray(given) || error.code !== 'invalid_type') return error;
  return { ...error, message: 'The parameter is there more than once; send it once.' };
}

const operatorsUseGraphql =
  "An operator's key works on GraphQL only: every REST resource belongs to one business.";

/** Throws when the caller, whom the middleware authenticated, may not perform the operation. */
function authorize(row: Operation, response: Response): void {
  if (row.permission === null) return;
  const { caller, refusal } = facts(response);
  if (caller === null) throw unauthorized(refusal);
  // Not 401: the key is valid. The envelope's actor is a member of a business, so it is null here.
  if (isOperator(caller)) throw new DomainError('forbidden', { message: operatorsUseGraphql });
  // Permission comes before the body; the domain checks it again, for GraphQL and jobs.
  requirePermission(caller, row.permission);
}

/** The body as the contract takes it, or the bytes of a CSV where the row takes one. */
async function readBody(
  row: Operation,
  request: Request,
  { BODY_MAX_BYTES, BULK_BODY_MAX_BYTES }: Services['config'],
  allowance: Allowance | null,
): Promise<{ body: unknown; csv: Uint8Array | null }> {
  const ofCallers = row.bulk === true ? BULK_BODY_MAX_BYTES : BODY_MAX_BYTES;
  const limit = row.permission === null ? Math.min(ofCallers, keylessBytes) : ofCallers;
  if (row.csv !== undefined && isCsv(request)) {
    const csv = await readBytes(request, limit);
    await allowance?.admitBody(csv.length);
    return { body: undefined, csv };
  }
  const maxParts = row.permission === null ? keylessParts : undefined;
  const json = await readJsonBody(request, row.body !== undefined, limit, allowance, maxParts);
  if (row.idempotencyKey === 'of_rows') refuseIdempotencyKey(request);
  const keyed = row.idempotencyKey === 'of_body' ? withIdempotencyKey(request, json) : json;
  return { body: parsePart(row.body, keyed, 'body'), csv: null };
}

interface Performed {
  readonly input: Parameters<Route['answer']>[1];
  readonly data: Record<string, unknown>;
  readonly context: Context;
}

/**
 * Makes what comes before an answer: credential, permission, contract, document. The promise is
 * null when the operation failed and its failure was sent; anything before it throws DomainError.
 */
export function createOperation(row: Operation, parts: RestParts) {
  const document = prepareDocument(row.document);
  return async (request: Request, response: Response): Promise<Performed | null> => {
    facts(response).route = row.path;
    authorize(row, response);
    const input = {
      params: parsePart(row.params, request.params, 'path'),
      query: parsePart(row.query, { ...request.query }, 'query'),
      ...(await readBody(row, request, parts.services.config, facts(response).allowance)),
    };
    const {
      requestId: id,
      clientAddress,
      reportLimit,
      scope,
      refusal,
      allowance,
    } = facts(response);
    const context = new Context(parts.services, scope, {
      id,
      clientAddress,
      refusal,
      reportLimit,
      allowance,
      ownDocument: true,
    });
    const result = await parts.run(document, await row.variables(input), context);
    const [error] = result.errors ?? [];
    if (error === undefined) return { data: result.data ?? {}, context, input };
    sendFailure(parts.services, response, failureFromGraphql(error));
    return null;
  };
}

/** Makes the handler of one row of the table. The app's error handler answers what it throws. */
export function createHandler(row: Route, parts: RestParts): RequestHandler {
  const perform = createOperation(row, parts);
  return async (request: Request, response: Response) => {
    const performed = await perform(request, response);
    if (performed === null) return;
    const answer = await row.answer(performed.data, performed.input);
    for (const [name, value] of Object.entries(answer.headers ?? {}))
      response.setHeader(name, value);
    if (answer.body === null) response.status(answer.status).end();
    else sendJson(response, answer.status, answer.body);
  };
}

/** What the caller is told of an error that reached Express. An unknown error is logged and masked. */
export function failureOfError(services: Services, requestId: string, error: unknown): Failure {
  if (error instanceof DomainError) {
    return failureOfDomain(error);
  }
  if (unavailable(error)) {
    services.log.error(
      { request_id: requestId, message: error.message },
      'the database is unavailable',
    );
    return failureOf('service_unavailable');
  }
  if (error instanceof KeyringRefused) {
    services.log.error(
      { request_id: requestId, message: error.message },
      'the encryption keys cannot be used',
    );
    return failureOf('service_unavailable');
  }
  const failure = asError(error);
  services.log.error(
    { request_id: requestId, error: failure.name, message: failure.message, stack: failure.stack },
    'unexpected error in a request',
  );
  return failureOf('internal_error');
}
