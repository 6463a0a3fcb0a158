import { DomainError } from '../../errors/domain-error.ts';
import {
  ProviderEventRefused,
  type ProviderEvent,
  type ProviderPort,
} from '../../providers/port.ts';
import type { Services } from '../../process/services.ts';
import { keepProviderEvent } from './inbox.ts';

export interface InboundEvent {
  /** Name of the provider, from the path. */
  readonly provider: string;
  /** The bytes as they came, which are what is signed. */
  readonly rawBody: Buffer;
  readonly header: (name: string) => string | undefined;
}

/**
 * Verifies an inbound provider event and stores it once. Returns after the commit. The signature is the
 * credential, so no API key is needed. Throws `not_found` for an unknown
 * provider, `unauthorized` for a wrong signature, `bad_request` for an unreadable event.
 */
export async function receiveProviderEvent(
  services: Services,
  inbound: InboundEvent,
): Promise<ProviderEvent> {
  const provider = services.providers.byName(inbound.provider);
  if (provider === null) throw new DomainError('not_found');
  const event = readEvent(provider, inbound);
  await keepProviderEvent(services, provider.name, event);
  return event;
}

function readEvent(provider: ProviderPort, inbound: InboundEvent): ProviderEvent {
  try {
    return provider.parseEvent(inbound.rawBody, inbound.header, Math.floor(Date.now() / 1000));
  } catch (error) {
    if (!(error instanceof ProviderEventRefused)) throw error;
    throw new DomainError(error.status === 401 ? 'unauthorized' : 'bad_request', {
      message: error.message,
      cause: error,
    });
  }
}
