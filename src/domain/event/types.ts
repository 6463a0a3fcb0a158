/** Event types of version 1 (specification 6.2) and the opt-in types (decisions 9). */
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

/** What a delivery can be of: those, and the test that is sent on request. */
export const deliveredTypes = [...eventTypes, 'webhook.test'] as const;
