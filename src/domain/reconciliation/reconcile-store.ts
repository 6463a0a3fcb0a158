import type { Pool } from 'pg';
import type { DisbursementAttempt } from '../../../generated/prisma/client.ts';
import { Prisma } from '../../../generated/prisma/client.ts';
import { columns } from '../../db/columns.ts';
import { named, namedOfPlatform } from '../../db/named.ts';
import {
  platformStatement,
  rows,
  type PlatformStatement,
  type Queryable,
  type Statement,
} from '../../db/pool.ts';
import { rowsAcross } from '../../db/reach.ts';
import type { TransitionCause } from '../payout/permitted.ts';

/*
 * These statements look across all tenants, so they name none. Each payout or attempt that they find
 * is then handled in the scope of its own tenant. The index `payout_in_flight_idx` serves them.
 */

export interface Stalled {
  readonly tenantId: string;
  readonly id: string;
  readonly updatedAt: Date;
}

/** Whether somebody pays for the tenant `t` of `row`; not by the id of `t`, which on Citus is on another node. */
const isServed = (row: string): string => `(t.environment = ANY (@environments::text[]) OR EXISTS (
        SELECT 1 FROM across.payout_routing g WHERE g.tenant_id = ${row}.tenant_id AND g.routes > 0))`;

/** A bank cannot be asked: what became of a payment stands in the files that it sends. */
const canBeAsked = `a.provider NOT LIKE 'bank:%'`;

/**
 * Leaves out what an operator has to decide, tenants without a provider, and payments in files. An attempt that was
 * refused while its payout stayed approved is found too: nothing else would end that payout.
 */
const stalledPayouts = namedOfPlatform(
  'stalled_payouts',
  ['seconds', 'afterUpdated', 'afterTenant', 'afterId', 'environments', 'take'],
  `
    SELECT p.tenant_id AS "tenantId", p.id, p.updated_at AS "updatedAt"
    FROM across.payout p
    JOIN tenant t ON t.id = p.tenant_id
    LEFT JOIN across.disbursement_attempt a ON a.tenant_id = p.tenant_id AND a.id = p.live_attempt_id
    WHERE p.state = 'approved' AND p.updated_at >= @afterUpdated
      AND p.updated_at <= now() - make_interval(secs => @seconds::double precision)
      AND (p.updated_at, p.tenant_id, p.id) > (@afterUpdated, @afterTenant, @afterId)
      AND ${isServed('p')}
      AND ((p.live_attempt_id IS NULL AND NOT EXISTS (
        SELECT 1 FROM across.bank_waiting w WHERE w.tenant_id = p.tenant_id AND w.payout_id = p.id
      )) OR (
        a.status IN ('prepared', 'unknown', 'rejected') AND NOT a.needs_operator AND ${canBeAsked}
        AND a.called_at <= now() - make_interval(secs => @seconds::double precision)))
    ORDER BY p.updated_at, p.tenant_id, p.id
    LIMIT @take`,
);

/**
 * Approved payouts after `after` that are stalled: for `seconds` they did not change, and they are not
 * handed over, or their outcome is unknown or a refusal, and the last call is as old.
 */
export function findStalledPayouts(
  pool: Pool,
  search: {
    readonly seconds: number;
    readonly environments: readonly string[];
    readonly after: Stalled;
    readonly take: number;
  },
): Promise<Stalled[]> {
  const { seconds, environments, after, take } = search;
  const values = stalledPayouts.of({
    seconds,
    afterUpdated: after.updatedAt,
    afterTenant: after.tenantId,
    afterId: after.id,
    environments,
    take,
  });
  return rowsAcross<{ tenantId: string; id: string; updatedAt: Date }>(
    pool,
    stalledPayouts,
    values,
  );
}

const stalledEnrollments = namedOfPlatform(
  'stalled_enrollments',
  ['seconds', 'environments', 'take'],
  `
    SELECT e.tenant_id AS "tenantId", e.id
    FROM across.enrollment e JOIN tenant t ON t.id = e.tenant_id
    WHERE e.status = 'pending' AND e.requested_at <= now() - make_interval(secs => @seconds::double precision)
      AND ${isServed('e')}
    ORDER BY e.requested_at, e.tenant_id, e.id
    LIMIT @take`,
);

/** Enrollments whose outcome is unknown `seconds` after they were requested, oldest first. */
export function findStalledEnrollments(
  pool: Pool,
  search: {
    readonly seconds: number;
    readonly environments: readonly string[];
    readonly take: number;
  },
): Promise<{ tenantId: string; id: string }[]> {
  return rowsAcross(pool, stalledEnrollments, stalledEnrollments.of(search));
}

const unreleased = namedOfPlatform(
  'unreleased_payouts',
  ['seconds', 'causes', 'take'],
  `
    SELECT DISTINCT p.tenant_id AS "tenantId", p.beneficiary_id AS id
    FROM across.payout p
    JOIN across.beneficiary b ON b.tenant_id = p.tenant_id AND b.id = p.beneficiary_id
    JOIN across.payout_transition t
      ON t.tenant_id = p.tenant_id AND t.payout_id = p.id AND t.seq = p.transition_count
    WHERE p.state = 'compliance_hold' AND p.updated_at <= now() - make_interval(secs => @seconds::double precision)
      AND b.compliance_status <> 'suspended' AND coalesce(b.screening, 'clear') IN ('clear', 'pending')
      AND t.cause = ANY (@causes::text[])
    LIMIT @take`,
);

/** Beneficiaries who are not barred any more and have held payouts that did not change for `seconds`. */
export function findUnreleased(
  pool: Pool,
  search: { readonly seconds: number; readonly take: number },
): Promise<{ tenantId: string; id: string }[]> {
  const causes: TransitionCause[] = ['beneficiary_suspended', 'screening'];
  return rowsAcross(pool, unreleased, unreleased.of({ ...search, causes }));
}

/**
 * The attempts that are asked about. One that is not recorded as taken is looked up by the job of its approved payout.
 * A payout that is disbursed has no such job, so it is asked about whatever its attempt says.
 */
const askedAbout = { approved: `a.status = 'submitted'`, disbursed: 'true' } as const;

/**
 * Attempts that may be claimed. Those that were never looked up come first, so that one whose look-up always
 * fails delays no other. The state is part of the text, since a prepared plan could not use the partial index
 * otherwise.
 */
function findQuiet(state: 'approved' | 'disbursed'): PlatformStatement {
  return platformStatement({
    name: `find_quiet_${state}_attempts`,
    text: `
    SELECT a.tenant_id AS "tenantId", a.id
    FROM across.payout p
    JOIN across.disbursement_attempt a ON a.tenant_id = p.tenant_id AND a.id = p.live_attempt_id
    WHERE p.state = '${state}' AND p.updated_at <= now() - make_interval(secs => $1::double precision)
      AND ${askedAbout[state]} AND NOT a.needs_operator AND ${canBeAsked}
      AND (a.looked_up_at IS NULL OR a.looked_up_at <= now() - make_interval(secs => $1::double precision))
    ORDER BY a.looked_up_at NULLS FIRST, p.updated_at
    LIMIT $2`,
  });
}

const quietAttempts = { approved: findQuiet('approved'), disbursed: findQuiet('disbursed') };

/**
 * Claims attempts of one tenant by noting that they are looked up now, so that no two runs ask about the same
 * one. One that is locked is left for the next run.
 */
const claimQuiet = named(
  'claim_quiet_attempts',
  ['tenant', 'attempts', 'seconds'],
  `
    WITH free AS (
      SELECT q.id FROM disbursement_attempt q
      WHERE q.tenant_id = @tenant AND q.id = ANY (@attempts::text[])
        AND NOT q.needs_operator
        AND (q.looked_up_at IS NULL OR q.looked_up_at <= now() - make_interval(secs => @seconds::double precision))
      FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE disbursement_attempt a SET looked_up_at = now()
    FROM free WHERE a.tenant_id = @tenant AND a.id = free.id
    RETURNING ${columns(Prisma.DisbursementAttemptScalarFieldEnum, 'a')}`,
);

/**
 * Claims at most `take` live attempts of payouts in this state, that did not change for `seconds`, and that were
 * not looked up for `seconds`; in the order in which they are to be looked up.
 */
export async function claimQuietAttempts(
  pool: Pool,
  state: 'approved' | 'disbursed',
  seconds: number,
  take: number,
): Promise<DisbursementAttempt[]> {
  type Found = Pick<DisbursementAttempt, 'tenantId' | 'id'>;
  const found = await rowsAcross<Found>(pool, quietAttempts[state], [seconds, take]);
  const claimed = new Map<string, DisbursementAttempt>();
  for (const [tenant, attempts] of Map.groupBy(found, ({ tenantId }) => tenantId)) {
    const values = claimQuiet.of({ tenant, attempts: attempts.map(({ id }) => id), seconds });
    for (const attempt of await rows<DisbursementAttempt>(pool, claimQuiet, values)) {
      claimed.set(attempt.id, attempt);
    }
  }
  return found.flatMap(({ id }) => claimed.get(id) ?? []);
}

const askSoon: Statement = {
  name: 'look_attempt_up_soon',
  text: `
    UPDATE disbursement_attempt SET
      looked_up_at = now() - make_interval(secs => $3::double precision) + interval '1 minute'
    WHERE tenant_id = $1 AND id = $2`,
};

/** After a look-up that failed: it is repeated in a minute instead of after the usual `seconds`. */
export async function lookUpSoon(
  client: Queryable,
  attempt: DisbursementAttempt,
  seconds: number,
): Promise<void> {
  await rows(client, askSoon, [attempt.tenantId, attempt.id, seconds]);
}
