import { setTimeout as sleep } from 'node:timers/promises';
import { conditionMs } from '../../support/patience.ts';

export interface Answer {
  readonly status: number;
  // The shape is what the caller asserts.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
  /** Whether an earlier try may have taken effect without its answer. */
  readonly repeated: boolean;
}

/** A caller that sends a request until it is answered for good, as integrators are told to. */
export type Caller = (method: string, path: string, body?: unknown) => Promise<Answer>;

/** Where the next request goes: one process after another, as a load balancer sends them. */
export type Address = () => string;

const attemptMs = 30_000;
const pauseMs = 50;

/** Throws when there is no final answer for very long. */
export function createCaller(address: Address, key: string | null): Caller {
  return async (method, path, body) => {
    const end = Date.now() + conditionMs;
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await once(`${address()}${path}`, method, key, body);
      if (typeof outcome !== 'string') return { ...outcome, repeated: attempt > 1 };
      if (Date.now() > end) throw new Error(`${method} ${path}: no final answer: ${outcome}`);
      await sleep(pauseMs);
    }
  };
}

/** An answer, or in words why there is none that is final. */
async function once(
  url: string,
  method: string,
  key: string | null,
  body: unknown,
): Promise<Omit<Answer, 'repeated'> | string> {
  try {
    const response = await fetch(url, {
      method,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(attemptMs),
    });
    const text = await response.text();
    if (response.status >= 500 || response.status === 429) return `${response.status} ${text}`;
    return { status: response.status, body: text === '' ? null : JSON.parse(text) };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
