import { expect } from 'vitest';
import { imbalances } from '../support/books.ts';
import type { Place } from './payout-states.ts';

/** Every way in which a tenant's rows can break a promise, as rows; none may come back. */
const broken = `
  SELECT 'one attempt may have moved money' AS promise, payout_id AS id
  FROM disbursement_attempt WHERE tenant_id = $1 AND status <> 'rejected'
  GROUP BY payout_id HAVING count(*) > 1
UNION ALL
  SELECT 'a new attempt only after a definite no', a.payout_id
  FROM disbursement_attempt a JOIN disbursement_attempt b
    ON b.tenant_id = $1 AND b.payout_id = a.payout_id AND b.number > a.number
  WHERE a.tenant_id = $1 AND a.status <> 'rejected'
UNION ALL
  SELECT 'the payout names its live attempt', p.id
  FROM payout p LEFT JOIN disbursement_attempt a
    ON a.tenant_id = $1 AND a.payout_id = p.id AND a.status <> 'rejected'
  WHERE p.tenant_id = $1 AND p.state <> 'failed' AND p.live_attempt_id IS DISTINCT FROM a.id
UNION ALL
  SELECT 'an attempt belongs to an approved payout, as approved', a.id
  FROM disbursement_attempt a JOIN payout p ON p.tenant_id = $1 AND p.id = a.payout_id
  WHERE a.tenant_id = $1 AND (NOT EXISTS (
    SELECT FROM payout_transition t
    WHERE t.tenant_id = $1 AND t.payout_id = p.id AND t.to_state = 'approved' AND t.occurred_at <= a.prepared_at
  ) OR a.amount_minor <> p.amount_minor
    OR a.currency <> p.currency OR a.bank_account_id <> p.bank_account_id)
UNION ALL
  SELECT 'a payout fails by a definite no alone', p.id
  FROM payout p
  WHERE p.tenant_id = $1 AND p.state = 'failed'
    AND NOT EXISTS (SELECT FROM disbursement_attempt a
      WHERE a.tenant_id = $1 AND a.payout_id = p.id AND a.status = 'rejected')
    AND NOT EXISTS (SELECT FROM disbursement_attempt a JOIN provider_event e
      ON e.tenant_id = $1 AND e.subject_id = a.id AND e.event ->> 'type' = 'failed' AND e.status = 'applied'
      WHERE a.tenant_id = $1 AND a.payout_id = p.id)
UNION ALL
  SELECT 'an attempt goes to its own account, as enrolled', a.id
  FROM disbursement_attempt a
  WHERE a.tenant_id = $1 AND NOT EXISTS (
    SELECT FROM enrollment e
    WHERE e.tenant_id = $1 AND e.recipient_id = a.recipient_id
      AND e.bank_account_id = a.bank_account_id AND e.bank_account_version = a.bank_account_version)
UNION ALL
  SELECT 'what was refused proves nothing of the money', p.id
  FROM payout p
  WHERE p.tenant_id = $1
    AND (p.rail_ref IS NOT NULL OR p.disbursed_at IS NOT NULL OR p.settled_at IS NOT NULL)
    AND NOT EXISTS (SELECT FROM disbursement_attempt a
      WHERE a.tenant_id = $1 AND a.payout_id = p.id AND a.status = 'submitted'
        AND coalesce(p.rail_ref, 'RAIL-' || a.id) = 'RAIL-' || a.id)
UNION ALL
  SELECT 'one replacement', replaces_payout_id
  FROM payout WHERE tenant_id = $1 AND replaces_payout_id IS NOT NULL
  GROUP BY replaces_payout_id HAVING count(*) > 1
UNION ALL
  SELECT 'of a payout that failed or was returned', r.id
  FROM payout r JOIN payout p ON p.tenant_id = $1 AND p.id = r.replaces_payout_id
  WHERE r.tenant_id = $1 AND p.state NOT IN ('failed', 'returned')
UNION ALL
  SELECT 'a record for each transition', p.id
  FROM payout p
  WHERE p.tenant_id = $1 AND p.transition_count <> (
    SELECT count(*) FROM payout_transition t WHERE t.tenant_id = $1 AND t.payout_id = p.id)
UNION ALL
  SELECT 'an event for each transition that has one: ' || s.state, p.id
  FROM payout p CROSS JOIN (VALUES ('disbursed'), ('settled'), ('failed'), ('returned')) AS s (state)
  WHERE p.tenant_id = $1
    AND (SELECT count(*) FROM payout_transition t
      WHERE t.tenant_id = $1 AND t.payout_id = p.id AND t.to_state = s.state)
    <> (SELECT count(*) FROM event e
      WHERE e.tenant_id = $1 AND e.payout_id = p.id AND e.type = 'payout.' || s.state)
UNION ALL
  SELECT 'one event for the attempt that was taken', p.id
  FROM payout p
  WHERE p.tenant_id = $1
    AND (SELECT count(*) FROM disbursement_attempt a
      WHERE a.tenant_id = $1 AND a.payout_id = p.id AND a.status = 'submitted')
    <> (SELECT count(*) FROM event e
      WHERE e.tenant_id = $1 AND e.payout_id = p.id AND e.type = 'payout.disbursement_submitted')
UNION ALL
  SELECT 'one acknowledgment for an attempt', p.id
  FROM payout p
  WHERE p.tenant_id = $1
    AND (SELECT count(*) FROM disbursement_attempt a
      WHERE a.tenant_id = $1 AND a.payout_id = p.id AND a.acknowledged_at IS NOT NULL)
    <> (SELECT count(*) FROM event e
      WHERE e.tenant_id = $1 AND e.payout_id = p.id AND e.type = 'payout.acknowledged')
UNION ALL
  SELECT 'one event for a change of the estimate', p.id
  FROM payout p
  WHERE p.tenant_id = $1 AND p.estimate_count <> (SELECT count(*) FROM event e
    WHERE e.tenant_id = $1 AND e.payout_id = p.id AND e.type = 'payout.estimated_arrival_at')
UNION ALL
  SELECT 'a delivery for each event', e.id
  FROM event e
  WHERE e.tenant_id = $1 AND 1 <> (SELECT count(*) FROM webhook_delivery d
    WHERE d.tenant_id = $1 AND d.event_id = e.id)
UNION ALL
  SELECT 'a decision for each approval', p.id
  FROM payout p
  WHERE p.tenant_id = $1
    AND (SELECT count(*) FROM payout_transition t
      WHERE t.tenant_id = $1 AND t.payout_id = p.id AND t.to_state = 'approved')
    <> (SELECT count(*) FROM payout_decision d
      WHERE d.tenant_id = $1 AND d.payout_id = p.id AND d.status = 'approved')
UNION ALL
  SELECT 'nothing is handed over to a suspended beneficiary', a.id
  FROM disbursement_attempt a
  JOIN payout p ON p.tenant_id = $1 AND p.id = a.payout_id
  JOIN beneficiary b ON b.tenant_id = $1 AND b.id = p.beneficiary_id
  JOIN beneficiary_transition t ON t.tenant_id = $1 AND t.beneficiary_id = b.id AND t.seq = b.transition_count
  WHERE a.tenant_id = $1 AND b.compliance_status = 'suspended' AND a.called_at > t.occurred_at`;

interface PaidRow {
  readonly id: string;
  readonly payoutId: string;
  readonly amount: string;
  readonly currency: string;
}

/** What the provider took is one disbursement for a payout, with its amount and currency. */
async function expectPaidOnce({ harness, tenant, provider }: Place): Promise<void> {
  const { rows } = await harness.database.pool.query<PaidRow>(
    `SELECT a.id, a.payout_id AS "payoutId", p.amount_minor::text AS amount, p.currency
     FROM disbursement_attempt a JOIN payout p ON p.tenant_id = $1 AND p.id = a.payout_id
     WHERE a.tenant_id = $1`,
    [tenant.tenantId],
  );
  const attempts = new Map(rows.map((row) => [row.id, row]));
  const paid = new Map<string, string>();
  for (const [key, taken] of provider.ledger) {
    const attempt = attempts.get(key);
    expect(attempt, `${key} was committed before it was sent`).toBeDefined();
    if (attempt === undefined) continue;
    expect(paid.get(attempt.payoutId), `${attempt.payoutId} is paid once`).toBeUndefined();
    paid.set(attempt.payoutId, key);
    expect([String(taken.amountMinor), taken.currency]).toEqual([attempt.amount, attempt.currency]);
  }
}

/** Checks all rows of the place's tenant against the promises of money, state and events. */
export async function expectInvariants(place: Place): Promise<void> {
  const { harness, tenant } = place;
  // Prepared: to plan it takes twenty times as long as to run it.
  const { rows } = await harness.database.pool.query({
    name: 'payout_invariants',
    text: broken,
    values: [tenant.tenantId],
  });
  expect(rows).toEqual([]);
  expect(await imbalances(harness.database.pool, tenant.tenantId)).toEqual([]);
  await expectPaidOnce(place);
}

/** What every order and repetition of the provider's events must agree on. */
export async function fateOf({ harness, tenant }: Place): Promise<unknown> {
  const { rows } = await harness.database.pool.query(
    `SELECT id, state, transition_count, rail_ref, failure_code, failure_message, estimated_arrival_at,
       estimate_made_at, disbursed_at, settled_at, provider_payout_id
     FROM payout WHERE tenant_id = $1 ORDER BY id`,
    [tenant.tenantId],
  );
  return rows;
}
