import { Prisma, type Payout } from '../../../generated/prisma/client.ts';
import { columns } from '../../db/columns.ts';
import { named } from '../../db/named.ts';
import { rows } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';
import { inAskedOrder } from '../children.ts';

/** So many predecessors of a payout are shown, and so many successors. */
const mostEachWay = 50;

/** A payout has one predecessor and one replacement at most, so each step finds one row by an index. */
const chains = named(
  'replacement_chains_of_payouts',
  ['tenant', 'payouts'],
  `
    WITH RECURSIVE before AS (
      SELECT g.asked, p.id, p.replaces_payout_id, 0 AS step
      FROM unnest(@payouts::text[]) WITH ORDINALITY AS g(id, asked)
      JOIN payout p ON p.tenant_id = @tenant AND p.id = g.id
      UNION ALL
      SELECT b.asked, p.id, p.replaces_payout_id, b.step - 1
      FROM before b JOIN payout p ON p.tenant_id = @tenant AND p.id = b.replaces_payout_id
      WHERE b.step > -${mostEachWay}
    ), after AS (
      SELECT b.asked, b.id, b.step FROM before b WHERE b.step = 0
      UNION ALL
      SELECT a.asked, p.id, a.step + 1
      FROM after a JOIN payout p ON p.tenant_id = @tenant AND p.replaces_payout_id = a.id
      WHERE a.step < ${mostEachWay}
    )
    SELECT l.asked::integer AS asked, ${columns(Prisma.PayoutScalarFieldEnum, 'p')}
    FROM (
      SELECT b.asked, b.id, b.step FROM before b WHERE b.step < 0 UNION ALL SELECT a.* FROM after a
    ) l
    JOIN payout p ON p.tenant_id = @tenant AND p.id = l.id
    ORDER BY l.asked, l.step`,
);

/** The payouts that replaced each other, the first one first, with the one that was asked for among them. */
export async function readReplacementChains(
  { scope, services }: Call,
  payouts: readonly string[],
): Promise<Payout[][]> {
  const values = chains.of({ tenant: scope.tenantId, payouts });
  const found = await rows<Payout & { readonly asked: number }>(services.pool, chains, values);
  return inAskedOrder(found, payouts);
}
