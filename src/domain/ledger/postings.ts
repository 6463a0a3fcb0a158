import type { LedgerKind } from './names.ts';

/*
 * Which transition of a payout posts which entry, as one table. The SQL that posts (`post-entries.sql`), the
 * page `docs/ledger.md` and the tests' model are made from it or compared with it.
 */

/** `drawn` is the account that the tenant's payouts draw on: `funds`, and `external` in a sandbox. */
type Side = 'drawn' | 'in_transit' | 'paid';

export interface Posting {
  /** A transition of the payout's machine (`src/domain/payout/machine.ts`); a test compares them. */
  readonly from: string;
  readonly to: string;
  readonly kind: LedgerKind;
  readonly debit: Side;
  readonly credit: Side;
}

const reserve = { debit: 'in_transit', credit: 'drawn' } as const;

/** The entry of each transition that has one; the others move no money and reserve none. */
export const postings: readonly Posting[] = [
  { from: 'new', to: 'approved', kind: 'hold', ...reserve },
  { from: 'pending_approval', to: 'approved', kind: 'hold', ...reserve },
  { from: 'approved', to: 'canceled', kind: 'release', ...reserve },
  { from: 'approved', to: 'compliance_hold', kind: 'release', ...reserve },
  { from: 'approved', to: 'failed', kind: 'release', ...reserve },
  { from: 'approved', to: 'disbursed', kind: 'disburse', ...reserve },
  { from: 'disbursed', to: 'settled', kind: 'settle', debit: 'paid', credit: 'in_transit' },
  { from: 'disbursed', to: 'failed', kind: 'fail', debit: 'drawn', credit: 'in_transit' },
  { from: 'disbursed', to: 'returned', kind: 'return', debit: 'drawn', credit: 'in_transit' },
  { from: 'settled', to: 'returned', kind: 'return', debit: 'drawn', credit: 'paid' },
];

/** What an entry adds to each sum of its currency, as multiples of its amount. */
export type Effect = Readonly<Record<Side | 'held', -1 | 0 | 1>>;

/** How a kind changes what is reserved; kinds that are not named change nothing. */
const reserves: Partial<Record<LedgerKind, -1 | 1>> = { hold: 1, release: -1, disburse: -1 };

/** What the entry of a posting adds to each sum. `hold` and `release` reserve, and move nothing. */
export function effectOf({ kind, debit, credit }: Posting): Effect {
  const moved = (side: Side): -1 | 0 | 1 => {
    if (kind === 'hold' || kind === 'release') return 0;
    if (side === debit) return 1;
    return side === credit ? -1 : 0;
  };
  return {
    held: reserves[kind] ?? 0,
    drawn: moved('drawn'),
    in_transit: moved('in_transit'),
    paid: moved('paid'),
  };
}
