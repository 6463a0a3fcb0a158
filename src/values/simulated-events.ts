/** What a caller of the sandbox can make happen to a payout at its provider. */
export const simulatedEvents = [
  'acknowledge',
  'estimate',
  'disburse',
  'settle',
  'fail',
  'return',
  'hold',
  'release',
] as const;
export type SimulatedEvent = (typeof simulatedEvents)[number];
