import { catalogue, isErrorCode, type ErrorCode } from '../../src/errors/catalogue.ts';
import type { DomainError, FieldError } from '../../src/errors/domain-error.ts';
import { retryAfterOf } from '../../schema/errors/mask.ts';
import type { Scope } from '../../src/access/scope.ts';
import { toSnakeCase } from './case.ts';

/** What went wrong, before it is known how HTTP says it. */
export interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: readonly FieldError[];
  /** When to come again, where the failure knows it. */
  readonly retryAfterSeconds?: number;
}

interface ErrorEnvelope {
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly request_id: string;
    readonly occurred_at: string;
    readonly actor: Record<string, string> | null;
    readonly details?: readonly FieldError[];
    readonly docs_url: string;
  };
}

/** The caller as the envelope shows it; null for operators and without a valid key. */
function actorOf(scope: Scope | null): Record<string, string> | null {
  if (scope === null || scope.actor.type !== 'member') return null;
  const { user_id, membership_id, role } = scope.actor;
  return { user_id, membership_id, role, environment: scope.environment };
}

/** The envelope of every answer that is not a success. */
export function errorEnvelope(
  failure: Failure,
  request: { id: string; scope: Scope | null; publicUrl: string },
): ErrorEnvelope {
  return {
    error: {
      code: failure.code,
      message: failure.message,
      request_id: request.id,
      occurred_at: new Date().toISOString(),
      actor: actorOf(request.scope),
      ...(failure.details.length === 0 ? {} : { details: failure.details }),
      docs_url: `${request.publicUrl}/docs/errors#${failure.code}`,
    },
  };
}

/** A failure by code with the catalogue's text. */
export function failureOf(code: ErrorCode, message?: string): Failure {
  return { code, message: message ?? catalogue[code].meaning, details: [] };
}

/** What a command threw, to be told as it is. */
export function failureOfDomain(error: DomainError): Failure {
  const { code, message, details, retryAfterSeconds } = error;
  return { code, message, details, ...(retryAfterSeconds === null ? {} : { retryAfterSeconds }) };
}

/** Where REST has another name for an argument than GraphQL. */
const restNames: Record<string, string> = { first: 'limit', after: 'cursor' };

/** Reads a failure out of a GraphQL error of our own schema. */
export function failureFromGraphql(error: {
  message: string;
  extensions?: Record<string, unknown> | undefined;
}): Failure {
  const code = error.extensions?.['code'];
  const details = error.extensions?.['details'];
  if (!isErrorCode(code)) return failureOf('internal_error');
  const retryAfterSeconds = retryAfterOf(error);
  return {
    ...(retryAfterSeconds === null ? {} : { retryAfterSeconds }),
    code,
    message: error.message,
    // The domain and the connections spell fields as GraphQL does.
    details: Array.isArray(details)
      ? (details as FieldError[]).map((d) => ({
          ...d,
          field: restNames[d.field] ?? toSnakeCase(d.field),
        }))
      : [],
  };
}
