import type { Resource } from '../src/values/ids.ts';

/** The GraphQL type of each resource that `node(id:)` finds. */
export const nodeTypes: Partial<Record<Resource, string>> = {
  business: 'Business',
  apiKey: 'ApiKey',
  beneficiary: 'Beneficiary',
  bankAccount: 'BankAccount',
  payout: 'Payout',
  webhookSubscription: 'WebhookSubscription',
  webhookDelivery: 'WebhookDelivery',
  fundingAccount: 'FundingAccount',
  export: 'Export',
};
