import { jobScope } from '../../access/system.ts';
import { platformStatement } from '../../db/pool.ts';
import { rowsAcross } from '../../db/reach.ts';
import type { Services } from '../../process/services.ts';
import { expireApproval } from './commands.gen.ts';

/** Bounds of one job; the job of the next minute takes the rest. */
const batchSize = 200;
const maximumBatches = 20;

interface Due extends Record<string, unknown> {
  /** As text: a cursor is exact to the microsecond, which a Date is not. */
  readonly dueAt: string;
  readonly tenantId: string;
  readonly payoutId: string;
}

/** The job serves all tenants, so this statement names none. */
const dueApprovals = platformStatement({
  name: 'expired_approvals',
  text: `
    SELECT e.due_at::text AS "dueAt", e.tenant_id AS "tenantId", e.payout_id AS "payoutId"
    FROM across.approval_expiry e
    WHERE e.due_at <= now() AND (e.due_at, e.tenant_id, e.payout_id) > ($2::timestamptz, $3::text, $4::text)
    ORDER BY e.due_at, e.tenant_id, e.payout_id LIMIT $1`,
});

const start = { dueAt: '-infinity', tenantId: '', payoutId: '' };

async function expire(services: Services, { tenantId, payoutId }: Due): Promise<boolean> {
  const { pool } = services;
  const actor = { type: 'system', name: 'approval_policy' } as const;
  const { businessId: business } = await jobScope(pool, tenantId, actor);
  const [found] = await expireApproval(pool, tenantId, { payout: payoutId, business });
  return found?.expired === true;
}

/**
 * Brings payouts whose open step has expired back to their first one. Each is a transaction of its own, and one that fails
 * does not hold up the others. It may run late: an approval that comes first does the same (count-approval.sql). Returns
 * how many went back, and throws at the end when some could not be looked at.
 */
export async function expireApprovals(services: Services): Promise<number> {
  const { log, pool } = services;
  const failures: unknown[] = [];
  let expired = 0;
  let after: Pick<Due, 'dueAt' | 'tenantId' | 'payoutId'> = start;
  for (let batch = 0; batch < maximumBatches; batch += 1) {
    const values = [batchSize, after.dueAt, after.tenantId, after.payoutId];
    const due = await rowsAcross<Due>(pool, dueApprovals, values);
    for (const one of due) {
      try {
        if (await expire(services, one)) expired += 1;
      } catch (error) {
        const about = { tenant_id: one.tenantId, payout_id: one.payoutId };
        log.error(
          { ...about, message: String(error) },
          'it was not found out whether an approval has expired; the next run tries again',
        );
        failures.push(error);
      }
    }
    after = due.at(-1) ?? after;
    if (due.length < batchSize) break;
  }
  if (expired > 0)
    log.info({ payouts: expired }, 'brought expired approvals back to their first step');
  if (failures.length > 0) {
    throw new AggregateError(failures, `${failures.length} approvals were not looked at`);
  }
  return expired;
}
