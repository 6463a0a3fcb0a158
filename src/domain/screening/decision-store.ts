import type { PoolClient } from 'pg';
import {
  Prisma,
  type ScreeningDecision,
  type ScreeningHit,
} from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { columns } from '../../db/columns.ts';
import { named } from '../../db/named.ts';
import { firstRow, rows, type Queryable } from '../../db/pool.ts';

export const hitColumns = columns(Prisma.ScreeningHitScalarFieldEnum, 'h');

const hitById = named(
  'screening_hit_by_id',
  ['tenant', 'hit'],
  `SELECT ${hitColumns} FROM screening_hit h WHERE h.tenant_id = @tenant AND h.id = @hit`,
);

/** A hit of the scope's tenant; null when unknown. */
export const findHit = (
  client: Queryable,
  { tenantId }: Scope,
  hit: string,
): Promise<ScreeningHit | null> =>
  firstRow<ScreeningHit>(client, hitById, hitById.of({ tenant: tenantId, hit }));

const move = named(
  'decide_screening_hit',
  ['tenant', 'hit', 'from', 'to'],
  `
    UPDATE screening_hit h SET status = @to, updated_at = now()
    WHERE h.tenant_id = @tenant AND h.id = @hit AND h.status = @from
    RETURNING ${hitColumns}`,
);

/** Gives a hit another status; null where it has not the one that was seen. */
export const moveHit = (
  client: PoolClient,
  { tenantId }: Scope,
  hit: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<ScreeningHit | null> =>
  firstRow<ScreeningHit>(client, move, move.of({ tenant: tenantId, hit, from, to }));

const record = named(
  'record_screening_decision',
  ['tenant', 'hit', 'from', 'to', 'actor', 'reason', 'evidence'],
  `
    INSERT INTO screening_decision (tenant_id, hit_id, seq, from_status, to_status, actor, reason, evidence)
    SELECT @tenant, @hit, coalesce(max(d.seq), 0) + 1, @from, @to, @actor::jsonb, @reason::text, @evidence::text
    FROM screening_decision d WHERE d.tenant_id = @tenant AND d.hit_id = @hit`,
);

/** Records who decided what on a hit, whose row is locked. */
export async function recordDecision(
  client: PoolClient,
  { tenantId, actor }: Scope,
  decided: {
    readonly hit: string;
    readonly from: string;
    readonly to: string;
    readonly reason: string;
    readonly evidence: string | null;
  },
): Promise<void> {
  const values = record.of({ tenant: tenantId, ...decided, actor: JSON.stringify(actor) });
  await rows(client, record, values);
}

/** Their work is what the decision is about: they registered the payee, changed it last, or prepared a payout that waits. */
const involved = named(
  'is_involved_with_beneficiary',
  ['tenant', 'beneficiary', 'user'],
  `
    SELECT true AS involved WHERE EXISTS (
      SELECT 1 FROM beneficiary b
      WHERE b.tenant_id = @tenant AND b.id = @beneficiary AND b.edited_by = @user
    ) OR EXISTS (
      SELECT 1 FROM beneficiary_transition t
      WHERE t.tenant_id = @tenant AND t.beneficiary_id = @beneficiary AND t.kind = 'registered'
        AND t.actor ->> 'user_id' = @user
    ) OR EXISTS (
      SELECT 1 FROM payout p
      WHERE p.tenant_id = @tenant AND p.beneficiary_id = @beneficiary AND p.created_by ->> 'user_id' = @user
        AND p.state IN ('pending_approval', 'compliance_hold', 'approved')
    )`,
);

/** Whether a user created the payee, or a payout to it that waits. */
export async function isInvolved(
  client: Queryable,
  { tenantId }: Scope,
  beneficiary: string,
  user: string,
): Promise<boolean> {
  const values = involved.of({ tenant: tenantId, beneficiary, user });
  return (await firstRow(client, involved, values)) !== null;
}

const latestIncomplete = named(
  'latest_screening_is_incomplete',
  ['tenant', 'beneficiary'],
  `
    SELECT r.incomplete AND s.incomplete_blocks AS blocks FROM screening_result r
    JOIN screening_policy s ON s.tenant_id = r.tenant_id
    WHERE r.tenant_id = @tenant AND r.beneficiary_id = @beneficiary ORDER BY r.id DESC LIMIT 1`,
);

/** What the latest result of a payee says where no hit is open. */
export async function withoutHits(
  client: Queryable,
  { tenantId }: Scope,
  beneficiary: string,
): Promise<'clear' | 'incomplete'> {
  const values = latestIncomplete.of({ tenant: tenantId, beneficiary });
  const row = await firstRow<{ blocks: boolean }>(client, latestIncomplete, values);
  return row?.blocks === true ? 'incomplete' : 'clear';
}

const decisionColumns = columns(Prisma.ScreeningDecisionScalarFieldEnum, 'd');

const decisionsOf = named(
  'screening_decisions_of_hits',
  ['tenant', 'hits'],
  `
    SELECT ${decisionColumns} FROM screening_decision d
    WHERE d.tenant_id = @tenant AND d.hit_id = ANY (@hits::text[]) ORDER BY d.hit_id, d.seq`,
);

/** What was decided on hits, the oldest first. */
export const readDecisions = (
  client: Queryable,
  { tenantId }: Scope,
  hits: readonly string[],
): Promise<ScreeningDecision[]> =>
  rows<ScreeningDecision>(client, decisionsOf, decisionsOf.of({ tenant: tenantId, hits }));
