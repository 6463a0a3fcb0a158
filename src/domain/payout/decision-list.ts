import { Prisma, type PayoutDecision } from '../../../generated/prisma/client.ts';
import { columns } from '../../db/columns.ts';
import { rows, type Statement } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import type { Call } from '../../process/services.ts';
import { inAskedOrder } from '../children.ts';

/** Up to `take` decisions of a payout, after the one with the id `after` if that is set. */
export interface DecisionsOf {
  readonly payoutId: string;
  readonly after: string | null;
  readonly take: number;
}

/** A decision may hold tens of kilobytes, so the payouts of one operation share this bound. */
const mostTogether = 250;

const decisionsOfPayouts: Statement = {
  name: 'decisions_of_payouts',
  text: `
    SELECT g.asked::integer AS asked, l.*
    FROM unnest($2::text[], $3::text[], $4::integer[]) WITH ORDINALITY AS g(id, after, take, asked)
    CROSS JOIN LATERAL (
      SELECT ${columns(Prisma.PayoutDecisionScalarFieldEnum, 'd')} FROM payout_decision d
      WHERE d.tenant_id = $1 AND d.payout_id = g.id AND d.id > coalesce(g.after, '')
      ORDER BY d.id LIMIT g.take
    ) l
    LIMIT $5`,
};

/**
 * The decisions of some payouts, oldest first, in the order asked. Throws `bad_request` when several
 * payouts have more than 250 together; those of one payout are bounded by `take` alone.
 */
export async function readDecisions(
  { scope, services }: Call,
  asked: readonly DecisionsOf[],
): Promise<PayoutDecision[][]> {
  const most = Math.max(mostTogether, ...asked.map(({ take }) => take));
  const found = await rows<PayoutDecision & { readonly asked: number }>(
    services.pool,
    decisionsOfPayouts,
    [
      scope.tenantId,
      asked.map(({ payoutId }) => payoutId),
      asked.map(({ after }) => after),
      asked.map(({ take }) => take),
      most + 1,
    ],
  );
  if (found.length > most) {
    throw new DomainError('bad_request', {
      message: `The payouts have more than ${most} decisions together; ask for fewer at a time.`,
    });
  }
  return inAskedOrder(found, asked).map((decisions) =>
    decisions.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  );
}
