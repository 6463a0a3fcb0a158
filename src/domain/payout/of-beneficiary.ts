import { Prisma, type Payout } from '../../../generated/prisma/client.ts';
import { columns } from '../../db/columns.ts';
import { named } from '../../db/named.ts';
import { rows } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';
import { inAskedOrder } from '../children.ts';

/** Up to `take` payouts to a beneficiary, created before the one with the id `before` if that is set. */
export interface PayoutsOf {
  readonly beneficiaryId: string;
  readonly before: string | null;
  readonly take: number;
}

const payoutsOfBeneficiaries = named(
  'payouts_of_beneficiaries',
  ['tenant', 'beneficiaries', 'before', 'take'],
  `
    SELECT g.asked::integer AS asked, l.*
    FROM unnest(@beneficiaries::text[], @before::text[], @take::integer[]) WITH ORDINALITY AS g(beneficiary, before, take, asked)
    CROSS JOIN LATERAL (
      SELECT ${columns(Prisma.PayoutScalarFieldEnum, 'p')} FROM payout p
      WHERE p.tenant_id = @tenant AND p.beneficiary_id = g.beneficiary AND p.id < coalesce(g.before, '~')
      ORDER BY p.id DESC LIMIT g.take
    ) l
    ORDER BY g.asked, l.id DESC`,
);

/** The payouts to some beneficiaries, newest first, in the order asked. */
export async function readPayoutsOf(
  { scope, services }: Call,
  asked: readonly PayoutsOf[],
): Promise<Payout[][]> {
  const found = await rows<Payout & { readonly asked: number }>(
    services.pool,
    payoutsOfBeneficiaries,
    payoutsOfBeneficiaries.of({
      tenant: scope.tenantId,
      beneficiaries: asked.map(({ beneficiaryId }) => beneficiaryId),
      before: asked.map(({ before }) => before),
      take: asked.map(({ take }) => take),
    }),
  );
  return inAskedOrder(found, asked);
}
