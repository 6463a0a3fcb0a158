import type { Check } from './check.ts';
import { simulatorName } from './sources.ts';

/**
 * What must hold for money at any moment. `ledger` is what the provider accepted. `attempts` has a row for
 * each disbursement attempt with its payout. A ledger entry names its attempt by our reference.
 */
export const moneyChecks: readonly Check[] = [
  {
    invariant: 'M1',
    promise: 'The provider accepted at most one disbursement for a payout.',
    sql: `
      SELECT a.payout_id AS id, string_agg(l.payout_id, ', ' ORDER BY l.position) AS detail
      FROM ledger l JOIN attempts a ON a.tenant_id = l.tenant_id AND a.id = l.attempt_id
      GROUP BY a.tenant_id, a.payout_id HAVING count(*) > 1`,
  },
  {
    invariant: 'M1',
    promise: 'Every accepted disbursement is an attempt of ours, under its own key.',
    sql: `
      SELECT l.payout_id AS id, l.reference AS detail FROM ledger l
      LEFT JOIN attempts a ON a.tenant_id = l.tenant_id AND a.id = l.attempt_id
      WHERE l.before AND (a.id IS NULL OR l.idempotency_key <> a.id)`,
  },
  {
    invariant: 'M1',
    promise: 'What was accepted, the attempt and the payout agree on amount and currency.',
    sql: `
      SELECT a.payout_id AS id, concat_ws(' ', l.amount_minor, l.currency) AS detail
      FROM ledger l JOIN attempts a ON a.tenant_id = l.tenant_id AND a.id = l.attempt_id
      WHERE (l.amount_minor, l.currency) IS DISTINCT FROM (a.amount_minor, a.currency)
        OR (a.amount_minor, a.currency) IS DISTINCT FROM (a.payout_amount_minor, a.payout_currency)`,
  },
  {
    invariant: 'M1',
    promise: 'The recipient that was paid was enrolled for the account version that was approved.',
    sql: `
      SELECT a.payout_id AS id, concat_ws(' ', l.recipient_id, a.bank_account_id, a.bank_account_version) AS detail
      FROM ledger l JOIN attempts a ON a.tenant_id = l.tenant_id AND a.id = l.attempt_id
      WHERE l.recipient_id <> a.recipient_id OR NOT EXISTS (
        SELECT FROM enrollment e
        WHERE e.tenant_id = a.tenant_id AND e.recipient_id = a.recipient_id
          AND e.bank_account_id = a.bank_account_id AND e.bank_account_version = a.bank_account_version
      )
      OR (a.bank_account_id, a.bank_account_version) IS DISTINCT FROM
        (a.payout_bank_account_id, a.payout_bank_account_version)`,
  },
  {
    invariant: 'M2',
    promise: 'Each attempt was made after an approval of its payout.',
    sql: `
      SELECT a.payout_id AS id, a.id AS detail FROM attempts a
      WHERE NOT EXISTS (
        SELECT FROM payout_transition t
        WHERE t.tenant_id = a.tenant_id AND t.payout_id = a.payout_id AND t.to_state = 'approved'
          AND t.occurred_at <= a.prepared_at
      )`,
  },
  {
    invariant: 'M2',
    promise:
      'A payout that waits for a decision, was rejected, was canceled or is held has no live attempt.',
    sql: `
      SELECT p.id, concat_ws(' ', p.state, p.live_attempt_id, a.id) AS detail FROM payout p
      LEFT JOIN attempts a ON a.tenant_id = p.tenant_id AND a.payout_id = p.id AND a.status <> 'rejected'
      WHERE p.state IN ('pending_approval', 'rejected', 'canceled', 'compliance_hold')
        AND (p.live_attempt_id IS NOT NULL OR a.id IS NOT NULL)`,
  },
  {
    invariant: 'M3',
    promise: 'A payout has at most one attempt that may have moved money, and names that one.',
    sql: `
      SELECT a.payout_id AS id, string_agg(a.id, ', ') AS detail FROM attempts a
      WHERE a.status <> 'rejected'
      GROUP BY a.tenant_id, a.payout_id HAVING count(*) > 1
      UNION ALL
      SELECT p.id, concat_ws(' ', p.live_attempt_id, a.status) FROM payout p
      LEFT JOIN attempts a ON a.tenant_id = p.tenant_id AND a.payout_id = p.id AND a.id = p.live_attempt_id
      WHERE p.live_attempt_id IS NOT NULL AND (a.id IS NULL OR a.status = 'rejected')
      UNION ALL
      SELECT p.id, concat_ws(' ', p.state, a.id) FROM attempts a
      JOIN payout p ON p.tenant_id = a.tenant_id AND p.id = a.payout_id
      WHERE a.status <> 'rejected' AND p.live_attempt_id IS DISTINCT FROM a.id AND p.state <> 'failed'`,
  },
  {
    invariant: 'M3',
    promise: 'A further attempt came only after the definite no to the one before.',
    sql: `
      SELECT n.payout_id AS id, n.id AS detail FROM attempts n
      LEFT JOIN attempts a
        ON a.tenant_id = n.tenant_id AND a.payout_id = n.payout_id AND a.number = n.number - 1
      WHERE n.number > 1
        AND (a.id IS NULL OR a.status <> 'rejected' OR a.completed_at > n.prepared_at)`,
  },
  {
    invariant: 'M3',
    promise: 'The provider has nothing of an attempt that it refused.',
    sql: `
      SELECT a.payout_id AS id, l.payout_id AS detail
      FROM ledger l JOIN attempts a ON a.tenant_id = l.tenant_id AND a.id = l.attempt_id
      WHERE a.status = 'rejected'`,
  },
  {
    invariant: 'M3',
    promise:
      'What was recorded as accepted is in the ledger, unless an operator decided so or has to look.',
    sql: `
      SELECT a.payout_id AS id, a.provider_payout_id AS detail FROM attempts a
      WHERE a.status = 'submitted' AND a.provider = '${simulatorName}' AND NOT EXISTS (
        SELECT FROM ledger l
        WHERE l.tenant_id = a.tenant_id AND l.attempt_id = a.id AND l.payout_id = a.provider_payout_id
      ) AND NOT EXISTS (
        SELECT FROM provider_contradiction c WHERE c.tenant_id = a.tenant_id AND c.subject_id = a.id
      ) AND NOT EXISTS (
        SELECT FROM payout_transition t
        WHERE t.tenant_id = a.tenant_id AND t.payout_id = a.payout_id AND t.attempt_id = a.id
          AND t.actor ->> 'type' = 'operator'
          -- For what the provider lost, not for another payment than the one that it has.
          AND NOT EXISTS (
            SELECT FROM ledger o WHERE o.tenant_id = a.tenant_id AND o.attempt_id = a.id
          )
      )`,
  },
  {
    invariant: 'M4',
    promise: 'A payout failed only by a definite no, never while an outcome was unknown.',
    sql: `
      SELECT p.id, concat_ws(' ', a.id, a.status, l.status) AS detail FROM payout p
      JOIN attempts a ON a.tenant_id = p.tenant_id AND a.payout_id = p.id
      LEFT JOIN ledger l ON l.tenant_id = a.tenant_id AND l.attempt_id = a.id
      WHERE p.state = 'failed' AND (
        a.status IN ('prepared', 'unknown') OR (a.status = 'submitted' AND l.status <> 'failed')
      )`,
  },
  {
    invariant: 'M5',
    promise: 'A payout has at most one replacement, and it had failed or was returned.',
    sql: `
      SELECT p.id, concat_ws(' ', p.state, string_agg(r.id, ', ')) AS detail FROM payout r
      JOIN payout p ON p.tenant_id = r.tenant_id AND p.id = r.replaces_payout_id
      GROUP BY p.tenant_id, p.id, p.state
      HAVING count(*) > 1 OR p.state NOT IN ('failed', 'returned')`,
  },
  {
    invariant: 'M6',
    promise: "A payout's decimal amount is exactly its minor units.",
    sql: `
      SELECT p.id, concat_ws(' ', p.amount, p.amount_minor, p.currency) AS detail FROM payout p
      LEFT JOIN currency c ON c.code = p.currency
      WHERE c.code IS NULL OR scale(p.amount::numeric) <> c.exponent
        OR p.amount::numeric * c.minor_units <> p.amount_minor`,
  },
  {
    invariant: 'I1',
    promise: 'One use of an idempotency key made one payout.',
    sql: `
      SELECT k.payout_id AS id, k.idempotency_key AS detail FROM payout_idempotency k
      LEFT JOIN payout p
        ON p.tenant_id = k.tenant_id AND p.id = k.payout_id AND p.idempotency_key = k.idempotency_key
      WHERE p.id IS NULL
      UNION ALL
      SELECT p.id, p.idempotency_key FROM payout p
      JOIN payout_idempotency k ON k.tenant_id = p.tenant_id AND k.idempotency_key = p.idempotency_key
      WHERE p.id <> k.payout_id AND p.created_at > k.created_at - interval '23 hours 59 minutes'`,
  },
];
