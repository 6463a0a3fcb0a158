import type { ScopedPrisma } from '../src/db/prisma.ts';
import type { Resource } from '../src/values/ids.ts';

interface WhereIds {
  readonly where: { readonly id: { in: string[] } };
}

/** What `node` and `nodes` find: the GraphQL type, and how the tenant's rows are read, all in one query. */
interface NodeType {
  readonly type: string;
  readonly read: (
    prisma: ScopedPrisma,
    ids: WhereIds,
  ) => PromiseLike<readonly { readonly id: string }[]>;
}

/** The resources that an id finds. */
export const nodeTypes: Partial<Record<Resource, NodeType>> = {
  business: { type: 'Business', read: ({ business }, ids) => business.findMany(ids) },
  apiKey: { type: 'ApiKey', read: ({ apiKey }, ids) => apiKey.findMany(ids) },
  beneficiary: { type: 'Beneficiary', read: ({ beneficiary }, ids) => beneficiary.findMany(ids) },
  bankAccount: { type: 'BankAccount', read: ({ bankAccount }, ids) => bankAccount.findMany(ids) },
  bankFile: { type: 'BankFile', read: ({ bankFile }, ids) => bankFile.findMany(ids) },
  bankLine: { type: 'BankLine', read: ({ bankLine }, ids) => bankLine.findMany(ids) },
  bankAccountProposal: {
    type: 'BankAccountProposal',
    read: ({ bankAccountProposal }, ids) => bankAccountProposal.findMany(ids),
  },
  payout: { type: 'Payout', read: ({ payout }, ids) => payout.findMany(ids) },
  webhookSubscription: {
    type: 'WebhookSubscription',
    read: ({ webhookSubscription }, ids) => webhookSubscription.findMany(ids),
  },
  webhookDelivery: {
    type: 'WebhookDelivery',
    read: ({ webhookDelivery }, ids) => webhookDelivery.findMany(ids),
  },
  fundingAccount: {
    type: 'FundingAccount',
    read: ({ fundingAccount }, ids) => fundingAccount.findMany(ids),
  },
  ledgerEntry: { type: 'LedgerEntry', read: ({ ledgerEntry }, ids) => ledgerEntry.findMany(ids) },
  export: { type: 'Export', read: (prisma, ids) => prisma.export.findMany(ids) },
};
