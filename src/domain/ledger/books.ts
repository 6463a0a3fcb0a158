import type { Scope } from '../../access/scope.ts';
import { named } from '../../db/named.ts';
import { rows, type Queryable } from '../../db/pool.ts';
import type { LedgerMode } from './names.ts';

/** What the books of a tenant say in one currency, in minor units of it. */
export interface CurrencyBalance {
  readonly currency: string;
  /** What is on the account `funds`. */
  readonly postedMinor: bigint;
  /** Reserved for approved payouts. */
  readonly heldMinor: bigint;
  /** What may still be promised. */
  readonly availableMinor: bigint;
  readonly inTransitMinor: bigint;
  readonly paidMinor: bigint;
  readonly feesMinor: bigint;
  /** What approved payouts need more than there is while funds are enforced; zero otherwise. */
  readonly shortfallMinor: bigint;
}

/** The mode of a tenant, and its balance in each currency that it has had entries in. */
export interface Books {
  readonly mode: LedgerMode;
  /** Since when; null if it never changed. */
  readonly changedAt: Date | null;
  readonly balances: readonly CurrencyBalance[];
}

/**
 * A balance is the sum of its slots. A sandbox reserves on `external`, so its funds are never drawn down. There
 * is a row without any balance too, for the mode.
 */
const readBalances = named(
  'ledger_books',
  ['tenant'],
  `
    SELECT coalesce(m.mode, 'reported') AS mode, m.changed_at AS "changedAt", b.*
    FROM (SELECT @tenant::text AS tenant_id) t
    LEFT JOIN ledger_mode m ON m.tenant_id = @tenant
    LEFT JOIN (
      SELECT s.currency, sum(s.funds_minor)::bigint AS "postedMinor", sum(s.held_minor)::bigint AS "heldMinor",
        sum(s.funds_minor - CASE s.draws_on WHEN 'funds' THEN s.held_minor ELSE 0 END)::bigint
          AS "availableMinor",
        sum(s.in_transit_minor)::bigint AS "inTransitMinor", sum(s.paid_minor)::bigint AS "paidMinor",
        sum(s.fees_minor)::bigint AS "feesMinor", CASE WHEN bool_or(s.enforced)
          THEN greatest(sum(s.held_minor) - sum(s.funds_minor), 0) ELSE 0 END::bigint AS "shortfallMinor"
      FROM ledger_balance s WHERE s.tenant_id = @tenant GROUP BY s.currency
    ) b ON true
    ORDER BY b.currency`,
);

type BalanceRow = Record<string, unknown> &
  (CurrencyBalance | { readonly currency: null }) &
  Pick<Books, 'mode' | 'changedAt'>;

/** Reads the books of the scope's tenant, in the order of the currencies' codes, in one statement. */
export async function readBooks(client: Queryable, { tenantId: tenant }: Scope): Promise<Books> {
  const found = await rows<BalanceRow>(client, readBalances, readBalances.of({ tenant }));
  return {
    mode: found[0]?.mode ?? 'reported',
    changedAt: found[0]?.changedAt ?? null,
    balances: found.filter((row) => row.currency !== null),
  };
}

/** The balance of a currency without an entry. */
export function emptyBalance(currency: string): CurrencyBalance {
  return {
    currency,
    postedMinor: 0n,
    heldMinor: 0n,
    availableMinor: 0n,
    inTransitMinor: 0n,
    paidMinor: 0n,
    feesMinor: 0n,
    shortfallMinor: 0n,
  };
}
