import { ProviderEventRefused, type PayoutEventType, type ProviderPayout } from './port.ts';

/**
 * The JSON of what a provider posted. Throws ProviderEventRefused with 400 for bytes that are no text, or no JSON.
 * @param what the provider posts, for the message
 */
export function readEventJson(rawBody: Buffer, what: 'event' | 'webhook' = 'event'): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(rawBody));
  } catch {
    throw new ProviderEventRefused(400, `The ${what} is not JSON.`);
  }
}

/** What an event tells that says in which status a payment is. */
export const eventTypeOfStatus: Readonly<Record<ProviderPayout['status'], PayoutEventType>> = {
  processing: 'acknowledged',
  held: 'held',
  disbursed: 'disbursed',
  settled: 'settled',
  failed: 'failed',
  returned: 'returned',
};
