import type { Config } from '../process/config.ts';
import type { BreakerSettings, CircuitState } from './breaker.ts';
import { guardProvider } from './guard.ts';
import type { ProviderCall } from './guard.ts';
import type { ProviderPort } from './port.ts';
import { createSandboxProvider } from './gateway/adapter.ts';
import type { SandboxControl } from './gateway/control.ts';

/** Where a provider is, and the credentials for it. */
export interface ProviderAccess {
  readonly url: string;
  readonly apiKey: string;
  readonly webhookSecret: string;
}

export interface ProviderSettings {
  readonly sandbox: ProviderAccess;
  /** Null: production payouts wait. */
  readonly production: (ProviderAccess & { readonly name: NonNullable<Config['PROVIDER']> }) | null;
  /** How long one call may take. */
  readonly timeoutMs: number;
  readonly breaker?: BreakerSettings;
  readonly onCall?: (call: ProviderCall) => void;
}

export interface Providers {
  /**
   * The provider that pays for an environment, or null where none is configured. The sandbox has
   * the simulator and never anything else (invariant M7).
   */
  forEnvironment(environment: 'sandbox' | 'production'): ProviderPort | null;
  /** The provider with the name that is stored on payouts and stands in its webhook path. */
  byName(name: string): ProviderPort | null;
  /** Where this process's circuit to each provider stands, by the provider's name. */
  circuits(): Readonly<Record<string, CircuitState>>;
  /** What callers of the sandbox may make happen at its provider. */
  readonly sandboxControl: SandboxControl;
  /** Ends the connections once the calls under way are done. */
  close(): Promise<void>;
}

/** Open soon enough to spare a failing provider, closed again within seconds of its recovery. */
const usualBreaker: BreakerSettings = { failures: 10, coolDownMs: 5_000 };

/** Makes every provider, each behind its guard. */
export function createProviders(settings: ProviderSettings): Providers {
  const make = (name: string, { url, apiKey, webhookSecret }: ProviderAccess) => {
    const adapter = createSandboxProvider({ name, baseUrl: url, apiKey, webhookSecret });
    const guarded = guardProvider(adapter, {
      timeoutMs: settings.timeoutMs,
      breaker: settings.breaker ?? usualBreaker,
      ...(settings.onCall && { onCall: settings.onCall }),
    });
    return { adapter, guarded };
  };
  const sandbox = make('simulator', settings.sandbox);
  const { production: access } = settings;
  const production = access === null ? null : make(access.name, access);
  const all = production === null ? [sandbox] : [sandbox, production];
  return {
    forEnvironment: (environment) =>
      (environment === 'sandbox' ? sandbox : production)?.guarded ?? null,
    byName: (name) => all.find(({ guarded }) => guarded.name === name)?.guarded ?? null,
    circuits: () => Object.fromEntries(all.map(({ guarded }) => [guarded.name, guarded.circuit()])),
    sandboxControl: sandbox.adapter.control,
    async close() {
      await Promise.all(all.map(({ adapter }) => adapter.close()));
    },
  };
}
