import { named } from '../../db/named.ts';
import { rows } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';
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
}

/** The mode of a tenant, and its balance in each currency that it has had entries in. */
export interface Books {
  readonly mode: LedgerMode;
  readonly balances: readonly CurrencyBalance[];
}

/**
 * A balance is the sum of its slots. A sandbox reserves on `external`, so its funds are never drawn down. There
 * is a row without any balance too, for the mode.
 */
const readBalances = named(
  'ledger_books',
  ['tenant', 'environment'],
  `
    SELECT coalesce(m.mode, 'reported') AS mode, b.*
    FROM (SELECT @tenant::text AS tenant_id) t
    LEFT JOIN ledger_mode m ON m.tenant_id = @tenant
    LEFT JOIN (
      SELECT s.currency, sum(s.funds_minor)::bigint AS "postedMinor", sum(s.held_minor)::bigint AS "heldMinor",
        (sum(s.funds_minor) - CASE WHEN @environment::text = 'sandbox' THEN 0 ELSE sum(s.held_minor) END)::bigint
          AS "availableMinor",
        sum(s.in_transit_minor)::bigint AS "inTransitMinor", sum(s.paid_minor)::bigint AS "paidMinor",
        sum(s.fees_minor)::bigint AS "feesMinor"
      FROM ledger_balance s WHERE s.tenant_id = @tenant GROUP BY s.currency
    ) b ON true
    ORDER BY b.currency`,
);

type Row = Record<string, unknown> &
  (CurrencyBalance | { readonly currency: null }) & { readonly mode: LedgerMode };

/** Reads the books of the caller's tenant, in the order of the currencies' codes, in one statement. */
export async function readBooks({ scope, services }: Call): Promise<Books> {
  const { tenantId: tenant, environment } = scope;
  const found = await rows<Row>(
    services.pool,
    readBalances,
    readBalances.of({ tenant, environment }),
  );
  return {
    mode: found[0]?.mode ?? 'reported',
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
  };
}
