/** What a business reads of what happened; of several at once the later kind of this list comes first. */
export const activityKinds = {
  access: 'A setting, a member, a key, a bank, a route or the address of the webhooks changed.',
  payout_created: 'A payout was created.',
  payout_canceled: 'A payout was canceled.',
  decision: 'A payout was approved, rejected, or got a note.',
  export: 'An export was ordered.',
  bank_file: 'A file of a bank arrived.',
} as const;
export type ActivityKind = keyof typeof activityKinds;
