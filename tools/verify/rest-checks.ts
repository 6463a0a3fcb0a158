import type { Check } from './check.ts';

/** What must hold once nothing is under way: all that can end has ended as the provider says. */
export const atRestChecks: readonly Check[] = [
  {
    invariant: 'L1',
    promise: 'Each payout has the state that the provider’s ledger implies, or waits for a person.',
    sql: `
      SELECT p.id, concat_ws(' ', p.state, l.status) AS detail
      FROM ledger l
      JOIN attempts a ON a.tenant_id = l.tenant_id AND a.id = l.attempt_id
      JOIN payout p ON p.tenant_id = a.tenant_id AND p.id = a.payout_id
      WHERE p.state <> CASE WHEN l.status IN ('processing', 'held') THEN 'approved' ELSE l.status END
        AND NOT EXISTS (
          SELECT FROM provider_contradiction c
          WHERE c.tenant_id = p.tenant_id AND c.payout_id = p.id AND c.finding IS NULL
        )`,
  },
  {
    invariant: 'L1',
    promise: 'No approved payout is left that does not wait for the file of its bank.',
    sql: `
      SELECT p.id, concat_ws(' ', a.id, a.status) AS detail FROM payout p
      LEFT JOIN attempts a ON a.tenant_id = p.tenant_id AND a.id = p.live_attempt_id
      WHERE p.state = 'approved' AND coalesce(a.status, '') <> 'submitted' AND NOT coalesce(a.needs_operator, false)
        AND NOT EXISTS (
          SELECT FROM bank_waiting w WHERE w.tenant_id = p.tenant_id AND w.payout_id = p.id
        )`,
  },
  {
    invariant: 'S4',
    promise: 'Every event of the provider is applied.',
    sql: `
      SELECT v.event_id AS id, concat_ws(' ', v.status, v.tries) AS detail FROM provider_event v
      WHERE v.status NOT IN ('applied', 'ignored')`,
  },
  {
    invariant: 'L1',
    promise: 'No enrollment is left pending.',
    sql: `SELECT e.id, e.bank_account_id AS detail FROM enrollment e WHERE e.status = 'pending'`,
  },
  {
    invariant: 'L1',
    promise: 'No webhook is due.',
    sql: `
      SELECT d.id, d.attempts::text AS detail FROM webhook_delivery d
      JOIN webhook_subscription s ON s.tenant_id = d.tenant_id AND s.id = d.subscription_id
      WHERE d.status = 'pending' AND s.enabled AND d.next_attempt_at <= now()`,
  },
  {
    invariant: 'L1',
    promise: 'No job is left in the outbox.',
    sql: `SELECT o.id::text, concat_ws(' ', o.task, o.job_key) AS detail FROM job_outbox o`,
  },
  {
    invariant: 'L1',
    promise: 'No job is due, locked or given up.',
    sql: `
      SELECT j.id::text, concat_ws(' ', j.task_identifier, j.key, j.attempts, j.last_error) AS detail
      FROM graphile_worker.jobs j
      WHERE j.task_identifier <> 'sweep_webhooks' AND (
        (j.run_at <= now() AND j.attempts < j.max_attempts) OR j.locked_at IS NOT NULL
        OR (j.attempts >= j.max_attempts AND j.key IS NOT NULL)
      )`,
  },
];
