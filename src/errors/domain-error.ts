import { catalogue, type ErrorCode } from './catalogue.ts';

/** One rejected field: `field` is the path in the caller's input, `code` is stable, `message` may change. */
export interface FieldError {
  readonly field: string;
  readonly code: string;
  readonly message: string;
  /** Of FUNDING_INSUFFICIENT: what is available and what is missing, in minor units of `currency`. */
  readonly currency?: string;
  readonly available_minor?: number;
  readonly shortfall_minor?: number;
}

interface DomainErrorOptions extends ErrorOptions {
  /** Replaces the catalogue's message where the case has more to say, for example the rail's reason. */
  readonly message?: string;
  readonly details?: readonly FieldError[];
  /** When to come again, where that is known: it becomes the answer's Retry-After. */
  readonly retryAfterSeconds?: number;
  /** Of forbidden: the permission that the caller's role lacks. */
  readonly permission?: string;
}

/**
 * The one error that callers are told about. Domain code throws it, GraphQL puts code and details
 * into `extensions`, REST maps it by the catalogue. Anything else that is thrown is a fault of the
 * service, and callers get `internal_error`.
 */
export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly details: readonly FieldError[];
  /** Null where the error does not say when to come again. */
  readonly retryAfterSeconds: number | null;
  /** Null where no permission would do. */
  readonly permission: string | null;

  constructor(code: ErrorCode, options: DomainErrorOptions = {}) {
    super(
      options.message ?? catalogue[code].meaning,
      'cause' in options ? { cause: options.cause } : undefined,
    );
    this.name = 'DomainError';
    this.code = code;
    this.details = options.details ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
    this.permission = options.permission ?? null;
  }
}

/** A `validation_failed` with its fields. */
export function invalid(details: readonly FieldError[]): DomainError {
  return new DomainError('validation_failed', { details });
}

/** A `not_found` that names what was asked for; whether another tenant has it stays unsaid. */
export function notFound(
  what: 'API key' | 'beneficiary' | 'collection request' | 'screening hit',
): DomainError {
  return new DomainError('not_found', {
    message: `The ${what} does not exist or is outside your environment.`,
  });
}
