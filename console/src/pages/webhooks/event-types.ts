/** The events that a subscription may take. */
export const eventTypes: readonly string[] = [
  'payout.acknowledged',
  'payout.disbursement_submitted',
  'payout.estimated_arrival_at',
  'payout.disbursed',
  'payout.settled',
  'payout.failed',
  'payout.returned',
];
