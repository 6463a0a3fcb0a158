import { behindNames, nameKeyOf } from '../../../db/name-prefix.ts';

interface PayoutOrderSql {
  /** What is sorted by, of the payout `p`; the id follows it in each index. */
  readonly key: string;
  /** A text parameter as a value of the key. */
  readonly bound: (parameter: string) => string;
  /** Texts of which one is below every key and one above. */
  readonly lowest: string;
  readonly highest: string;
  /** Set for a time that not every payout has: the list holds those that have it. */
  readonly given?: string;
}

const time = (column: string): PayoutOrderSql => ({
  key: `p.${column}`,
  bound: (parameter) => `${parameter}::text::timestamptz`,
  lowest: '-infinity',
  highest: 'infinity',
});

const step = (column: string): PayoutOrderSql => ({
  ...time(column),
  given: `p.${column} IS NOT NULL`,
});

/** What payouts are sorted by, and the index of each: (tenant_id, list_group, key, id). */
export const payoutOrders = {
  created_at: time('created_at'),
  updated_at: time('updated_at'),
  amount: {
    key: 'p.amount_minor',
    bound: (parameter) => `${parameter}::text::bigint`,
    lowest: '0',
    highest: '9223372036854775807',
  },
  // The name in lower case by Unicode's rules, cut to 64 characters.
  payee_name: {
    key: 'p.beneficiary_name_key',
    bound: nameKeyOf,
    lowest: '',
    highest: behindNames,
  },
  approved_at: step('approved_at'),
  disbursed_at: step('disbursed_at'),
  settled_at: step('settled_at'),
} as const satisfies Record<string, PayoutOrderSql>;

export type PayoutOrderField = keyof typeof payoutOrders;
