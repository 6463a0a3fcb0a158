import type Stripe from 'stripe';
import type { z } from 'zod';
import { createHttpCaller, type Turn } from '../http-caller.ts';
import { errorOfAnswer, unreadable } from './verdict.ts';

/** The version whose shapes this adapter reads. */
const apiVersion = '2026-10-28.endive' satisfies typeof Stripe.API_VERSION;

export interface Question {
  readonly path: string;
  readonly key?: string;
  readonly body?: object;
  /** Whom Stripe is asked for, in place of the platform itself. */
  readonly context?: string;
}

/** One request. Throws ProviderError where it is refused, or where its answer has not the shape. */
export type Ask = <Schema extends z.ZodType>(
  shape: Schema,
  question: Question,
  signal: AbortSignal | undefined,
) => Promise<z.output<Schema>>;

interface StripeClient {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** What no answer may bring back, the key among them. */
  readonly secrets: readonly string[];
  readonly turn: Turn | undefined;
}

/** Asks Stripe by version 2 of its API. */
export function createStripeClient({ baseUrl, apiKey, secrets, turn }: StripeClient) {
  const caller = createHttpCaller(baseUrl, secrets, turn);
  const ask: Ask = async (shape, { path, key, body, context }, signal) => {
    const headers = {
      authorization: `Bearer ${apiKey}`,
      'stripe-version': apiVersion,
      ...(key !== undefined && { 'idempotency-key': key }),
      ...(context !== undefined && { 'stripe-context': context }),
    };
    const method = body === undefined ? 'GET' : 'POST';
    const answer = await caller.send({ method, path, headers, body }, signal);
    if (answer.status < 200 || answer.status > 299) throw errorOfAnswer(answer);
    const read = shape.safeParse(answer.json);
    if (!read.success) throw unreadable(answer.status);
    return read.data;
  };
  return { ask, close: () => caller.close() };
}
