import { Prisma, type Payout } from '../../../generated/prisma/client.ts';
import { columns } from '../../db/columns.ts';
import { named } from '../../db/named.ts';
import { rows } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';
import { inAskedOrder } from '../children.ts';
import type { PageRange } from '../page-range.ts';

/** A range of the payouts to a beneficiary, which run newest first. */
export interface PayoutsOf extends PageRange {
  readonly beneficiaryId: string;
}

const payoutsOfBeneficiaries = (name: string, direction: 'ASC' | 'DESC') =>
  named(
    name,
    ['tenant', 'beneficiaries', 'above', 'below', 'take'],
    `
    SELECT g.asked::integer AS asked, l.*
    FROM unnest(@beneficiaries::text[], @above::text[], @below::text[], @take::integer[])
      WITH ORDINALITY AS g(beneficiary, above, below, take, asked)
    CROSS JOIN LATERAL (
      SELECT ${columns(Prisma.PayoutScalarFieldEnum, 'p')} FROM payout p
      WHERE p.tenant_id = @tenant AND p.beneficiary_id = g.beneficiary AND p.id > g.above AND p.id < g.below
      ORDER BY p.id ${direction} LIMIT g.take
    ) l
    ORDER BY g.asked, l.id ${direction}`,
  );

const newestOf = payoutsOfBeneficiaries('payouts_of_beneficiaries', 'DESC');
const oldestOf = payoutsOfBeneficiaries('oldest_payouts_of_beneficiaries', 'ASC');

/** The payouts to some beneficiaries, newest first or backwards, in the order asked. */
export async function readPayoutsOf(
  { scope, services }: Call,
  asked: readonly PayoutsOf[],
): Promise<Payout[][]> {
  const answers = new Map<PayoutsOf, Payout[]>();
  for (const [backwards, some] of Map.groupBy(asked, (one) => one.backwards)) {
    const statement = backwards ? oldestOf : newestOf;
    const found = await rows<Payout & { readonly asked: number }>(
      services.pool,
      statement,
      statement.of({
        tenant: scope.tenantId,
        beneficiaries: some.map(({ beneficiaryId }) => beneficiaryId),
        above: some.map(({ before }) => before ?? ''),
        below: some.map(({ after }) => after ?? '~'),
        take: some.map(({ take }) => take),
      }),
    );
    for (const [place, payouts] of inAskedOrder(found, some).entries()) {
      const one = some[place];
      if (one !== undefined) answers.set(one, payouts);
    }
  }
  return asked.map((one) => answers.get(one) ?? []);
}

const countOfBeneficiaries = named(
  'count_payouts_of_beneficiaries',
  ['tenant', 'beneficiaries', 'most'],
  `
    SELECT g.asked::integer AS asked, (
      SELECT count(*)::integer FROM (
        SELECT FROM payout p WHERE p.tenant_id = @tenant AND p.beneficiary_id = g.beneficiary LIMIT g.most
      ) l
    ) AS count
    FROM unnest(@beneficiaries::text[], @most::integer[]) WITH ORDINALITY AS g(beneficiary, most, asked)`,
);

/** How many payouts some beneficiaries have, each counted up to `most`, in the order asked. */
export async function countPayoutsOf(
  { scope, services }: Call,
  asked: readonly { readonly beneficiaryId: string; readonly most: number }[],
): Promise<number[]> {
  const found = await rows<{ asked: number; count: number }>(
    services.pool,
    countOfBeneficiaries,
    countOfBeneficiaries.of({
      tenant: scope.tenantId,
      beneficiaries: asked.map(({ beneficiaryId }) => beneficiaryId),
      most: asked.map(({ most }) => most),
    }),
  );
  return inAskedOrder(found, asked).map(([one]) => one?.count ?? 0);
}
