import { DomainError } from '../../errors/domain-error.ts';
import {
  ProviderEventRefused,
  type ProviderEvent,
  type ProviderPort,
} from '../../providers/port.ts';
import type { Services } from '../../process/services.ts';
import { jobScope } from '../../access/system.ts';
import { isId } from '../../values/ids.ts';
import { openProvider } from '../provider-connection/open.ts';
import {
  findProviderConnections,
  tenantOfProviderConnection,
} from '../provider-connection/store.ts';
import { keepProviderEvents } from './inbox.ts';

export interface InboundEvents {
  /** Name of the provider, or id of a connection to one, from the path. */
  readonly provider: string;
  /** The bytes as they came, which are what is signed. */
  readonly rawBody: Buffer;
  readonly header: (name: string) => string | undefined;
}

/**
 * Verifies what a provider posted and stores each of its events once. Returns after the commit. The signature is
 * the credential, so no API key is needed. Throws `not_found` for an unknown
 * provider, `unauthorized` for a wrong signature, `bad_request` where an event is unreadable, `service_unavailable` where
 * the provider does not tell of its payment.
 */
export async function receiveProviderEvents(
  services: Services,
  inbound: InboundEvents,
): Promise<readonly ProviderEvent[]> {
  const provider = await inboundProvider(services, inbound.provider);
  if (provider === null) throw new DomainError('not_found');
  const now = Math.floor(services.clock.now().getTime() / 1_000);
  const events = await readEvents(provider, inbound, now);
  await keepProviderEvents(services, provider.name, events);
  return events;
}

/** Whoever posts there: a provider of the deployment by its name, or that of a connection by the connection's id. */
async function inboundProvider(services: Services, name: string): Promise<ProviderPort | null> {
  if (!isId('bankConnection', name)) return services.providers.byName(name);
  const { pool } = services;
  const tenantId = await tenantOfProviderConnection(pool, name);
  if (tenantId === null) return null;
  const scope = await jobScope(pool, tenantId, { type: 'provider', name });
  const [row] = await findProviderConnections(pool, scope, [name]);
  return row === undefined ? null : openProvider({ scope, services }, row);
}

const refusals = { 400: 'bad_request', 401: 'unauthorized', 503: 'service_unavailable' } as const;

async function readEvents(
  provider: ProviderPort,
  inbound: InboundEvents,
  now: number,
): Promise<readonly ProviderEvent[]> {
  try {
    return await provider.parseEvents(inbound.rawBody, inbound.header, now);
  } catch (error) {
    if (!(error instanceof ProviderEventRefused)) throw error;
    throw new DomainError(refusals[error.status], {
      message: error.message,
      cause: error,
    });
  }
}
