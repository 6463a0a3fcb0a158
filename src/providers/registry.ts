import { z } from 'zod';
import type { Adapter, AdapterSettings, ConnectedProvider } from './adapter.ts';
import { missingSettings } from './adapter.ts';
import type { BreakerSettings, CircuitState } from './breaker.ts';
import { adapters, type AdapterName } from './adapters.ts';
import { createGateway } from './gateway/adapter.ts';
import type { SandboxControl } from './gateway/control.ts';
import { simulatorSettings } from './gateway/settings.ts';
import { guardProvider } from './guard.ts';
import type { ProviderCall, UnclearStatus } from './guard.ts';
import { createBankRail, fileCapabilities } from './bank/rail.ts';
import { schemeReaches } from './bank/reach.ts';
import { sampleFaults } from './bank/sample.ts';
import type { BankConnectionFacts, BankScheme } from './bank-connection.ts';
import type { PaymentFacts } from './capabilities.ts';
import { turnsOf, type SharedPace } from './turns.ts';
import { createOwnAccounts, type OwnAccount } from './own-accounts.ts';
import type { FileCapabilities, FileFault, FileRail, ProviderPort } from './port.ts';

const adapterNames = Object.keys(adapters) as [AdapterName, ...AdapterName[]];

/** The simulator's name on payouts and in the path of its events. No adapter may have it. */
const simulatorName = 'simulator';

type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

/** The settings of all adapters. */
export const adapterSettings = Object.assign(
  {},
  ...Object.values(adapters).map(({ settings }) => settings),
) as Intersection<(typeof adapters)[AdapterName]['settings']>;

const choices = Object.entries<Adapter>(adapters)
  .map(([name, { description }]) => `\`${name}\`: ${description}`)
  .join(' ');

function areDistinct(names: readonly string[]): boolean {
  return new Set(names).size === names.length;
}

/** Every setting of the providers, for `src/process/config.ts`. */
export const providerSettings = {
  ...simulatorSettings,
  PROVIDER: {
    schema: z
      .string()
      .transform((names) => names.split(',').map((name) => name.trim()))
      .pipe(z.array(z.enum(adapterNames)).refine(areDistinct, 'names an adapter twice')),
    fallback: null,
    description: `The adapters that pay in production, separated by commas. The first pays for businesses without routes; routes may name each of them. One stays in the list while payouts are under way with it. ${choices} Absent: production payouts wait, but for those whose route leads to a bank.`,
  },
  ...adapterSettings,
} as const;

/** The settings that the chosen adapters require and that are not set; none where `PROVIDER` is malformed. */
export function missingProviderSettings(values: Readonly<Record<string, unknown>>): string[] {
  const chosen = (values['PROVIDER'] ?? []) as readonly string[];
  return Object.entries<Adapter<AdapterSettings>>(adapters)
    .filter(([name]) => chosen.includes(name))
    .flatMap(([, { settings }]) => missingSettings(settings, values));
}

/** The values that the registry reads by name; an adapter reads its own. */
interface ProviderValues {
  readonly SIMULATOR_URL: string;
  readonly SIMULATOR_API_KEY: string;
  readonly SIMULATOR_WEBHOOK_SECRET: string;
  /** The default first. Null: production payouts wait. */
  readonly PROVIDER: readonly AdapterName[] | null;
}

export interface ProviderOptions {
  readonly settings: ProviderValues & Readonly<Record<string, unknown>>;
  /** How long one call may take. */
  readonly timeoutMs: number;
  readonly breaker?: BreakerSettings;
  /** Gives turns to the requests of all processes together; without it no limit is kept. */
  readonly pace?: SharedPace;
  readonly onCall?: (call: ProviderCall) => void;
  readonly onUnclear?: (told: UnclearStatus) => void;
}

export interface Providers {
  /**
   * The provider that pays in an environment for tenants without routes, or null where none is configured.
   * The sandbox has the simulator and never anything else, so that test payouts cannot move money.
   */
  forEnvironment(environment: 'sandbox' | 'production'): ProviderPort | null;
  /** The names of the called providers that a route of an environment may lead to. */
  namesIn(environment: 'sandbox' | 'production'): readonly string[];
  /** The rail of an account at a bank. */
  bank(connection: BankConnectionFacts): FileRail;
  /** What an account at a bank pays by its schemes. */
  bankCapabilities(
    connection: Pick<BankConnectionFacts, 'maxPayments' | 'schemes'>,
  ): FileCapabilities;
  /** What stands in the way of writing files of one scheme with what is known of a connection. */
  fileFaults(connection: BankConnectionFacts, scheme: BankScheme): Promise<readonly FileFault[]>;
  /** Whether a scheme of a bank pays any such payment at all. */
  schemeReaches(scheme: BankScheme, facts: PaymentFacts): boolean;
  /**
   * The provider of a connection, with a guard of its own. It is made once for a version of the connection. Throws where
   * the adapter does not take the values.
   */
  connection(account: OwnAccount): ProviderPort;
  /** The provider with the name that is stored on payouts and is part of its webhook path. */
  byName(name: string): ProviderPort | null;
  /** The state of this process's circuit to each provider, by the provider's name. */
  circuits(): Readonly<Record<string, CircuitState>>;
  /** What callers of the sandbox may make happen at its provider. */
  readonly sandboxControl: SandboxControl;
  /** Ends the connections once the calls under way are done. */
  close(): Promise<void>;
}

/** Open soon enough to spare a failing provider, closed again within seconds of its recovery. */
const usualBreaker: BreakerSettings = { failures: 10, coolDownMs: 5_000 };

/** Makes every provider, each behind its guard. */
export function createProviders({ settings, ...options }: ProviderOptions): Providers {
  const guard = (port: ProviderPort) =>
    guardProvider(port, {
      timeoutMs: options.timeoutMs,
      breaker: options.breaker ?? usualBreaker,
      ...(options.onCall && { onCall: options.onCall }),
      ...(options.onUnclear && { onUnclear: options.onUnclear }),
    });
  const simulator = createGateway({
    name: simulatorName,
    baseUrl: settings.SIMULATOR_URL,
    apiKey: settings.SIMULATOR_API_KEY,
    webhookSecrets: [settings.SIMULATOR_WEBHOOK_SECRET],
  });
  const paceOf = turnsOf(options.pace, options.timeoutMs);
  const paying = (settings.PROVIDER ?? []).map((name) =>
    adapters[name].connect(name, settings, paceOf(name)),
  );
  const connected: readonly ConnectedProvider[] = [simulator, ...paying];
  const sandbox = guard(simulator);
  const production = paying.map(guard);
  const all = [sandbox, ...production];
  const connections = createOwnAccounts(guard, paceOf);
  return {
    forEnvironment: (environment) =>
      environment === 'sandbox' ? sandbox : (production[0] ?? null),
    namesIn: (environment) =>
      (environment === 'sandbox' ? [sandbox] : production).map(({ name }) => name),
    bank: createBankRail,
    bankCapabilities: fileCapabilities,
    fileFaults: sampleFaults,
    schemeReaches,
    byName: (name) => all.find((provider) => provider.name === name) ?? null,
    connection: (account) => connections.open(account),
    circuits: () =>
      Object.fromEntries(
        [...all, ...connections.all()].map((provider) => [provider.name, provider.circuit()]),
      ),
    sandboxControl: simulator.control,
    async close() {
      await Promise.all([...connected.map((provider) => provider.close()), connections.close()]);
    },
  };
}
