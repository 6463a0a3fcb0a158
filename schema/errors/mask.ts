import { GraphQLError } from 'graphql';
import { asError } from '../../src/errors/as-error.ts';
import { catalogue, isErrorCode } from '../../src/errors/catalogue.ts';
import { KeyringRefused } from '../../src/crypto/live-keyring.ts';
import { unavailable } from '../../src/db/unavailable.ts';
import { DomainError } from '../../src/errors/domain-error.ts';
import type { Log } from '../../src/process/log.ts';
import { withoutValues } from './message.ts';

/** A database that was restarted is back within seconds. */
const retryAfterSeconds = 5;

/**
 * Turns what an operation threw into what the caller is told: a DomainError shows its code and
 * details in `extensions`; syntax, validation and coercion errors show themselves without the
 * caller's values; anything else is logged, under the request id that the caller was given, and masked.
 */
export function maskError(log: Log, error: unknown, requestId: string | null): GraphQLError {
  const cause = error instanceof GraphQLError ? error.cause : error;
  if (unavailable(cause)) {
    log.error({ request_id: requestId, error: cause.name }, 'the database is unavailable');
    return domainError(new DomainError('service_unavailable', { retryAfterSeconds }));
  }
  if (cause instanceof KeyringRefused) {
    log.error(
      { request_id: requestId, message: cause.message },
      'the encryption keys cannot be used',
    );
    return domainError(new DomainError('service_unavailable', { retryAfterSeconds }));
  }
  if (error instanceof DomainError) return domainError(error);
  if (!(error instanceof GraphQLError)) return internalError(log, error, requestId);
  const original = error.cause;
  if (original instanceof DomainError) return domainError(original, error);
  if (original === undefined || original === null || isOfDocument(error, original)) {
    return badRequest(error);
  }
  return internalError(log, original, requestId, error);
}

/**
 * Whether an error is about the document or its variables: it comes before any field is executed, has its own
 * place in the document, or says so by its code. One about a value that we answer with has none of these.
 */
function isOfDocument(error: GraphQLError, original: unknown): boolean {
  if (!(original instanceof GraphQLError)) return false;
  const { nodes, extensions } = original;
  return error.path === undefined || nodes !== undefined || isErrorCode(extensions['code']);
}

function domainError(error: DomainError, at?: GraphQLError): GraphQLError {
  return new GraphQLError(error.message, {
    nodes: at?.nodes,
    path: at?.path,
    extensions: {
      code: error.code,
      details: error.details,
      ...(error.permission === null ? {} : { permission: error.permission }),
      ...httpOf(error),
    },
  });
}

/**
 * Over HTTP a missing credential is a 401, and what may come again later has its status and
 * Retry-After, so that clients and proxies see it.
 */
function httpOf({ code, retryAfterSeconds: wait }: DomainError) {
  const { status } = catalogue[code];
  if (code === 'unauthorized')
    return { http: { status, headers: { 'WWW-Authenticate': 'Bearer' } } };
  if (wait !== null) return { http: { status, headers: { 'Retry-After': String(wait) } } };
  // Its header is that of the limit.
  return code === 'RATE_LIMITED' ? { http: { status } } : {};
}

/** When the operation may be sent again; null where its error does not say. */
export function retryAfterOf(error: {
  readonly extensions?: Record<string, unknown> | undefined;
}): number | null {
  const http = error.extensions?.['http'] as ReturnType<typeof httpOf>['http'];
  const wait = http?.headers?.['Retry-After'];
  return wait === undefined ? null : Number(wait);
}

/** An error of syntax, validation or coercion, under the catalogue's code. */
export function badRequest(error: GraphQLError): GraphQLError {
  // The engine has codes of its own, such as BAD_REQUEST; callers know only those of the catalogue.
  if (isErrorCode(error.extensions['code'])) return error;
  return new GraphQLError(withoutValues(error.message), {
    nodes: error.nodes,
    source: error.source,
    positions: error.positions,
    path: error.path,
    extensions: { ...error.extensions, code: 'bad_request', details: [] },
  });
}

function internalError(
  log: Log,
  cause: unknown,
  requestId: string | null,
  at?: GraphQLError,
): GraphQLError {
  const failure = asError(cause);
  // Prisma's messages quote the arguments of the call, which may hold a payee's details.
  const quotes = failure.name.startsWith('PrismaClient');
  log.error(
    {
      request_id: requestId,
      error: failure.name,
      ...(quotes ? {} : { message: failure.message, stack: failure.stack }),
    },
    'unexpected error in an operation',
  );
  return new GraphQLError('An unexpected error on our side.', {
    nodes: at?.nodes,
    path: at?.path,
    extensions: { code: 'internal_error', details: [] },
  });
}
