import type { Harness } from '../support/harness.ts';
import { payoutRow, type PayoutRow } from '../support/payout-rows.ts';

const day = 86_400_000;
const start = Date.parse('2026-01-01T00:00:00Z');
export const at = (days: number): string => new Date(start + Math.round(days * day)).toISOString();

const names = [
  'Ada Lovelace',
  'adele',
  'Ærø Skibe',
  'Émile Zola',
  'émilie',
  'Grace Hopper',
  'İpek',
  'Zoë',
];
const states = [
  'pending_approval',
  'settled',
  'settled',
  'failed',
  'returned',
  'disbursed',
] as const;

/** The n-th payout: whatever a list can be by differs, and several payouts have the same. */
export function rowOf(n: number): PayoutRow {
  const state = states[n % states.length] ?? 'settled';
  const left = state === 'pending_approval' || state === 'failed' ? null : at(n / 10 + 2);
  return payoutRow({
    state,
    currency: n % 4 === 0 ? 'EUR' : 'USD',
    amount_minor: 100 + ((n * 37) % 50),
    beneficiary_name: names[(n * 5) % names.length] ?? '',
    provider: state === 'pending_approval' ? null : n % 3 === 0 ? 'simulator' : 'gateway',
    failure_code:
      state === 'failed' || state === 'returned'
        ? n % 2 === 0
          ? 'other'
          : 'account_closed'
        : null,
    beneficiary_id: `ben_${n % 7}`,
    external_ref: n % 5 === 0 ? `ref ${n % 10}` : null,
    created_at: at(Math.floor(n / 2) / 10),
    updated_at: at(((n * 11) % 90) / 10),
    approved_at: state === 'pending_approval' ? null : at(n / 10 + 1),
    disbursed_at: left,
    settled_at: state === 'settled' ? left : null,
  });
}

export const rows = Array.from({ length: 90 }, (_, n) => rowOf(n));
const query = `query ($first: Int, $last: Int, $after: String, $before: String, $filter: PayoutFilter, $orderBy: PayoutOrder) {
  payouts(first: $first, last: $last, after: $after, before: $before, filter: $filter, orderBy: $orderBy) {
    totalCount totalCountIsExact
    edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  } }`;

export interface ListAnswer {
  readonly totalCount: number;
  readonly totalCountIsExact: boolean;
  readonly edges: { readonly cursor: string; readonly node: { readonly id: string } }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

/** A page of the list of payouts. */
export async function listPage(
  { graphql }: Harness,
  key: string,
  variables: Record<string, unknown>,
): Promise<ListAnswer> {
  const { body, text } = await graphql(key, query, variables);
  if (body.errors !== undefined) throw new Error(text);
  return body.data.payouts;
}

/** What a list that is refused says: its code, and its first detail. */
export async function listRefusal(
  { graphql }: Harness,
  key: string,
  variables: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const { body, text } = await graphql(key, query, variables);
  if (body.errors === undefined) throw new Error(text);
  const { code, details } = body.errors[0].extensions;
  return { code, ...details?.[0] };
}

export const idsOf = ({ edges }: ListAnswer): string[] => edges.map(({ node }) => node.id);

/** What each order sorts by. */
export const keys: Record<string, (row: PayoutRow) => string | number | null> = {
  created_at: (row) => row.created_at,
  updated_at: (row) => row.updated_at,
  amount: (row) => row.amount_minor,
  payee_name: (row) => row.beneficiary_name.toLowerCase().replace('i̇', 'i'),
  approved_at: (row) => row.approved_at,
  disbursed_at: (row) => row.disbursed_at,
  settled_at: (row) => row.settled_at,
};

/** The ids of the rows that `holds`, by a key and the id. */
export function expected(
  holds: (row: PayoutRow) => boolean,
  key: (row: PayoutRow) => string | number | null = ({ created_at }) => created_at,
  direction: 'asc' | 'desc' = 'desc',
): string[] {
  const sorted = rows
    .filter((row) => holds(row) && key(row) !== null)
    .toSorted((a, b) => compare(key(a) ?? '', key(b) ?? '') || compare(a.id, b.id))
    .map(({ id }) => id);
  return direction === 'asc' ? sorted : sorted.toReversed();
}

/** Texts by code point, as the database compares bytes. */
function compare(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}
