import { DomainError } from '../../errors/domain-error.ts';
import {
  ProviderEventRefused,
  type ProviderEvent,
  type ProviderPort,
} from '../../providers/port.ts';
import type { Services } from '../../process/services.ts';
import { keepProviderEvents } from './inbox.ts';

export interface InboundEvents {
  /** Name of the provider, from the path. */
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
  const provider = services.providers.byName(inbound.provider);
  if (provider === null) throw new DomainError('not_found');
  const now = Math.floor(services.clock.now().getTime() / 1_000);
  const events = await readEvents(provider, inbound, now);
  await keepProviderEvents(services, provider.name, events);
  return events;
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
