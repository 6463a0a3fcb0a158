import { z } from 'zod';
import type { Turn } from './http-caller.ts';
import type { ProviderPort } from './port.ts';

/** A setting that an adapter declares beside itself; `src/process/config.ts` reads it with all others. */
export interface AdapterSetting {
  readonly schema: z.ZodType;
  /** The value where the variable is absent; null means "not set". */
  readonly fallback: string | null;
  readonly description: string;
  /** A start is refused where `PROVIDER` names the adapter and this is not set. */
  readonly required?: true;
  /** Production refuses a value that is public or could be guessed. */
  readonly secret?: true;
  /** A URL. Production refuses `http://`, unless it leads to this machine. */
  readonly url?: true;
}

/** How many requests a provider takes in a second, as it told: of all processes together. */
export const callsSchema = z.coerce.number().int().min(1).max(10_000);

/** What the setting says of which `callsSchema` is the schema. */
export const callsPerSecond = (provider: string): string =>
  `How many requests a second ${provider} permits, as it told you: all processes together send no more. Absent: nothing limits them.`;

export type AdapterSettings = Readonly<Record<string, AdapterSetting>>;

/** The values of an adapter's settings. A required one is there whenever the adapter is made. */
export type AdapterValues<Settings extends AdapterSettings> = {
  readonly [Name in keyof Settings]:
    | z.output<Settings[Name]['schema']>
    | (Settings[Name] extends { readonly required: true } | { readonly fallback: string }
        ? never
        : null);
};

/** What the setting is for that keeps the secret before the current one. */
export const previousSecret = (current: string): string =>
  `The secret before \`${current}\`, which is accepted too while it is rotated. Absent: the current one alone.`;

/** The secrets that are set, the current one first. */
export const presentSecrets = (...secrets: readonly (string | null)[]): string[] =>
  secrets.filter((secret) => secret !== null);

/** A provider with its connections. */
export interface ConnectedProvider extends ProviderPort {
  /** Ends the connections once the calls under way are done. */
  close(): Promise<void>;
}

/** What the registry knows of a provider's adapter. */
export interface Adapter<Settings extends AdapterSettings = AdapterSettings> {
  /** What `PROVIDER=<name>` chooses, for the table of settings. */
  readonly description: string;
  readonly settings: Settings;
  /**
   * What the names of its settings begin with, where businesses may have accounts of their own at the provider
   * (own-accounts.ts). Absent: the deployment alone has one.
   */
  readonly ownAccounts?: string;
  /**
   * @param name the adapter's name in the registry, which the port must carry
   * @param values the values of all settings of the service
   * @param pace gives turns where the provider told how many requests it takes in a second; absent where nobody shares them
   */
  connect(
    name: string,
    values: Readonly<Record<string, unknown>>,
    pace?: ProviderPace,
  ): ConnectedProvider;
}

/** Gives a turn among the requests to a provider, as `createPace` does. */
export type ProviderPace = (perSecond: number | null) => Turn | undefined;

interface AdapterDefinition<Settings extends AdapterSettings> {
  readonly description: string;
  readonly settings: Settings;
  readonly ownAccounts?: string;
  connect(name: string, values: AdapterValues<Settings>, pace: ProviderPace): ConnectedProvider;
}

/** Makes an adapter of its settings and of the function that connects it, which sees its own alone. */
export function defineAdapter<const Settings extends AdapterSettings>(
  definition: AdapterDefinition<Settings>,
): Adapter<Settings> {
  const { settings } = definition;
  return {
    ...definition,
    connect(name, values, pace = () => undefined) {
      const missing = missingSettings(settings, values);
      if (missing.length > 0) throw new Error(`${missing.join(', ')}: required with ${name}`);
      const own = Object.keys(settings).map((key) => [key, values[key]]);
      // Each value was parsed by its own schema when the settings were read.
      return definition.connect(name, Object.fromEntries(own) as AdapterValues<Settings>, pace);
    },
  };
}

/** The names of the required settings that are not set, which is null. A malformed one has no value. */
export function missingSettings(
  settings: AdapterSettings,
  values: Readonly<Record<string, unknown>>,
): string[] {
  return Object.entries(settings)
    .filter(([name, { required }]) => required === true && values[name] === null)
    .map(([name]) => name);
}
