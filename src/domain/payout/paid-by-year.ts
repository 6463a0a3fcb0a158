import { named } from '../../db/named.ts';
import { rows } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';
import { inAskedOrder } from '../children.ts';

/** What has arrived at a payee in one year and currency. */
export interface PaidInYear {
  /** Of the day in UTC on which it arrived. */
  readonly year: number;
  readonly currency: string;
  readonly count: number;
  /** Minor units of `currency`. */
  readonly amountMinor: bigint;
}

export interface PaidByYear {
  /** The latest year first, in it by currency. */
  readonly years: readonly PaidInYear[];
  /** False where the payee has more payouts than are added up: then the earliest ones are not in the sums. */
  readonly whole: boolean;
}

/** The newest payouts of a payee that are added up: some tens of milliseconds. */
export const mostAddedUp = 10_000;

const statement = named(
  'paid_by_year',
  ['tenant', 'payees', 'most'],
  `
    SELECT g.asked::integer AS asked, s.*
    FROM unnest(@payees::text[]) WITH ORDINALITY AS g (payee, asked)
    CROSS JOIN LATERAL (
      SELECT CASE p.state WHEN 'settled' THEN extract(year FROM p.settled_at AT TIME ZONE 'UTC')::integer END AS year,
        p.currency, count(*)::integer AS count, sum(p.amount_minor)::bigint AS "amountMinor"
      FROM (
        SELECT p.state, p.currency, p.amount_minor, p.settled_at FROM payout p
        WHERE p.tenant_id = @tenant AND (p.beneficiary_id, p.id) > (g.payee, '') AND (p.beneficiary_id, p.id) < (g.payee, '~')
        ORDER BY p.beneficiary_id DESC, p.id DESC LIMIT @most
      ) p
      GROUP BY 1, 2
    ) s
    ORDER BY g.asked, s.year DESC, s.currency`,
);

type Row = Omit<PaidInYear, 'year'> & { readonly asked: number; readonly year: number | null };

/** What has arrived at some payees by year and currency, in the order of the payees. */
export async function readPaidByYear(
  { scope, services }: Call,
  payees: readonly string[],
): Promise<PaidByYear[]> {
  const values = statement.of({ tenant: scope.tenantId, payees, most: mostAddedUp });
  const found = await rows<Row>(services.pool, statement, values);
  return inAskedOrder(found, payees).map((sums) => ({
    years: sums.flatMap(({ year, ...sum }) => (year === null ? [] : [{ ...sum, year }])),
    whole: sums.reduce((counted, { count }) => counted + count, 0) < mostAddedUp,
  }));
}
