/** The accounts of a tenant in a currency (docs/ledger.md). */
export const ledgerAccounts = ['funds', 'in_transit', 'paid', 'fees', 'external'] as const;
export type LedgerAccountName = (typeof ledgerAccounts)[number];

/** What an entry can stand for (docs/ledger.md). */
export const ledgerKinds = [
  'hold',
  'release',
  'disburse',
  'settle',
  'return',
  'fail',
  'fee',
  'funding',
  'withdrawal',
] as const;
export type LedgerKind = (typeof ledgerKinds)[number];

/** Whether more may be approved than there is. A tenant without a row of `ledger_mode` is `reported`. */
export const ledgerModes = ['reported', 'enforced'] as const;
export type LedgerMode = (typeof ledgerModes)[number];
