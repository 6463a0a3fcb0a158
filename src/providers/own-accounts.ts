import type {
  Adapter,
  AdapterSetting,
  AdapterSettings,
  ConnectedProvider,
  ProviderPace,
} from './adapter.ts';
import { adapters } from './adapters.ts';
import { calledProviderName } from './bank-connection.ts';
import type { GuardedProvider } from './guard.ts';
import type { ProviderPort } from './port.ts';

/*
 * Accounts that businesses have at providers themselves. Such an account is described by the settings of the adapter,
 * which people give in a form, but for the environment: a sandbox reaches the provider's test platform alone, and
 * production the live one.
 */

/** A setting of an adapter as people give it for an account of theirs. */
export interface AccountField {
  /** As `balanceAccount`, of the setting `ADYEN_BALANCE_ACCOUNT`. */
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  /** Written once, stored encrypted and never shown. */
  readonly secret: boolean;
}

interface KnownField extends AccountField {
  readonly setting: string;
  readonly schema: AdapterSetting['schema'];
}

const previous = 'Previous';

const camelCase = (words: string): string =>
  words.toLowerCase().replaceAll(/_(\w)/g, (_whole, letter: string) => letter.toUpperCase());

interface Connectable {
  readonly adapter: Adapter<AdapterSettings>;
  readonly prefix: string;
}

function connectable(name: string): Connectable | null {
  const known: Readonly<Record<string, Adapter<AdapterSettings>>> = adapters;
  const adapter = Object.hasOwn(known, name) ? known[name] : undefined;
  if (adapter?.ownAccounts === undefined) return null;
  return { adapter, prefix: adapter.ownAccounts };
}

/** What is said of a setting where a person gives it, and not the deployment. */
const forPeople = (description: string): string =>
  description
    .replace(/ Required with `PROVIDER=\w+`\./, '')
    .replace(/, which it posts to `[^`]+`/, '')
    .replace(/`[A-Z_]+`/g, (setting) => setting.toLowerCase());

function fieldsOf({ adapter: { settings }, prefix }: Connectable): KnownField[] {
  const ofDeployment = [`${prefix}ENVIRONMENT`, `${prefix}TEST_URL`];
  return Object.entries(settings)
    .filter(([setting]) => setting.startsWith(prefix) && !ofDeployment.includes(setting))
    .map(([setting, { schema, description, required = false, secret = false }]) => ({
      setting,
      schema,
      name: camelCase(setting.slice(prefix.length)),
      description: forPeople(description),
      required,
      secret,
    }));
}

/** The providers at which businesses may have accounts. */
export const accountProviders = (): readonly string[] =>
  Object.keys(adapters).filter((name) => connectable(name) !== null);

/**
 * What an account at a provider is described by; none where no business can have one there. The secret before the
 * current one is nothing that people give: the service keeps it when another one is given.
 */
export function accountFields(name: string): readonly AccountField[] {
  const found = connectable(name);
  if (found === null) return [];
  return fieldsOf(found)
    .filter((field) => !field.name.endsWith(previous))
    .map(({ setting: _setting, schema: _schema, ...field }) => field);
}

/** The name of what keeps the secret before the current one; null where the provider has none. */
export function previousOf(name: string, field: string): string | null {
  const found = connectable(name);
  const kept = `${field}${previous}`;
  return found !== null && fieldsOf(found).some((one) => one.name === kept) ? kept : null;
}

/** A field that the adapter does not take. */
export interface AccountFault {
  readonly field: string;
  readonly code: 'required' | 'invalid_value';
  readonly message: string;
}

/** An account as its connection describes it. */
export interface OwnAccount {
  readonly connectionId: string;
  /** Of the connection: another one is made anew. */
  readonly version: number;
  readonly adapter: string;
  readonly environment: 'sandbox' | 'production';
  /** By the names of the fields, as people wrote them. */
  readonly given: Readonly<Record<string, string>>;
  /** The settings of the deployment, of which the stand-in for the test platform is read. */
  readonly settings: Readonly<Record<string, unknown>>;
}

class AccountRefused extends Error {
  readonly faults: readonly AccountFault[];
  constructor(faults: readonly AccountFault[]) {
    super(faults.map(({ field, message }) => `${field}: ${message}`).join(' '));
    this.faults = faults;
  }
}

/** The values of the adapter's settings. Throws AccountRefused. */
function valuesOf(found: Connectable, { environment, given, settings }: OwnAccount) {
  const { prefix } = found;
  const isLive = environment === 'production';
  const values: Record<string, unknown> = {
    [`${prefix}ENVIRONMENT`]: isLive ? 'live' : 'test',
    [`${prefix}TEST_URL`]: isLive ? null : (settings[`${prefix}TEST_URL`] ?? null),
  };
  const faults: AccountFault[] = [];
  for (const { name, setting, schema, required } of fieldsOf(found)) {
    const fallback = found.adapter.settings[setting]?.fallback ?? null;
    const text = given[name] ?? fallback;
    if (text === null) {
      values[setting] = null;
      if (required) faults.push({ field: name, code: 'required', message: 'Required.' });
      continue;
    }
    const read = schema.safeParse(text);
    if (read.success) values[setting] = read.data;
    else {
      const message = read.error.issues.map((issue) => issue.message).join(' ');
      faults.push({ field: name, code: 'invalid_value', message });
    }
  }
  if (faults.length > 0) throw new AccountRefused(faults);
  return values;
}

/** The provider of an account, which reaches nobody before it is asked. Throws AccountRefused. */
function connect(account: OwnAccount, paceOf?: (name: string) => ProviderPace): ConnectedProvider {
  const found = connectable(account.adapter);
  if (found === null) throw new Error(`no business has accounts at ${account.adapter}`);
  const name = calledProviderName(account.adapter, account.connectionId);
  const values = valuesOf(found, account);
  try {
    return found.adapter.connect(name, values, paceOf?.(name));
  } catch (error) {
    // An adapter says `SETTING: what is wrong` of what does not go together.
    const [setting = '', message = 'Is not taken.'] = (error as Error).message.split(': ');
    const field = fieldsOf(found).find((one) => one.setting === setting)?.name ?? 'adapter';
    throw new AccountRefused([{ field, code: 'invalid_value', message }]);
  }
}

/** What the adapter does not take of an account; nothing where it takes it. */
export function accountFaults(account: OwnAccount): readonly AccountFault[] {
  try {
    // It has made no connection that would have to be closed.
    connect(account);
    return [];
  } catch (error) {
    if (error instanceof AccountRefused) return error.faults;
    throw error;
  }
}

interface OpenAccount {
  readonly version: number;
  readonly connected: ConnectedProvider;
  readonly guarded: GuardedProvider;
}

/** The accounts that this process has used, each in the latest version that it saw. */
export function createOwnAccounts(
  guard: (port: ProviderPort) => GuardedProvider,
  paceOf: (name: string) => ProviderPace,
) {
  const known = new Map<string, OpenAccount>();
  return {
    open(account: OwnAccount): GuardedProvider {
      const { connectionId, version } = account;
      const before = known.get(connectionId);
      if (before?.version === version) return before.guarded;
      const connected = connect(account, paceOf);
      const guarded = guard(connected);
      known.set(connectionId, { version, connected, guarded });
      // Calls under way end first.
      void before?.connected.close();
      return guarded;
    },
    all: (): readonly GuardedProvider[] => [...known.values()].map(({ guarded }) => guarded),
    async close(): Promise<void> {
      await Promise.all([...known.values()].map(({ connected }) => connected.close()));
    },
  };
}
