import type { z } from 'zod';
import { createHttpCaller } from '../http-caller.ts';
import { ProviderError } from '../port.ts';
import { errorOfAnswer } from './verdict.ts';

export interface GatewayAccess {
  /** Stored on payouts and part of the path of its events. No two providers share one. */
  readonly name: string;
  /** Where the provider listens. Its path, if any, comes before every request's. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** What may sign its events: the current secret, and the one before while it is rotated. */
  readonly webhookSecrets: readonly string[];
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

/** The calls of the protocol: its headers, and its answers checked. */
export function createGatewayClient(access: GatewayAccess): GatewayClient {
  const caller = createHttpCaller(access.baseUrl, [access.apiKey, ...access.webhookSecrets]);
  return {
    async ask({ method, path, body, idempotencyKey: key, definite, answer }, signal) {
      const headers = {
        authorization: `Bearer ${access.apiKey}`,
        ...(key !== undefined && { 'idempotency-key': key }),
      };
      const { status, json } = await caller.send({ method, path, headers, body }, signal);
      if (status < 200 || status > 299) throw errorOfAnswer(status, json, definite);
      const parsed = answer.safeParse(json);
      if (parsed.success) return parsed.data;
      throw new ProviderError(
        'unknown',
        'other',
        `The provider's answer ${status} could not be read.`,
      );
    },
    close: () => caller.close(),
  };
}
