import type { ErrorCode } from './generated/operations.gen.ts';
import type { ErrorEnvelope } from './generated/types.gen.ts';

export type { ErrorCode };

/** One rejected field of a request, from `details` of the error. */
export interface FieldError {
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

/** A code of the error reference, or one that a newer service has added. */
export type AnyErrorCode = ErrorCode | (string & {});

interface Refusal {
  readonly status: number;
  readonly headers: Headers;
  readonly error: Partial<ErrorEnvelope['error']> | null;
  readonly idempotencyKey: string | null;
  readonly attempts: number;
}

/** The service refused a request, or failed at it. Decide by `code`: it is stable, the message is not. */
export class ApiError<Code extends AnyErrorCode = AnyErrorCode> extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** Empty where the answer is not of the service, for example that of a proxy. */
  readonly code: Code;
  /** To be given to the operator of the service. */
  readonly requestId: string | null;
  readonly details: readonly FieldError[];
  /** The section of the error reference. */
  readonly docsUrl: string | null;
  /** What Retry-After says; null without one. */
  readonly retryAfterSeconds: number | null;
  /** The key of the request: with it, sending the same request again takes effect once. */
  readonly idempotencyKey: string | null;
  /** How many times the request was sent. */
  readonly attempts: number;

  constructor({ status, headers, error, idempotencyKey, attempts }: Refusal) {
    super(error?.message ?? `The answer has the status ${status}.`);
    this.status = status;
    // The caller's type says which code it asked about; the service may have others.
    this.code = (error?.code ?? '') as Code;
    this.requestId = error?.request_id ?? headers.get('X-Request-Id');
    this.details = error?.details ?? [];
    this.docsUrl = error?.docs_url ?? null;
    this.retryAfterSeconds = secondsOf(headers.get('Retry-After'));
    this.idempotencyKey = idempotencyKey;
    this.attempts = attempts;
  }
}

/**
 * No answer came: the connection failed, broke off, or took longer than `timeoutMs`. Whether the
 * request took effect is not known. With an `idempotencyKey` send the same request again with that key;
 * otherwise ask first. `cause` is the error of `fetch`.
 */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly timedOut: boolean;
  readonly idempotencyKey: string | null;
  readonly attempts: number;

  constructor(
    message: string,
    given: {
      readonly timedOut: boolean;
      readonly idempotencyKey: string | null;
      readonly attempts: number;
      readonly cause: unknown;
    },
  ) {
    super(message, { cause: given.cause });
    this.timedOut = given.timedOut;
    this.idempotencyKey = given.idempotencyKey;
    this.attempts = given.attempts;
  }
}

/** Whether an error is an answer of the service, and, with codes, one of these. Narrows `code`. */
export function isApiError<Code extends ErrorCode = ErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is ApiError<Code> {
  if (!(error instanceof ApiError)) return false;
  return codes.length === 0 || codes.some((code) => code === error.code);
}

/** A date of HTTP begins with the day. Of other texts, such as `-5`, Date.parse makes some year. */
const dateOf = (header: string): number =>
  /^\s*(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(header) ? Date.parse(header) : Number.NaN;

/** Retry-After in seconds, from a number or a date (RFC 9110, section 10.2.3). */
export function secondsOf(header: string | null): number | null {
  if (header === null || header.trim() === '') return null;
  const seconds = /^\d+$/.test(header.trim())
    ? Number(header)
    : (dateOf(header) - Date.now()) / 1_000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : null;
}
