import {
  Prisma,
  type ScreeningHit,
  type ScreeningResult,
} from '../../../generated/prisma/client.ts';
import { requirePermission } from '../../access/scope.ts';
import { columns } from '../../db/columns.ts';
import { named } from '../../db/named.ts';
import { rows, type TenantValues } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';
import { hitColumns } from './decision-store.ts';
import { demandedKinds, engineOf } from './engine.ts';
import { findPolicy, type ScreeningPolicy } from './policy-store.ts';
import type { ScreeningStanding } from './result-store.ts';
import type { ListStanding } from './standing.ts';

const resultColumns = columns(Prisma.ScreeningResultScalarFieldEnum, 'r');

const latestResults = named(
  'latest_screening_results',
  ['tenant', 'beneficiaries'],
  `
    SELECT g.id AS "of", ${resultColumns} FROM unnest(@beneficiaries::text[]) AS g (id)
    CROSS JOIN LATERAL (
      SELECT x.* FROM screening_result x
      WHERE x.tenant_id = @tenant AND x.beneficiary_id = g.id ORDER BY x.id DESC LIMIT 1
    ) r`,
);

/** The latest result of each payee, in the order asked; null for one without. */
export async function readLatestResults(
  { scope, services }: Call,
  beneficiaries: readonly string[],
): Promise<(ScreeningResult | null)[]> {
  const values = latestResults.of({ tenant: scope.tenantId, beneficiaries });
  const found = await rows<ScreeningResult>(services.pool, latestResults, values);
  const byPayee = new Map(found.map((result) => [result.beneficiaryId, result]));
  return beneficiaries.map((id) => byPayee.get(id) ?? null);
}

/** The most hits of one payee that are shown with it. */
export const mostHitsShown = 25;

const hitsOfPayees = named(
  'screening_hits_of_beneficiaries',
  ['tenant', 'beneficiaries', 'take'],
  `
    SELECT ${hitColumns} FROM unnest(@beneficiaries::text[]) AS g (id)
    CROSS JOIN LATERAL (
      SELECT x.* FROM screening_hit x
      WHERE x.tenant_id = @tenant AND x.beneficiary_id = g.id ORDER BY x.id DESC LIMIT @take
    ) h`,
);

/** The latest hits of each payee, the newest first, in the order asked. */
export async function readHitsOf(
  { scope, services }: Call,
  beneficiaries: readonly string[],
): Promise<ScreeningHit[][]> {
  const values = hitsOfPayees.of({ tenant: scope.tenantId, beneficiaries, take: mostHitsShown });
  const found = await rows<ScreeningHit>(services.pool, hitsOfPayees, values);
  const byPayee = Map.groupBy(found, ({ beneficiaryId }) => beneficiaryId);
  return beneficiaries.map((id) => byPayee.get(id) ?? []);
}

/** How many count at most: more are a number that nobody works through. */
const countedAtMost = 10_000;

const countHits = named(
  'count_screening_hits',
  ['tenant', 'most'],
  `
    SELECT count(*)::integer AS open, min(h.found_at) AS oldest FROM (
      SELECT x.found_at FROM screening_hit x
      WHERE x.tenant_id = @tenant AND x.status = 'open' LIMIT @most
    ) h`,
);

const countPayees = named(
  'count_screened_beneficiaries',
  ['tenant', 'most'],
  `
    SELECT b.screening AS standing, count(*)::integer AS payees FROM (
      SELECT x.screening FROM beneficiary x
      WHERE x.tenant_id = @tenant AND x.screening <> 'clear' LIMIT @most
    ) b
    GROUP BY b.screening`,
);

/** How the screening of a tenant stands. */
export interface ScreeningFigures {
  /** Null where no list was ever loaded: nothing is screened. */
  readonly policy: ScreeningPolicy | null;
  readonly lists: readonly ListStanding[];
  readonly openHits: number;
  readonly oldestOpenAt: Date | null;
  /** Payees by what keeps them from being paid. */
  readonly payees: Readonly<Partial<Record<ScreeningStanding, number>>>;
}

/** Throws forbidden for whoever may not read. */
export async function readFigures({ scope, services }: Call): Promise<ScreeningFigures> {
  requirePermission(scope, 'read');
  const { pool } = services;
  const engine = engineOf(services);
  const policy = await findPolicy(pool, scope);
  const kinds = policy === null ? [] : await demandedKinds(engine, policy);
  const values: TenantValues = countHits.of({ tenant: scope.tenantId, most: countedAtMost });
  const [lists, [hits], payees] = await Promise.all([
    engine.standings(kinds),
    rows<{ open: number; oldest: Date | null }>(pool, countHits, values),
    rows<{ standing: ScreeningStanding; payees: number }>(pool, countPayees, values),
  ]);
  return {
    policy,
    lists,
    openHits: hits?.open ?? 0,
    oldestOpenAt: hits?.oldest ?? null,
    payees: Object.fromEntries(payees.map(({ standing, payees: count }) => [standing, count])),
  };
}
