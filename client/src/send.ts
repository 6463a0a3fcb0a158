import { ApiError, ConnectionError, type FieldError } from './errors.ts';
import type { ErrorEnvelope } from './generated/types.gen.ts';
import type { Prepared } from './request.ts';
import { isWorthAnother, waitAfter, type Outcome } from './retry.ts';

/** How a request is sent. */
export interface Sending {
  readonly fetch: typeof fetch;
  /** The longest that one attempt may take, to the last byte of the answer. */
  readonly timeoutMs: number;
  /** How many times a request is sent again at most. */
  readonly maxRetries: number;
  /** No attempt begins later than this after the first one. */
  readonly retryForMs: number;
  readonly signal: AbortSignal | undefined;
}

/** A success whose body is not what the operation answers, such as the page of a proxy. */
export class Unreadable extends Error {}

type Attempt<Value> =
  | { readonly kind: 'answer'; readonly value: Value }
  | { readonly kind: 'unreadable'; readonly response: Response; readonly error: Unreadable }
  | { readonly kind: 'refused'; readonly response: Response; readonly text: string }
  | { readonly kind: 'none'; readonly error: unknown; readonly timedOut: boolean };

/** A timer of a browser or of Node runs out at once where it is set for longer. */
const longestTimerMs = 2 ** 31 - 1;

const after = (ms: number, act: () => void) => setTimeout(act, Math.min(ms, longestTimerMs));

/** One attempt. `read` takes what is wanted of a good answer; a connection that breaks off then is none. */
async function attemptOnce<Value>(
  { method, url, headers, body }: Prepared,
  { fetch: send, timeoutMs, signal }: Sending,
  read: (response: Response) => Promise<Value>,
): Promise<Attempt<Value>> {
  const timeout = new AbortController();
  const timer = after(timeoutMs, () => timeout.abort());
  let response: Response | undefined;
  try {
    response = await send(url, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      // A redirect could lead a write, and the key, to another server.
      redirect: 'error',
      signal: signal === undefined ? timeout.signal : AbortSignal.any([signal, timeout.signal]),
    });
    if (response.status < 400) return { kind: 'answer', value: await read(response) };
    return { kind: 'refused', response, text: await response.text() };
  } catch (error) {
    signal?.throwIfAborted();
    if (response !== undefined && error instanceof Unreadable) {
      return { kind: 'unreadable', response, error };
    }
    return { kind: 'none', error, timedOut: timeout.signal.aborted };
  } finally {
    clearTimeout(timer);
  }
}

function isFieldError(value: unknown): value is FieldError {
  if (typeof value !== 'object' || value === null) return false;
  const { field, code, message }: Partial<Record<keyof FieldError, unknown>> = value;
  return [field, code, message].every((text) => typeof text === 'string');
}

/** What an error has of the form that the service gives it. */
function wellFormed(error: object): Partial<ErrorEnvelope['error']> {
  const all = Object.entries(error);
  const texts = Object.fromEntries(all.filter(([, value]) => typeof value === 'string'));
  const details: unknown = all.find(([name]) => name === 'details')?.[1];
  return { ...texts, details: Array.isArray(details) ? details.filter(isFieldError) : [] };
}

/** The error of an envelope; null for a body that is none, such as a proxy's page. */
function errorIn(text: string): Partial<ErrorEnvelope['error']> | null {
  try {
    const { error } = JSON.parse(text) as { readonly error?: unknown };
    return typeof error === 'object' && error !== null ? wellFormed(error) : null;
  } catch {
    return null;
  }
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      // The caller's own reason, whatever it is.
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors
      reject(signal?.reason);
    };
    const timer = after(ms, () => {
      signal?.removeEventListener('abort', stop);
      resolve();
    });
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** Why a fetch failed; Node has the reason, such as ECONNREFUSED, in the cause of a general error. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (typeof cause === 'object' && cause !== null && 'code' in cause) return String(cause.code);
  return cause instanceof Error ? cause.message : String(cause);
}

function failure(prepared: Prepared, attempt: Attempt<never>, attempts: number): Error {
  const { name, idempotencyKey } = prepared;
  if (attempt.kind === 'none') {
    const { error: cause, timedOut } = attempt;
    const what = timedOut ? 'it took too long' : reasonOf(cause);
    const message = `${name}: no answer to attempt ${attempts}: ${what}`;
    return new ConnectionError(message, { timedOut, idempotencyKey, attempts, cause });
  }
  if (attempt.kind === 'answer') throw new TypeError('an answer is no failure');
  const { status, headers } = attempt.response;
  const error = attempt.kind === 'refused' ? errorIn(attempt.text) : attempt.error;
  return new ApiError({ status, headers, error, idempotencyKey, attempts });
}

function outcomeOf(attempt: Exclude<Attempt<never>, { kind: 'answer' }>): Outcome {
  if (attempt.kind === 'none') return { kind: 'none' };
  const { status, headers } = attempt.response;
  const code = attempt.kind === 'refused' ? errorIn(attempt.text)?.code : undefined;
  return { kind: 'answer', status, headers, code: code ?? '' };
}

/**
 * Sends a request until it gets an answer that another attempt would not change, and reads it. Throws
 * ApiError, ConnectionError, or the reason of the caller's signal.
 */
export async function send<Value>(
  prepared: Prepared,
  sending: Sending,
  read: (response: Response) => Promise<Value>,
): Promise<Value> {
  const { maxRetries, retryForMs, signal } = sending;
  signal?.throwIfAborted();
  const end = Date.now() + retryForMs;
  for (let attempts = 1; ; attempts += 1) {
    const attempt = await attemptOnce(prepared, sending, read);
    if (attempt.kind === 'answer') return attempt.value;
    const outcome = outcomeOf(attempt);
    const wait = waitAfter(attempts, outcome);
    const again = attempts <= maxRetries && isWorthAnother(outcome, prepared);
    if (!again || Date.now() + wait > end) throw failure(prepared, attempt, attempts);
    await pause(wait, signal);
  }
}
