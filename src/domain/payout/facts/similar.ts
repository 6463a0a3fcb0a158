import { Prisma, type Payout } from '../../../../generated/prisma/client.ts';
import { columns } from '../../../db/columns.ts';
import { named } from '../../../db/named.ts';
import { rows } from '../../../db/pool.ts';
import type { Call } from '../../../process/services.ts';
import { inAskedOrder } from '../../children.ts';

/** Another payout to the same payee, and what it has in common with the one that was asked for. */
export interface SimilarPayout {
  readonly payout: Payout;
  readonly sameAmount: boolean;
  readonly sameReference: boolean;
  readonly sameAccount: boolean;
}

/** Payouts to a payee around the time of one. */
export interface SimilarPayouts {
  /** How many there are, among the hundred before it and the hundred after it. */
  readonly count: number;
  readonly sameAmount: number;
  /** At most ten: those with the most in common first, then the nearest in time. */
  readonly nearest: readonly SimilarPayout[];
}

export type SimilarTo = Pick<
  Payout,
  | 'id'
  | 'beneficiaryId'
  | 'bankAccountId'
  | 'amountMinor'
  | 'currency'
  | 'externalRef'
  | 'replacesPayoutId'
  | 'createdAt'
>;

/** Days before and after the payout. */
const similarDays = 30;
const mostLookedAt = 100;
const mostShown = 10;

const around = (bound: '<' | '>', direction: 'ASC' | 'DESC') => `
      (SELECT w.* FROM payout w
      WHERE w.tenant_id = @tenant AND w.beneficiary_id = g.payee AND w.id ${bound} g.id
      ORDER BY w.id ${direction} LIMIT ${mostLookedAt})`;

/** Ids sort by their creation, so that both walks through the payee's payouts begin at the one asked for. */
const similar = named(
  'similar_payouts',
  ['tenant', 'ids', 'payees', 'since', 'until'],
  `
    SELECT g.asked::integer AS asked, ${columns(Prisma.PayoutScalarFieldEnum, 'p')}
    FROM unnest(@ids::text[], @payees::text[], @since::timestamptz[], @until::timestamptz[])
      WITH ORDINALITY AS g(id, payee, since, until, asked)
    CROSS JOIN LATERAL (${around('<', 'DESC')}
      UNION ALL${around('>', 'ASC')}
    ) p
    WHERE p.created_at BETWEEN g.since AND g.until
    ORDER BY g.asked, p.id`,
);

const inCommon = ({ sameAmount, sameReference, sameAccount }: SimilarPayout): number =>
  (sameAmount ? 4 : 0) + (sameReference ? 2 : 0) + (sameAccount ? 1 : 0);

function compared(to: SimilarTo, payout: Payout): SimilarPayout {
  return {
    payout,
    sameAmount: payout.amountMinor === to.amountMinor && payout.currency === to.currency,
    sameReference: payout.externalRef !== null && payout.externalRef === to.externalRef,
    sameAccount: payout.bankAccountId === to.bankAccountId,
  };
}

/** The payouts that were replaced until this one, and the one that replaces it: none of them is a double of it. */
function chainOf(to: SimilarTo, payouts: readonly Payout[]): ReadonlySet<string> {
  const byId = new Map(payouts.map((payout) => [payout.id, payout]));
  const chain = new Set<string>();
  for (const { id, replacesPayoutId } of payouts) if (replacesPayoutId === to.id) chain.add(id);
  for (let id = to.replacesPayoutId; id !== null && !chain.has(id);) {
    chain.add(id);
    id = byId.get(id)?.replacesPayoutId ?? null;
  }
  return chain;
}

function gathered(to: SimilarTo, found: readonly Payout[]): SimilarPayouts {
  const chain = chainOf(to, found);
  const payouts = found.filter(({ id }) => !chain.has(id));
  const distance = ({ payout }: SimilarPayout): number =>
    Math.abs(payout.createdAt.getTime() - to.createdAt.getTime());
  const all = payouts.map((payout) => compared(to, payout));
  const sorted = all.toSorted((a, b) => inCommon(b) - inCommon(a) || distance(a) - distance(b));
  return {
    count: all.length,
    sameAmount: all.filter(({ sameAmount }) => sameAmount).length,
    nearest: sorted.slice(0, mostShown),
  };
}

/** What else was to be paid to the payees of some payouts within thirty days, in the order asked. */
export async function readSimilarPayouts(
  { scope, services }: Call,
  asked: readonly SimilarTo[],
): Promise<SimilarPayouts[]> {
  const shifted = (days: number) =>
    asked.map(({ createdAt }) => new Date(createdAt.getTime() + days * 86_400_000));
  const found = await rows<Payout & { readonly asked: number }>(
    services.pool,
    similar,
    similar.of({
      tenant: scope.tenantId,
      ids: asked.map(({ id }) => id),
      payees: asked.map(({ beneficiaryId }) => beneficiaryId),
      since: shifted(-similarDays),
      until: shifted(similarDays),
    }),
  );
  const byPayout = inAskedOrder(found, asked);
  return asked.map((to, place) => gathered(to, byPayout[place] ?? []));
}
