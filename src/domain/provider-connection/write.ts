import type { PoolClient } from 'pg';
import { DomainError, invalid, type FieldError } from '../../errors/domain-error.ts';
import type { Call } from '../../process/services.ts';
import {
  accountFaults,
  accountFields,
  accountProviders,
  previousOf,
} from '../../providers/own-accounts.ts';
import { isId, newId } from '../../values/ids.ts';
import { sealForConnection } from '../bank-connection/open.ts';
import type { ProviderConnectionChange, ProviderConnectionDraft } from './input.ts';
import { accountOf, openSettings, type OpenSettings } from './open.ts';
import {
  insertProviderConnection,
  lockProviderConnection,
  noSuchConnection,
  updateProviderConnection,
  type ProviderConnection,
} from './store.ts';

type Given = Readonly<Record<string, string>>;

/** What is given, parted into what may be shown and what is encrypted. Throws validation_failed for a name that is unknown. */
function partSettings(adapter: string, given: Given): OpenSettings {
  const fields = new Map(accountFields(adapter).map((field) => [field.name, field]));
  const unknown = Object.keys(given).filter((name) => !fields.has(name));
  if (unknown.length > 0) {
    const message = `There is no such setting. There are: ${[...fields.keys()].join(', ')}.`;
    const code = 'invalid_value';
    throw invalid(unknown.map((name) => ({ field: `settings.${name}`, code, message })));
  }
  const isSecret = ([name]: [string, string]) => fields.get(name)?.secret === true;
  const all = Object.entries(given);
  return {
    settings: Object.fromEntries(all.filter((one) => !isSecret(one))),
    credentials: Object.fromEntries(all.filter(isSecret)),
  };
}

/** What has a value. */
const present = (given: Given): Given =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));

/** Throws validation_failed with what the adapter does not take. */
function requireTaken(
  call: Call,
  row: Pick<ProviderConnection, 'id' | 'version' | 'adapter'>,
  open: OpenSettings,
): void {
  const faults = accountFaults(accountOf(call, row, open)).map(
    ({ field, code, message }): FieldError => ({ field: `settings.${field}`, code, message }),
  );
  if (faults.length > 0) throw invalid(faults);
}

/**
 * Connects the tenant to an account at a provider, in the transaction of `client`. Nobody is asked: `check-connection`
 * proves it. Throws validation_failed.
 */
export async function connectProvider(
  client: PoolClient,
  call: Call,
  { name, adapter, settings: given }: ProviderConnectionDraft,
): Promise<ProviderConnection> {
  const known = accountProviders();
  if (!known.includes(adapter)) {
    const message = `Must be one of: ${known.join(', ')}.`;
    throw invalid([{ field: 'adapter', code: 'invalid_value', message }]);
  }
  const id = newId('bankConnection');
  const open = partSettings(adapter, present(given));
  requireTaken(call, { id, version: 1, adapter }, open);
  const credentials = sealForConnection(call, id, 'credentials', open.credentials);
  const draft = { id, name, adapter, settings: open.settings, credentials };
  return insertProviderConnection(client, call.scope, draft);
}

/** Credentials after a change: of a secret that is given anew the one before is kept, where the provider has it so. */
function renewed(adapter: string, before: Given, given: Given): Given {
  const kept = Object.keys(given).flatMap((name) => {
    const previous = previousOf(adapter, name);
    const secret = before[name];
    if (previous === null || secret === undefined || secret === given[name]) return [];
    return [[previous, secret] as const];
  });
  return { ...before, ...Object.fromEntries(kept), ...given };
}

/** The connection, locked until the transaction of `client` ends. Throws not_found. */
export async function requireProviderConnection(
  client: PoolClient,
  { scope }: Call,
  connectionId: string,
): Promise<ProviderConnection> {
  const found = isId('bankConnection', connectionId)
    ? await lockProviderConnection(client, scope, connectionId)
    : null;
  if (found !== null) return found;
  throw noSuchConnection();
}

/**
 * Changes a connection in the transaction of `client`. Throws not_found, validation_failed; conflict where somebody else
 * changed it since `version`, where it is closed, and for the closing of one to which a route leads.
 */
export async function changeProviderConnection(
  client: PoolClient,
  call: Call,
  { connectionId, version, name, status, settings: given }: ProviderConnectionChange,
): Promise<ProviderConnection> {
  const before = await requireProviderConnection(client, call, connectionId);
  const conflict = (message: string) => new DomainError('conflict', { message });
  if (before.status === 'closed') throw conflict('The provider connection is closed for good.');
  if (before.version !== version) {
    throw conflict(
      `The provider connection was changed since: its version is ${before.version}, not ${version}.`,
    );
  }
  const stored = openSettings(call, before);
  const anew = partSettings(before.adapter, given ?? {});
  const open = {
    settings: present({ ...stored.settings, ...anew.settings }),
    credentials: present(renewed(before.adapter, stored.credentials, anew.credentials)),
  };
  requireTaken(call, before, open);
  const changed = await updateProviderConnection(client, call.scope, connectionId, version, {
    name: name ?? before.name,
    status: status ?? before.status,
    settings: open.settings,
    credentials: sealForConnection(call, connectionId, 'credentials', open.credentials),
  });
  if (changed !== null) return changed;
  throw conflict('A route leads to the provider connection. Replace the routes before closing it.');
}
