import type { Dispatcher } from 'undici';
import { traceHeaders } from '../process/tracing.ts';
import { ProviderError } from './port.ts';

export interface HttpQuestion {
  readonly method: 'GET' | 'POST';
  /** Begins with a slash; its variable parts are encoded by the caller. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
}

export interface HttpAnswer {
  readonly status: number;
  /** Undefined where the answer is not JSON, or too large. */
  readonly json: unknown;
  /** ISO 8601: when it was given, by the provider's clock; null where it does not say. */
  readonly date: string | null;
}

/**
 * Waits until one more request may be sent by the limit that the provider told, which all processes keep together. Throws
 * ProviderError `retry` where that is too far away.
 */
export type Turn = (signal: AbortSignal | undefined) => Promise<void>;

export interface HttpCaller {
  /**
   * Sends one request. Throws ProviderError: `retry` where no connection was made, `unknown` for everything else.
   * Any answer is returned, whatever its status.
   */
  send(question: HttpQuestion, signal: AbortSignal | undefined): Promise<HttpAnswer>;
  /** Ends the connections once the calls under way are done. */
  close(): Promise<void>;
}

const answerLimitBytes = 1024 * 1024;

/** Only a last resort: the caller's signal ends a call much earlier. */
const timeouts = { connect: { timeout: 5_000 }, headersTimeout: 60_000, bodyTimeout: 60_000 };

/** Loaded with the first call, since the API process makes none and the modules take 8 MB. */
async function openConnections() {
  const { Agent, request } = await import('undici');
  return {
    request,
    agent: new Agent({ ...timeouts, connections: 128, keepAliveTimeout: 30_000 }),
  };
}

/** Whether an error arose while the connection was being made, so that no request was sent. */
function neverConnected(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // Several addresses were tried, and each of them must have failed in this way.
  if (error instanceof AggregateError && error.errors.length > 0) {
    return error.errors.every(neverConnected);
  }
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return true;
  return syscall === 'connect' || syscall === 'getaddrinfo';
}

/**
 * What an exception of the HTTP client means for the money: `retry` when no connection was ever
 * made, `unknown` for everything else. Of the exception's own text only the code is kept.
 */
export function errorOfException(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  const code =
    error instanceof Error && 'code' in error && typeof error.code === 'string'
      ? error.code
      : 'no code';
  return neverConnected(error)
    ? new ProviderError('retry', 'other', `The provider cannot be reached (${code}).`)
    : new ProviderError('unknown', 'other', `The call to the provider was cut short (${code}).`);
}

/** The text of an answer, or null when it is too large. */
async function readText(body: Dispatcher.ResponseData['body']): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    const bytes = Buffer.from(chunk as Uint8Array);
    size += bytes.length;
    if (size > answerLimitBytes) return null;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function dateOf(header: string | string[] | undefined): string | null {
  const time = Date.parse(String(header));
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

/** An answer that repeats a credential must not carry it into an error, and from there into a log. */
function parseWithout(secrets: readonly string[], text: string): unknown {
  const hide = (_key: string, value: unknown): unknown =>
    typeof value === 'string'
      ? secrets.reduce((rest, secret) => rest.replaceAll(secret, '****'), value)
      : value;
  try {
    return JSON.parse(text, hide);
  } catch {
    return undefined;
  }
}

/**
 * An HTTP client for adapters. It keeps its connections, bounds what it reads, and never follows a redirect or
 * repeats a request.
 * @param baseUrl where the provider listens; its path, if any, comes before every request's
 * @param secrets what no answer may bring back
 * @param turn absent where the provider told no limit
 */
export function createHttpCaller(
  baseUrl: string,
  secrets: readonly string[],
  turn?: Turn,
): HttpCaller {
  let connections: ReturnType<typeof openConnections> | null = null;
  const base = baseUrl.replace(/\/+$/, '');
  return {
    async send({ method, path, headers, body }, signal) {
      try {
        await turn?.(signal);
        connections ??= openConnections();
        const { agent, request } = await connections;
        const response = await request(`${base}${path}`, {
          dispatcher: agent,
          method,
          headers: {
            ...headers,
            ...traceHeaders(),
            ...(body !== undefined && { 'content-type': 'application/json' }),
          },
          body: body === undefined ? null : JSON.stringify(body),
          signal: signal ?? null,
        });
        const text = await readText(response.body);
        const json = text === null ? undefined : parseWithout(secrets, text);
        return { status: response.statusCode, json, date: dateOf(response.headers['date']) };
      } catch (error) {
        throw errorOfException(error);
      }
    },
    async close() {
      await (await connections)?.agent.close();
    },
  };
}
