import type { BreakerSettings } from './breaker.ts';
import { guardProvider } from './guard.ts';
import type { ProviderCall } from './guard.ts';
import type { ProviderPort } from './port.ts';
import { createSandboxProvider } from './sandbox/adapter.ts';
import type { SandboxControl } from './sandbox/control.ts';

export interface ProviderSettings {
  readonly sandbox: {
    readonly url: string;
    readonly apiKey: string;
    readonly webhookSecret: string;
  };
  /** How long one call may take. */
  readonly timeoutMs: number;
  readonly breaker?: BreakerSettings;
  readonly onCall?: (call: ProviderCall) => void;
}

export interface Providers {
  /**
   * The provider that pays for an environment, or null where none is configured. The sandbox has
   * the simulator and never anything else; no production provider is configured.
   */
  forEnvironment(environment: 'sandbox' | 'production'): ProviderPort | null;
  /** The provider with the name that is stored on payouts and stands in its webhook path. */
  byName(name: string): ProviderPort | null;
  /** What callers of the sandbox may make happen at its provider. */
  readonly sandboxControl: SandboxControl;
  /** Ends the connections once the calls under way are done. */
  close(): Promise<void>;
}

/** Open soon enough to spare a failing provider, closed again within seconds of its recovery. */
const usualBreaker: BreakerSettings = { failures: 10, coolDownMs: 5_000 };

/** Makes every provider, each behind its guard. */
export function createProviders(settings: ProviderSettings): Providers {
  const { url, apiKey, webhookSecret } = settings.sandbox;
  const adapter = createSandboxProvider({ baseUrl: url, apiKey, webhookSecret });
  const sandbox = guardProvider(adapter, {
    timeoutMs: settings.timeoutMs,
    breaker: settings.breaker ?? usualBreaker,
    ...(settings.onCall && { onCall: settings.onCall }),
  });
  return {
    forEnvironment: (environment) => (environment === 'sandbox' ? sandbox : null),
    byName: (name) => (name === sandbox.name ? sandbox : null),
    sandboxControl: adapter.control,
    close: () => adapter.close(),
  };
}
