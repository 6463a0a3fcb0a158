import { platformStatement } from '../../db/pool.ts';
import { ofTenants } from '../../db/reach.ts';
import { listKinds } from '../../screening/lists/entry.ts';
import { countedAtMost, type StoredMetric } from './declared.ts';

/** A value as the statement gives it: the labels in the order of the metric's declaration. */
export interface StoredValue {
  readonly metric: StoredMetric;
  readonly labels: readonly string[];
  readonly value: number;
}

const { jobs, rows, stuck } = countedAtMost;

const seconds = (time: string): string =>
  `greatest(0, extract(epoch FROM now() - ${time}))::float8`;

/** One metric: its labels and its value, from a range of an index or a small table. */
const metric = (name: StoredMetric, labels: string, value: string, from: string): string =>
  `SELECT '${name}' AS metric, ARRAY[${labels}]::text[] AS labels, (${value})::float8 AS value FROM ${from}`;

/** The first of the jobs. Those that gave up are the oldest of the table and come first in it. */
const jobsCte = `
  job AS MATERIALIZED (
    SELECT j.task_identifier AS task, CASE
        WHEN j.locked_at IS NOT NULL THEN 'running'
        WHEN j.attempts >= j.max_attempts THEN 'dead'
        WHEN j.attempts >= 4 THEN 'failing'
        WHEN j.attempts > 0 THEN 'retrying'
        WHEN j.run_at > now() THEN 'scheduled'
        ELSE 'ready'
      END AS state,
      CASE WHEN j.locked_at IS NULL AND j.attempts < j.max_attempts AND j.run_at <= now() THEN j.run_at END AS due_since
    FROM graphile_worker.jobs j LIMIT ${jobs}
  )`;

/** The oldest payouts of each state that is not final, in the order of an index. */
const openCte = `
  open AS MATERIALIZED (${['pending_approval', 'compliance_hold', 'approved', 'disbursed']
    .map(
      (state) => `
    SELECT '${state}' AS state, count(*) AS payouts, min(o.updated_at) AS oldest FROM (
      SELECT p.updated_at FROM across.payout p WHERE p.state = '${state}' ORDER BY p.updated_at LIMIT ${rows}
    ) o`,
    )
    .join(' UNION ALL')}
  )`;

/** The same of the payouts that wait for an approval, by their tenants: one that forgets its own is no matter of others. */
const approvalCte = `
  approval AS MATERIALIZED (
    SELECT count(DISTINCT o.tenant_id) AS tenants,
      count(DISTINCT o.tenant_id) FILTER (WHERE o.updated_at < now() - interval '3 days') AS old FROM (
      SELECT p.tenant_id, p.updated_at FROM across.payout p WHERE p.state = 'pending_approval' ORDER BY p.updated_at LIMIT ${rows}
    ) o
  )`;

/** The latest links, by their tenants: one that has wrong addresses is no matter of others. */
const mailCte = `
  mail AS MATERIALIZED (
    SELECT count(DISTINCT m.tenant_id) AS tenants,
      count(DISTINCT m.tenant_id) FILTER (WHERE m.mail_status = 'dead') AS dead FROM (
      SELECT r.tenant_id, r.mail_status FROM across.collection_request r
      WHERE r.status = 'live' ORDER BY r.expires_at DESC LIMIT ${rows}
    ) m
  )`;

const dueCte = `
  due AS MATERIALIZED (
    SELECT count(*) AS deliveries, min(d.next_attempt_at) AS oldest,
      count(DISTINCT d.tenant_id) FILTER (WHERE d.next_attempt_at < now() - interval '5 minutes') AS late_tenants FROM (
      SELECT w.tenant_id, w.next_attempt_at FROM across.webhook_delivery w
      WHERE w.status = 'pending' AND w.next_attempt_at <= now() ORDER BY w.next_attempt_at LIMIT ${rows}
    ) d
  )`;

const failingCte = `
  failing AS MATERIALIZED (
    SELECT count(*) AS endpoints, min(f.failing_since) AS oldest
    FROM (SELECT e.failing_since FROM across.webhook_endpoint_failure e LIMIT ${rows}) f
  )`;

const bounded = (from: string): string => `(SELECT 1 FROM ${from} LIMIT ${rows}) counted`;

const lists = `ARRAY['${listKinds.join("', '")}']`;

const stuckPart = metric(
  'payouts_stuck',
  'reason',
  'payouts',
  `ops.stuck_by_reason(interval '1 minute', ${stuck})`,
);

/** A new metric is a line here and its declaration. What it reads must be bounded, whatever the load. */
const parts: readonly string[] = [
  metric('payouts_workers_alive', '', 'count(*)', 'worker_heartbeat w WHERE ops.lives(w)'),
  metric('payouts_tasks_paused', '', 'count(*)', 'paused_task'),
  metric('payouts_schedule_overdue_seconds', 'task', 'seconds', 'ops.schedule_overdue()'),
  metric('payouts_jobs', 'task, state', 'count(*)', 'job GROUP BY task, state'),
  metric(
    'payouts_job_oldest_seconds',
    'task',
    seconds('min(due_since)'),
    'job WHERE due_since IS NOT NULL GROUP BY task',
  ),
  metric('payouts_open', 'state', 'payouts', 'open'),
  metric(
    'payouts_open_oldest_seconds',
    'state',
    seconds('oldest'),
    'open WHERE oldest IS NOT NULL',
  ),
  metric(
    'payouts_outcomes_total',
    'environment, provider, route, state, code',
    'payouts',
    'payout_outcome',
  ),
  metric(
    'payouts_screening_hits',
    `'any'`,
    'count(*)',
    bounded(`across.screening_hit WHERE status = 'open'`),
  ),
  metric(
    'payouts_screening_hits',
    `'old'`,
    'count(*)',
    bounded(`across.screening_hit WHERE status = 'open' AND found_at < now() - interval '3 days'`),
  ),
  metric(
    'payouts_screening_unconfirmed_seconds',
    '',
    seconds('min(s.confirmed_at)'),
    'across.screening_policy s HAVING count(*) > 0',
  ),
  metric('payouts_approval_tenants', `'any'`, 'tenants', 'approval'),
  metric('payouts_approval_tenants', `'old'`, 'old', 'approval'),
  // One that was decided on since stays noted until the next run.
  metric(
    'payouts_nobody_can_approve',
    '',
    'count(*)',
    bounded(`across.approval_stuck s
      JOIN across.payout p ON p.tenant_id = s.tenant_id AND p.id = s.payout_id AND p.state = 'pending_approval'`),
  ),
  stuckPart,
  metric(
    'payouts_contradictions',
    '',
    'count(*)',
    bounded('across.provider_contradiction WHERE finding IS NULL'),
  ),
  // The balances of all tenants: a few slots for each currency, whatever the number of entries. While payouts from
  // before the ledger are being booked, one that moves can post its release before its hold is there.
  metric(
    'payouts_ledger_imbalances',
    '',
    'count(*)',
    bounded(`(
      SELECT b.tenant_id, least(sum(b.held_minor), sum(b.in_transit_minor), sum(b.paid_minor), sum(b.fees_minor)) AS lowest,
        sum(b.funds_minor + b.in_transit_minor + b.paid_minor + b.fees_minor + b.external_minor) AS all_together
      FROM across.ledger_balance b GROUP BY b.tenant_id, b.currency
    ) s LEFT JOIN across.ledger_carry_over c ON c.tenant_id = s.tenant_id
    WHERE s.all_together <> 0 OR (s.lowest < 0 AND c.tenant_id IS NULL)`),
  ),
  metric(
    'payouts_funds_short',
    '',
    'count(*)',
    bounded(`(
      SELECT FROM across.ledger_balance b WHERE b.enforced GROUP BY b.tenant_id, b.currency
      HAVING sum(b.held_minor) > sum(b.funds_minor)
    ) s`),
  ),
  metric(
    'payouts_bank_desk',
    `'unmatched'`,
    'count(*)',
    bounded(`across.bank_line WHERE match = 'unmatched'`),
  ),
  metric(
    'payouts_bank_desk',
    `'stray_answer'`,
    'count(*)',
    bounded(`across.bank_stray_answer WHERE status = 'open'`),
  ),
  metric(
    'payouts_bank_desk',
    `'unreadable'`,
    'count(*)',
    bounded(
      `across.bank_file WHERE status = 'unreadable' AND read_at > now() - interval '24 hours'`,
    ),
  ),
  metric(
    'payouts_bank_desk',
    `'file_for_person'`,
    'count(*)',
    bounded('across.bank_batch WHERE needs_operator'),
  ),
  metric(
    'payouts_bank_desk',
    `'file_not_sent'`,
    'count(*)',
    bounded(
      `across.bank_batch WHERE status IN ('closed', 'sending') AND problem IS NOT NULL AND NOT needs_operator
        AND taken_at IS NULL`,
    ),
  ),
  // A problem stays noted when the last payout leaves the queue, and then it keeps nobody waiting.
  metric(
    'payouts_bank_desk',
    `'file_not_made'`,
    'count(*)',
    bounded(
      `across.bank_sequence s WHERE s.problem IS NOT NULL AND EXISTS (
        SELECT 1 FROM across.bank_waiting w WHERE w.tenant_id = s.tenant_id AND w.connection_id = s.connection_id)`,
    ),
  ),
  metric(
    'payouts_bank_desk',
    `'files_not_fetched'`,
    'count(*)',
    bounded(
      `across.bank_fetch f WHERE f.problem IS NOT NULL AND EXISTS (
        SELECT 1 FROM across.bank_connection c WHERE c.tenant_id = f.tenant_id AND c.id = f.connection_id
          AND c.status = 'active' AND c.transport <> 'manual')`,
    ),
  ),
  // A payout changes when its file is made and when it is sent, so those that changed lately need no look.
  metric(
    'payouts_bank_desk',
    `'debit_missing'`,
    'count(*)',
    bounded(
      `across.payout p
        JOIN across.bank_payment m ON m.tenant_id = p.tenant_id AND m.attempt_id = p.live_attempt_id
        JOIN across.bank_batch b ON b.tenant_id = m.tenant_id AND b.id = m.batch_id
        WHERE p.state = 'approved' AND p.updated_at < now() - interval '3 days' AND ops.debit_is_late(b.execution_date)`,
    ),
  ),
  metric(
    'payouts_watchlist_failed',
    'k.kind',
    `CASE WHEN v.status IN ('refused', 'loading') THEN 1 ELSE 0 END`,
    `unnest(${lists}) AS k (kind) CROSS JOIN LATERAL (
      SELECT w.status FROM watchlist_version w
      WHERE w.kind = k.kind AND (w.status <> 'loading' OR w.started_at < now() - interval '1 hour')
      ORDER BY w.id DESC LIMIT 1
    ) v`,
  ),
  metric(
    'payouts_watchlist_age_days',
    'v.kind',
    'current_date - v.listed_on',
    `watchlist_version v WHERE v.status = 'current'`,
  ),
  metric(
    'payouts_resolutions_to_confirm',
    '',
    'count(*)',
    bounded('ops.order_confirmation WHERE answer IS NULL'),
  ),
  metric(
    'payouts_changes_to_confirm',
    '',
    'count(*)',
    bounded(
      `across.proposed_change WHERE status = 'waiting' AND kind NOT IN ('webhook_address', 'approval_policy', 'approval_group', 'approval_role') AND expires_at > now()`,
    ),
  ),
  metric(
    'payouts_provider_event_oldest_seconds',
    '',
    `coalesce(${seconds('min(received_at)')}, 0)`,
    `provider_event WHERE status = 'received'`,
  ),
  metric(
    'payouts_job_outbox_oldest_seconds',
    '',
    `coalesce(${seconds('min(uuid_extract_timestamp(id))')}, 0)`,
    `(SELECT id FROM across.job_outbox LIMIT ${rows}) waiting`,
  ),
  metric('payouts_deliveries_due', '', 'deliveries', 'due'),
  metric('payouts_delivery_due_oldest_seconds', '', `coalesce(${seconds('oldest')}, 0)`, 'due'),
  metric('payouts_delivery_late_tenants', '', 'late_tenants', 'due'),
  metric('payouts_endpoints', '', 'count(*)', bounded('across.webhook_subscription WHERE enabled')),
  metric('payouts_endpoints_failing', '', 'endpoints', 'failing'),
  metric(
    'payouts_endpoint_failing_oldest_seconds',
    '',
    `coalesce(${seconds('oldest')}, 0)`,
    'failing',
  ),
  metric(
    'payouts_dead_letters',
    `'delivery'`,
    'count(*)',
    bounded(
      `across.webhook_delivery WHERE status = 'dead' AND completed_at > now() - interval '24 hours'`,
    ),
  ),
  metric(
    'payouts_dead_letters',
    `'mail'`,
    'count(*)',
    bounded(`across.collection_request WHERE mail_status = 'dead'`),
  ),
  metric('payouts_mail_tenants', `'any'`, 'tenants', 'mail'),
  metric('payouts_mail_tenants', `'dead'`, 'dead', 'mail'),
];

const readingOf = (read: readonly string[]): string =>
  `WITH ${[jobsCte, openCte, approvalCte, mailCte, dueCte, failingCte].join(',')}\n${read.join('\nUNION ALL\n')}`;

/** Everything that the metrics read from the database: one statement, each part bounded. */
export const storedReading = platformStatement({ name: 'stored_metrics', text: readingOf(parts) });

/** The same of the tenants that can be reached, apart from what a function reads of all tenants. */
export const reachedReading = ofTenants({
  name: 'stored_metrics',
  text: readingOf(parts.filter((part) => part !== stuckPart)),
});
