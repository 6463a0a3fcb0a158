import type { Payout } from '../../../generated/prisma/client.ts';
import { named } from '../../db/named.ts';
import { rows } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';

/**
 * While funds are enforced no approval takes more than there is, but money can go out afterwards: a bank debits what
 * nobody ordered here, or an operator books a withdrawal. What is held is then more than the funds. Those short of it
 * are the payouts that were created last, first those that nobody has yet. ops.short_payouts says the same.
 */
const shortfalls = named(
  'payout_shortfalls',
  ['tenant', 'payouts'],
  `
    SELECT s.id, least(s.amount_minor, s.lacking - s.later)::bigint AS "shortfallMinor"
    FROM (
      SELECT p.id, p.amount_minor, l.lacking,
        sum(p.amount_minor) OVER (PARTITION BY p.currency ORDER BY p.live_attempt_id IS NULL DESC, p.id DESC) - p.amount_minor
          AS later
      FROM (
        SELECT b.currency, sum(b.held_minor - b.funds_minor) AS lacking FROM ledger_balance b
        WHERE b.tenant_id = @tenant AND b.enforced GROUP BY b.currency
        HAVING sum(b.held_minor) > sum(b.funds_minor)
      ) l
      JOIN payout p ON p.tenant_id = @tenant AND p.state = 'approved' AND p.currency = l.currency
    ) s
    WHERE s.later < s.lacking AND s.id = ANY (@payouts::text[])`,
);

/**
 * What the funds lack for each of some payouts, in minor units of its currency; null where they cover it, where it is
 * not approved, and where funds are not enforced.
 */
export async function readShortfalls(
  { scope, services }: Call,
  payouts: readonly Pick<Payout, 'id' | 'state'>[],
): Promise<(bigint | null)[]> {
  const approved = payouts.filter(({ state }) => state === 'approved').map(({ id }) => id);
  if (approved.length === 0 || scope.environment === 'sandbox') return payouts.map(() => null);
  const values = shortfalls.of({ tenant: scope.tenantId, payouts: approved });
  type Row = { id: string; shortfallMinor: bigint };
  const found = await rows<Row>(services.pool, shortfalls, values);
  const byId = new Map(found.map(({ id, shortfallMinor }) => [id, shortfallMinor]));
  return payouts.map(({ id }) => byId.get(id) ?? null);
}
