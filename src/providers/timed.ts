import { performance } from 'node:perf_hooks';
import type { ProviderPort } from './port.ts';
import type { Providers } from './registry.ts';

/** A view of the providers that knows how long it waited for them. */
export interface TimedProviders {
  readonly providers: Providers;
  /** How long the calls through this view took together on its clock, in milliseconds; null where there was none. */
  tookMs(): number | null;
}

/**
 * The time in which this process had nothing to do, in milliseconds: a clock that stands still while it is busy, since
 * an answer that waits to be read is not late.
 */
const idleMs = (): number => performance.eventLoopUtilization().idle;

/** @param now milliseconds of a clock that does not run backwards */
export function timeProviders(providers: Providers, now: () => number = idleMs): TimedProviders {
  let took: number | null = null;

  async function timed<T>(call: () => Promise<T>): Promise<T> {
    const startedAt = now();
    try {
      return await call();
    } finally {
      took = (took ?? 0) + now() - startedAt;
    }
  }

  const viewOf = (port: ProviderPort): ProviderPort => ({
    ...port,
    enroll: (request, signal) => timed(() => port.enroll(request, signal)),
    submit: (request, signal) => timed(() => port.submit(request, signal)),
    lookUp: (request, signal) => timed(() => port.lookUp(request, signal)),
  });
  const view = (port: ProviderPort | null): ProviderPort | null => port && viewOf(port);

  return {
    providers: {
      ...providers,
      forEnvironment: (environment) => view(providers.forEnvironment(environment)),
      byName: (name) => view(providers.byName(name)),
      connection: (account) => viewOf(providers.connection(account)),
    },
    tookMs: () => took,
  };
}
