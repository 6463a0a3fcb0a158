import { setTimeout as sleep } from 'node:timers/promises';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** How many times the request was sent. */
  readonly attempts: number;
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  /** The body of each attempt; a function where each attempt needs another body. */
  readonly body?: Readonly<Record<string, unknown>> | ((attempt: number) => object);
  /**
   * For a POST that is not idempotent: called before each retry to find out whether the previous
   * attempt took effect. If it returns an answer, that becomes the answer of the call.
   */
  readonly recover?: () => Promise<Answer | null>;
}

export interface Client {
  /** Sends a call until it gets an answer that a retry would not change. Throws ServiceAway, or the abort's reason. */
  call(call: Call): Promise<Answer>;
  authenticate(key: string): void;
}

interface ClientOptions {
  readonly baseUrl: string;
  /** How long one call is retried. */
  readonly retryMs: number;
  readonly signal: AbortSignal;
}

/** The service did not answer, or only with 429 and 5xx, for as long as a call is retried. */
export class ServiceAway extends Error {
  constructor({ method, path }: Call, lastOutcome: string, options?: ErrorOptions) {
    super(`${method} ${path}: no final answer; the last outcome was ${lastOutcome}`, options);
    this.name = 'ServiceAway';
  }
}

/** Longer than the 10 s that an enroll request waits for the provider. */
const attemptMs = 20_000;
const firstDelayMs = 100;
const longestDelayMs = 2_000;

const isFinal = (status: number): boolean => status < 500 && status !== 429;

/** Exponential with jitter; a Retry-After in seconds is honoured (RFC 9110, section 10.2.3). */
function delayAfter(attempt: number, headers: Headers | undefined): number {
  const retryAfter = Number(headers?.get('Retry-After') ?? '');
  if (retryAfter > 0) return retryAfter * 1_000;
  const delay = Math.min(firstDelayMs * 2 ** (attempt - 1), longestDelayMs);
  return delay * (0.75 + Math.random() / 2);
}

/** The stable code of an error answer, or an empty string. */
export function errorCode({ text }: Answer): string {
  try {
    const { error } = JSON.parse(text) as { error?: { code?: unknown } };
    return typeof error?.code === 'string' ? error.code : '';
  } catch {
    return '';
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return code === '' ? error.message : code;
}

/**
 * An HTTP client that survives restarts of the service. Refused and cut connections, 5xx and 429
 * are retried with the same body, and so with the same idempotency key.
 */
export function createClient({ baseUrl, retryMs, signal }: ClientOptions): Client {
  let key = '';

  async function attempt({ method, path, body }: Call, attempts: number): Promise<Answer> {
    const sent = typeof body === 'function' ? body(attempts) : body;
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        ...(key === '' ? {} : { Authorization: `Bearer ${key}` }),
        ...(sent === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(attemptMs)]),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, attempts };
  }

  async function call(wanted: Call): Promise<Answer> {
    const end = Date.now() + retryMs;
    for (let attempts = 1; ; attempts += 1) {
      let outcome = '';
      let headers: Headers | undefined;
      let cause: unknown;
      try {
        const recovered = attempts > 1 ? await wanted.recover?.() : null;
        if (recovered) return { ...recovered, attempts };
        const answer = await attempt(wanted, attempts);
        if (isFinal(answer.status)) return answer;
        outcome = `${answer.status} ${errorCode(answer)}`;
        headers = answer.headers;
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof ServiceAway) throw error;
        outcome = describe(error);
        cause = error;
      }
      const delay = delayAfter(attempts, headers);
      if (Date.now() + delay > end) throw new ServiceAway(wanted, outcome, { cause });
      await sleep(delay, undefined, { signal });
    }
  }

  return {
    call,
    authenticate: (next) => {
      key = next;
    },
  };
}
