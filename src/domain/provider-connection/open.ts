import type { Queryable } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';
import { connectionOfCalled } from '../../providers/bank-connection.ts';
import type { OwnAccount } from '../../providers/own-accounts.ts';
import type { ProviderPort } from '../../providers/port.ts';
import { openForConnection } from '../bank-connection/open.ts';
import { findProviderConnections, type ProviderConnection } from './store.ts';

type Given = Readonly<Record<string, string>>;

/** What people gave of a connection, as they wrote it. */
export interface OpenSettings {
  readonly settings: Given;
  readonly credentials: Given;
}

/** Opens what is stored of a connection; credentials are decrypted here alone. */
export function openSettings(call: Call, row: ProviderConnection): OpenSettings {
  const { credentialsCiphertext: sealed, transportSettings } = row;
  return {
    // The shapes of the JSON are those that the commands of this folder wrote.
    settings: transportSettings as Given,
    credentials:
      sealed === null ? {} : (openForConnection(call, row, 'credentials', sealed) as Given),
  };
}

/** A connection as the providers are told of it. */
export const accountOf = (
  { scope, services }: Call,
  { id: connectionId, version, adapter }: Pick<ProviderConnection, 'id' | 'version' | 'adapter'>,
  { settings, credentials }: OpenSettings,
): OwnAccount => ({
  connectionId,
  version,
  adapter,
  environment: scope.environment,
  given: { ...settings, ...credentials },
  settings: services.config,
});

/** The provider of a connection, whatever its status. */
export const openProvider = (call: Call, row: ProviderConnection): ProviderPort =>
  call.services.providers.connection(accountOf(call, row, openSettings(call, row)));

/**
 * The called provider of that name, as payouts, attempts and enrollments have it: of the deployment, or of a connection of
 * the scope's tenant. A closed connection too: what was handed over is followed to its end. Null where there is none.
 */
export async function providerNamed(
  call: Call,
  client: Queryable,
  name: string,
): Promise<ProviderPort | null> {
  const connectionId = connectionOfCalled(name);
  if (connectionId === null) return call.services.providers.byName(name);
  const [row] = await findProviderConnections(client, call.scope, [connectionId]);
  if (row === undefined) return null;
  const provider = openProvider(call, row);
  return provider.name === name ? provider : null;
}
