import type { ProviderPace } from './adapter.ts';
import { ProviderError } from './port.ts';

/** Gives a turn at a scope, or says that the next one is further away than `furthestMs`. */
export type SharedPace = (
  scope: string,
  perSecond: number,
  furthestMs: number,
  signal: AbortSignal | undefined,
) => Promise<boolean>;

/** A call waits for its turn for this part of its time, so that enough is left for the answer. */
const waitingPart = 0.5;

/** How the requests to each provider take turns, by the provider's name. */
export const turnsOf =
  (pace: SharedPace | undefined, timeoutMs: number) =>
  (provider: string): ProviderPace =>
  (perSecond) => {
    if (pace === undefined || perSecond === null) return undefined;
    return async (signal) => {
      if (await pace(provider, perSecond, timeoutMs * waitingPart, signal)) return;
      const message = 'The provider takes no more requests in these seconds.';
      throw new ProviderError('retry', 'other', message);
    };
  };
