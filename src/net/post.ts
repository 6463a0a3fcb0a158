import { errors, type Dispatcher } from 'undici';
import { TlsError } from './guarded-agent.ts';
import { LookupError, RefusedTargetError } from './resolve.ts';
import { parseRetryAfter } from './retry-after.ts';

/**
 * Why there is no answer. `aborted`: the caller's signal ended it. `protocol`: what came is not an
 * HTTP answer. `request`: the request itself could not be made.
 */
export type PostErrorCode =
  | 'timeout'
  | 'aborted'
  | 'refused_target'
  | 'dns'
  | 'tls'
  | 'connection'
  | 'protocol'
  | 'request';

export type PostOutcome =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly latencyMs: number;
      /** The beginning of the answer's body as text that PostgreSQL can hold. */
      readonly excerpt: string;
      /** What Retry-After asks for, from the time of the answer. */
      readonly retryAfterMs: number | null;
    }
  | {
      readonly kind: 'error';
      readonly code: PostErrorCode;
      readonly message: string;
      readonly latencyMs: number;
    };

export interface PostOptions {
  /** From `createGuardedAgent`. */
  readonly agent: Dispatcher;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Time for everything: resolution, connection, request and answer. */
  readonly deadlineMs?: number;
  /** Bytes of the answer's body that are read; the connection is closed on a longer one. */
  readonly answerCap?: number;
  /** Bytes of it that are kept. */
  readonly excerpt?: number;
  readonly signal?: AbortSignal;
  /** Milliseconds since 1970, for a Retry-After with a date. */
  readonly now?: () => number;
}

interface PostResponse {
  readonly status: number;
  readonly excerpt: string;
  readonly retryAfterMs: number | null;
}

class EndedError extends Error {
  readonly code: 'timeout' | 'aborted';

  constructor(code: 'timeout' | 'aborted', message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Posts a body and says what came of it, within a deadline and reading a bounded part of the answer. A
 * redirect is not followed: it is an answer like any other. An answer that breaks off is an error, whatever its status:
 * the receiver may have failed half-way. Never throws.
 */
export async function postSigned(options: PostOptions): Promise<PostOutcome> {
  const { deadlineMs = 15_000, signal } = options;
  const started = performance.now();
  const latencyMs = (): number => Math.round(performance.now() - started);
  const ending = new AbortController();
  const ended = Promise.withResolvers<never>();
  // undici looks at a signal only once it is connected, so the end is a race of our own as well.
  const end = (error: EndedError): void => {
    ended.reject(error);
    ending.abort(error);
  };
  const abort = (): void => end(new EndedError('aborted', 'The delivery was broken off.'));
  const timer = setTimeout(() => {
    end(new EndedError('timeout', `No complete answer within ${deadlineMs} ms.`));
  }, deadlineMs);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    if (signal?.aborted === true) abort();
    const answer = await Promise.race([ended.promise, exchange(options, ending.signal)]);
    return { kind: 'answer', ...answer, latencyMs: latencyMs() };
  } catch (error) {
    return { kind: 'error', ...explain(error), latencyMs: latencyMs() };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

async function exchange(options: PostOptions, signal: AbortSignal): Promise<PostResponse> {
  const { agent, headers, body, answerCap = 65_536, excerpt = 1_024, now = Date.now } = options;
  const url = URL.parse(options.url);
  if (url?.protocol !== 'https:') throw new RefusedTargetError('The URL is not an https URL.');
  const response = await agent.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: 'POST',
    headers,
    body,
    signal,
    // The deadline holds for the whole; undici's own timers tick in seconds.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const retryAfter = response.headers['retry-after'];
  const retryAfterMs = parseRetryAfter(
    Array.isArray(retryAfter) ? retryAfter[0] : retryAfter,
    now(),
  );
  const beginning = await readBeginning(response.body, answerCap, excerpt);
  return { status: response.statusCode, excerpt: asText(beginning), retryAfterMs };
}

/** Reads to the end or to `cap`, whichever comes first, and keeps the first `keep` bytes. */
async function readBeginning(
  body: Dispatcher.ResponseData['body'],
  cap: number,
  keep: number,
): Promise<Buffer> {
  const kept: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    if (length < keep) kept.push(chunk.subarray(0, keep - length));
    length += chunk.length;
    // Leaving the loop destroys the body, and with it the connection.
    if (length >= cap) break;
  }
  return Buffer.concat(kept);
}

/** UTF-8 without a character cut in two; PostgreSQL's text cannot hold U+0000. */
function asText(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: true }).replaceAll('\0', '\ufffd');
}

function explain(error: unknown): { code: PostErrorCode; message: string } {
  return { code: codeOf(error), message: messageOf(error).slice(0, 300) };
}

function codeOf(error: unknown): PostErrorCode {
  if (
    error instanceof EndedError ||
    error instanceof RefusedTargetError ||
    error instanceof LookupError ||
    error instanceof TlsError
  ) {
    return error.code;
  }
  if (error instanceof errors.ConnectTimeoutError) return 'timeout';
  if (error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError) {
    return 'protocol';
  }
  if (error instanceof errors.InvalidArgumentError) return 'request';
  return 'connection';
}

/** Addresses tried in turn fail together in an AggregateError, whose own message is empty. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  return error instanceof Error && error.message !== '' ? error.message : 'The connection failed.';
}
