/** The types of events that a webhook endpoint can subscribe to; each is about a payout. */
export const eventTypes = [
  'payout.disbursement_submitted',
  'payout.acknowledged',
  'payout.estimated_arrival_at',
  'payout.disbursed',
  'payout.settled',
  'payout.failed',
  'payout.returned',
] as const;
export type EventType = (typeof eventTypes)[number];

/** The type of an event that a subscriber asks for to try the endpoint; nobody subscribes to it. */
export const testEventType = 'webhook.test';

/** The types of the events that deliveries carry. */
export const deliveredTypes = [...eventTypes, testEventType] as const;
