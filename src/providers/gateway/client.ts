import type { Dispatcher } from 'undici';
import type { z } from 'zod';
import { traceHeaders } from '../../process/tracing.ts';
import { ProviderError } from '../port.ts';
import { errorOfAnswer, errorOfException } from './verdict.ts';

export interface GatewayAccess {
  /** Stored on payouts and part of the path of its events. No two providers share one. */
  readonly name: string;
  /** Where the provider listens. Its path, if any, comes before every request's. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly webhookSecret: string;
}

interface Question<Schema extends z.ZodType> {
  readonly method: 'GET' | 'POST';
  /** Begins with a slash; its variable parts are encoded by the caller. */
  readonly path: string;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  /** Statuses that are a definite no for this call, beyond the usual ones. */
  readonly definite?: readonly number[];
  /** The shape of a 2xx answer. */
  readonly answer: Schema;
}

export interface GatewayClient {
  /** Sends one request. Throws ProviderError with the verdict of what went wrong. */
  ask<Schema extends z.ZodType>(
    question: Question<Schema>,
    signal: AbortSignal | undefined,
  ): Promise<z.output<Schema>>;
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

/** The JSON of an answer, or undefined when it is not JSON or too large. */
async function readAnswer(body: Dispatcher.ResponseData['body']): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    const bytes = Buffer.from(chunk as Uint8Array);
    size += bytes.length;
    if (size > answerLimitBytes) return undefined;
    chunks.push(bytes);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return undefined;
  }
}

/** An HTTP client that keeps its connections, and never follows a redirect or repeats a request. */
export function createGatewayClient(access: GatewayAccess): GatewayClient {
  let connections: ReturnType<typeof openConnections> | null = null;
  const base = access.baseUrl.replace(/\/+$/, '');

  async function exchange<Schema extends z.ZodType>(
    question: Question<Schema>,
    signal: AbortSignal | undefined,
  ): Promise<z.output<Schema>> {
    const headers: Record<string, string> = {
      authorization: `Bearer ${access.apiKey}`,
      ...traceHeaders(),
    };
    if (question.body !== undefined) headers['content-type'] = 'application/json';
    if (question.idempotencyKey !== undefined) {
      headers['idempotency-key'] = question.idempotencyKey;
    }
    connections ??= openConnections();
    const { agent, request } = await connections;
    const response = await request(`${base}${question.path}`, {
      dispatcher: agent,
      method: question.method,
      headers,
      body: question.body === undefined ? null : JSON.stringify(question.body),
      signal: signal ?? null,
    });
    const { statusCode } = response;
    const json = await readAnswer(response.body);
    if (statusCode < 200 || statusCode > 299) {
      throw errorOfAnswer(statusCode, json, question.definite);
    }
    const parsed = question.answer.safeParse(json);
    if (parsed.success) return parsed.data;
    throw new ProviderError(
      'unknown',
      'other',
      `The provider's answer ${statusCode} could not be read.`,
    );
  }

  return {
    async ask(question, signal) {
      try {
        return await exchange(question, signal);
      } catch (error) {
        throw errorOfException(error);
      }
    },
    async close() {
      await (await connections)?.agent.close();
    },
  };
}
