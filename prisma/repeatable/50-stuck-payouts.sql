-- ── Payouts that make no progress, and why. ──
-- Ids, states and times only: no name, no address, no identifier, and no text of a member or a payee.

-- Why each of these payouts makes no progress, the longest wait first. `tenants` and `payouts` have the same order.
-- No row for a payout that waits for its business, its provider or its bank in the usual way, or that has ended.
CREATE FUNCTION ops.explain_payouts(tenants text[], payouts text[]) RETURNS TABLE (
  payout_id text, tenant_id text, environment text, state text, since timestamptz, reason text,
  explanation text, next_step text, attempt_id text, provider text, enrollment_id text, job_id bigint,
  last_error text, amount_minor bigint, currency text, taken_by text
)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  WITH kept AS MATERIALIZED ( -- what the tenants' tables say: on Citus the others are on another node
    SELECT p.*, a.id AS attempt, a.status AS attempt_status, a.needs_operator, a.called_at,
      b.compliance_status = 'suspended' AS suspended, b.screening, tr.cause, tr.occurred_at AS moved_at, e.id AS enrollment,
      c.noticed_at AS contradicted_at, r.id AS replacement, r.state AS replacement_state,
      EXISTS (
        SELECT 1 FROM public.job_outbox o
        WHERE o.tenant_id = p.tenant_id AND o.task = 'disburse_payout' AND o.payload ->> 'payoutId' = p.id
      ) AS in_outbox,
      coalesce(p.provider, '') LIKE 'bank:%' AS by_bank, w.since AS waits_for_file_since
    FROM unnest(tenants, payouts) AS given (tenant_id, id)
    JOIN public.payout p ON p.tenant_id = given.tenant_id AND p.id = given.id
    JOIN public.beneficiary b ON b.tenant_id = p.tenant_id AND b.id = p.beneficiary_id
    JOIN public.payout_transition tr
      ON tr.tenant_id = p.tenant_id AND tr.payout_id = p.id AND tr.seq = p.transition_count
    LEFT JOIN LATERAL (
      SELECT x.* FROM public.disbursement_attempt x
      WHERE x.tenant_id = p.tenant_id AND x.payout_id = p.id AND (x.id = p.live_attempt_id OR x.needs_operator)
      ORDER BY x.needs_operator DESC, x.number DESC LIMIT 1
    ) a ON true
    LEFT JOIN LATERAL (
      SELECT x.noticed_at FROM public.provider_contradiction x
      WHERE x.tenant_id = p.tenant_id AND x.payout_id = p.id AND x.finding IS NULL ORDER BY x.noticed_at LIMIT 1
    ) c ON true
    LEFT JOIN public.bank_waiting w ON w.tenant_id = p.tenant_id AND w.payout_id = p.id
    LEFT JOIN public.payout r ON r.tenant_id = p.tenant_id AND r.replaces_payout_id = p.id
    LEFT JOIN public.enrollment e
      ON e.tenant_id = p.tenant_id AND e.beneficiary_id = p.beneficiary_id AND e.status = 'pending'
  ), fact AS (
    SELECT p.*, t.environment, j.id AS job, j.last_error AS job_error, j.running, j.dead, j.attempts AS tries,
      unconfirmed.id AS unconfirmed,
      p.state = 'approved' AND p.replaces_payout_id IS NOT NULL
        AND ops.is_contradicted(p.tenant_id, p.replaces_payout_id) AS predecessor_contradicted,
      EXISTS (SELECT 1 FROM public.paused_task x WHERE x.task = 'disburse_payout') AS paused,
      EXISTS (SELECT 1 FROM public.worker_heartbeat w WHERE ops.lives(w)) AS worker,
      -- Each worker reports a circuit for each provider that it has. The simulator pays nothing in production.
      t.environment = 'production' AND EXISTS (
        SELECT 1 FROM public.worker_heartbeat w WHERE ops.lives(w) AND w.circuits <> '{}'
      ) AND NOT EXISTS (
        SELECT 1 FROM public.worker_heartbeat w CROSS JOIN jsonb_object_keys(w.circuits) c
        WHERE ops.lives(w) AND c <> 'simulator'
      ) AS without_provider
    FROM kept p
    JOIN public.tenant t ON t.id = p.tenant_id
    LEFT JOIN LATERAL (
      SELECT q.id, q.last_error, q.attempts, q.locked_at IS NOT NULL AS running,
        q.locked_at IS NULL AND q.attempts >= q.max_attempts AS dead
      FROM graphile_worker._private_jobs q WHERE q.key = 'disburse ' || p.id
    ) j ON true
    LEFT JOIN LATERAL (
      SELECT l.id FROM ops.action_log l JOIN ops.order_confirmation o ON o.action_id = l.id
      WHERE l.subject_id = p.id AND l.outcome IS NULL AND o.answer IS NULL ORDER BY l.id DESC LIMIT 1
    ) unconfirmed ON true
  ), judged AS (
    SELECT f.*, CASE
        WHEN f.contradicted_at IS NOT NULL THEN
          CASE WHEN f.replacement_state IN ('approved', 'disbursed', 'settled') THEN 'provider_contradicts_replaced' ELSE 'provider_contradicts' END
        WHEN f.unconfirmed IS NOT NULL THEN 'resolution_to_confirm'
        WHEN f.needs_operator AND f.attempt_status IN ('prepared', 'unknown') THEN 'outcome_for_operator'
        WHEN f.needs_operator THEN 'attempt_for_operator'
        WHEN f.state = 'compliance_hold' AND f.cause = 'beneficiary_suspended' THEN
          CASE WHEN f.suspended THEN 'beneficiary_suspended' ELSE 'release_missing' END
        WHEN f.state = 'compliance_hold' AND f.cause = 'screening' THEN CASE
          WHEN f.suspended THEN 'beneficiary_suspended'
          WHEN coalesce(f.screening, 'clear') = 'clear' THEN 'release_missing' ELSE 'screening_open' END
        WHEN f.state = 'compliance_hold' THEN 'held_by_provider'
        WHEN f.state = 'disbursed' THEN CASE WHEN NOT f.by_bank AND f.updated_at < now() - interval '7 days' THEN 'not_settled' END
        WHEN f.state <> 'approved' THEN NULL
        -- What is in a file moves by the bank's clock: ops.bank_batches and ops.bank_missing_debits show what is late.
        WHEN f.attempt IS NOT NULL AND f.by_bank THEN NULL
        WHEN f.attempt_status IN ('prepared', 'unknown') AND f.suspended THEN 'outcome_unknown_suspended'
        WHEN f.attempt_status IN ('prepared', 'unknown') THEN 'outcome_unknown'
        WHEN f.attempt_status = 'submitted' THEN
          CASE WHEN f.updated_at < now() - interval '15 minutes' THEN 'provider_silent' END
        WHEN f.suspended THEN 'beneficiary_suspended'
        WHEN coalesce(f.screening, 'clear') <> 'clear' THEN 'screening_open'
        WHEN f.predecessor_contradicted THEN 'predecessor_contradicted'
        -- No calendar has so many days without a bank day.
        WHEN f.waits_for_file_since IS NOT NULL AND f.attempt IS NULL THEN
          CASE WHEN f.waits_for_file_since < now() - interval '6 days' THEN 'file_not_made' END
        WHEN f.running THEN 'job_running'
        WHEN f.paused THEN 'task_paused'
        WHEN f.without_provider THEN 'no_provider'
        WHEN f.dead THEN 'job_dead'
        WHEN f.in_outbox AND NOT f.worker THEN 'no_worker'
        WHEN f.in_outbox THEN 'in_outbox'
        WHEN f.job IS NULL THEN 'no_job'
        WHEN NOT f.worker THEN 'no_worker'
        WHEN f.enrollment IS NOT NULL THEN 'enrollment_pending'
        WHEN f.tries > 0 THEN 'job_failing'
        ELSE 'waits_for_turn'
      END AS why
    FROM fact f
  )
  SELECT f.id::text, f.tenant_id::text, f.environment, f.state,
    coalesce(f.contradicted_at,
      CASE WHEN f.attempt IS NULL OR f.state <> 'approved' THEN f.moved_at ELSE f.called_at END)::timestamptz,
    f.why, w.explanation,
    replace(replace(replace(replace(replace(replace(replace(w.next_step, '{order}', coalesce(f.unconfirmed::text, '')), '{payout}', f.id), '{job}', coalesce(f.job::text, '')),
      '{beneficiary}', f.beneficiary_id), '{enrollment}', coalesce(f.enrollment, '')),
      '{replacement}', coalesce(f.replacement, '')), '{predecessor}', coalesce(f.replaces_payout_id, '')),
    f.attempt::text, f.provider, f.enrollment::text, f.job, ops.one_line(f.job_error), f.amount_minor, f.currency,
    ops.taken_by(f.id)
  FROM judged f
  JOIN (VALUES
    ('outcome_for_operator',
     'The outcome is unknown and the provider''s key window is closed: the service sends nothing again by itself.',
     'Ask the provider''s staff about the attempt. SELECT ops.look_up_payout(''{payout}'', ''…''); then ops.resolve_payout.'),
    ('resolution_to_confirm', 'An operator ordered a resolution, which a second person has to confirm.',
     'SELECT * FROM ops.resolutions_to_confirm; then SELECT ops.confirm_resolution(''{order}'', ''…''); or ops.decline_resolution.'),
    ('provider_contradicts',
     'The provider''s answer disagrees with the attempt or with an earlier answer: nothing moves, and the payout cannot be replaced.',
     'SELECT * FROM ops.contradictions WHERE payout_id = ''{payout}'' AND finding IS NULL; ask the provider''s staff; then ops.examine_contradiction for each line, and ops.resolve_payout(''{payout}'', …) if the payout has the wrong state.'),
    ('provider_contradicts_replaced',
     'The provider contradicts an earlier answer about this payment, and its replacement is approved or under way: the payee may be paid twice.',
     'At once: SELECT * FROM ops.timeline(''{replacement}''); ask the business to cancel it, or the provider to stop it. Then SELECT * FROM ops.contradictions WHERE payout_id = ''{payout}'' AND finding IS NULL; ask the provider''s staff; ops.examine_contradiction for each line.'),
    ('attempt_for_operator', 'One of its attempts needs an operator.',
     'Ask the provider''s staff about the attempt, then ops.resolve_payout(''{payout}'', ''paid'' or ''not_paid'', …).'),
    ('predecessor_contradicted',
     'It replaces a payout about which the provider contradicts itself: it is not handed over, since that could pay twice.',
     'SELECT * FROM ops.stuck_payouts WHERE payout_id = ''{predecessor}''; examine its contradictions first, and those of the payouts that it replaces.'),
    ('beneficiary_suspended', 'The beneficiary is suspended, so the payout is not handed over.',
     'Reinstate {beneficiary} (GraphQL operatorBeneficiaryReinstate) if it may be paid.'),
    ('screening_open',
     'The beneficiary may be on a list of sanctions, or has no whole result of the screening yet.',
     'SELECT * FROM ops.screening_hits WHERE beneficiary_id = ''{beneficiary}''; the business decides (screeningHitDecide). Without a hit: SELECT * FROM ops.schedule(''screen_beneficiary'', ''{beneficiary}'', reason => ''…'');'),
    ('release_missing', 'Held for a suspension or a hit that is over: the job that releases it is missing or has failed.',
     'SELECT * FROM ops.schedule(''release_payouts'', ''{beneficiary}'', reason => ''…'');'),
    ('held_by_provider', 'The provider holds it for compliance, or the hold is simulated.',
     'Wait until the provider releases it, or ask the business to reject or cancel it.'),
    ('not_settled', 'Disbursed more than a week ago and neither settled nor returned.',
     'SELECT ops.look_up_payout(''{payout}'', ''…'');'),
    ('outcome_unknown_suspended',
     'It may have been paid, and its beneficiary has been suspended since: the service looks it up and does not send it again.',
     'SELECT ops.look_up_payout(''{payout}'', ''…'');'),
    ('outcome_unknown', 'The provider was called and gave no clear answer. The service keeps asking.',
     'SELECT ops.look_up_payout(''{payout}'', ''…''); see ops.provider_health.'),
    ('provider_silent', 'The provider accepted it and has reported nothing since.',
     'SELECT ops.look_up_payout(''{payout}'', ''…''); see ops.provider_health.'),
    ('file_not_made', 'It has waited for a file to its bank for more than six days.',
     'SELECT * FROM ops.bank_queues: is the connection active, and what is its problem? See docs/bank-batches.md.'),
    ('job_running', 'A worker is running its job.', 'See ops.workers for whether that worker is alive.'),
    ('task_paused', 'The task disburse_payout is paused.',
     'SELECT * FROM ops.paused_tasks; then ops.resume_task(''disburse_payout'', ''…'').'),
    ('no_provider', 'No worker that is alive has a provider for production.',
     'Set PROVIDER for the workers and the API and restart them; the reconciliation then adds the job within minutes.'),
    ('job_dead', 'Its job has failed for the last time and is not retried; see last_error.',
     'Fix the cause; then SELECT * FROM ops.retry_job({job}, ''…'');'),
    ('no_job', 'It is approved and has no job that hands it over; the reconciliation adds one within minutes.',
     'SELECT * FROM ops.schedule(''disburse_payout'', ''{payout}'', reason => ''…''); is reconcile_payouts paused or dead?'),
    ('in_outbox', 'Its job waits until a worker takes it over.',
     'SELECT * FROM ops.outbox; see ops.workers and the log of the workers for why none does.'),
    ('no_worker', 'Its job waits and no worker is alive.', 'Start a worker; see ops.workers.'),
    ('enrollment_pending', 'A bank account of the beneficiary is being enrolled with the provider.',
     'SELECT * FROM ops.schedule(''enroll_bank_account'', ''{enrollment}'', reason => ''…''); see ops.provider_health.'),
    ('job_failing', 'Its job fails and is retried; see last_error.',
     'Fix the cause; then SELECT * FROM ops.retry_job({job}, ''…'');'),
    ('waits_for_turn', 'Its job is ready and waits for a free worker.', 'See ops.queue_health for the backlog.')
  ) AS w (why, explanation, next_step) ON w.why = f.why
  ORDER BY 5;
END
$$;

CREATE FUNCTION ops.find_stuck_payouts(older_than interval DEFAULT '5 minutes', at_most integer DEFAULT NULL) RETURNS TABLE (
  payout_id text, tenant_id text, environment text, state text, since timestamptz, reason text,
  explanation text, next_step text, attempt_id text, provider text, enrollment_id text, job_id bigint,
  last_error text, amount_minor bigint, currency text, taken_by text
)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  tenants text[];
  payouts text[];
BEGIN
  SELECT array_agg(c.tenant_id), array_agg(c.id) INTO tenants, payouts FROM (
    (SELECT p.tenant_id, p.id FROM public.payout p
     WHERE p.state = 'approved' AND p.updated_at < now() - older_than
       AND (p.live_attempt_id IS NULL OR coalesce(p.provider, '') NOT LIKE 'bank:%')
       AND NOT EXISTS (
         SELECT 1 FROM public.bank_waiting w WHERE w.tenant_id = p.tenant_id AND w.payout_id = p.id
       )
     ORDER BY p.updated_at LIMIT at_most)
    UNION
    (SELECT w.tenant_id, w.payout_id FROM public.bank_waiting w
     WHERE w.since < now() - interval '6 days' ORDER BY w.since LIMIT at_most)
    UNION
    (SELECT p.tenant_id, p.id FROM public.payout p
     WHERE p.state = 'disbursed' AND p.updated_at < now() - interval '7 days' AND coalesce(p.provider, '') NOT LIKE 'bank:%' ORDER BY p.updated_at LIMIT at_most)
    UNION
    (SELECT p.tenant_id, p.id FROM public.payout p
     WHERE p.state = 'compliance_hold' AND p.updated_at < now() - older_than ORDER BY p.updated_at LIMIT at_most)
    UNION
    (SELECT a.tenant_id, a.payout_id FROM public.disbursement_attempt a WHERE a.needs_operator LIMIT at_most)
    UNION
    (SELECT c.tenant_id, c.payout_id FROM public.provider_contradiction c
     WHERE c.finding IS NULL AND c.payout_id IS NOT NULL LIMIT at_most)
    UNION
    (SELECT l.tenant_id, l.subject_id FROM ops.order_confirmation o JOIN ops.action_log l ON l.id = o.action_id
     WHERE o.answer IS NULL AND l.outcome IS NULL ORDER BY o.asked_at LIMIT at_most)
  ) c;
  RETURN QUERY SELECT * FROM ops.explain_payouts(tenants, payouts);
END
$$;
COMMENT ON FUNCTION ops.find_stuck_payouts(interval, integer) IS
  'The payouts of ops.stuck_payouts that have made no progress for the interval; of each kind the at_most oldest, or all.';

CREATE VIEW ops.stuck_payouts AS SELECT * FROM ops.find_stuck_payouts();
COMMENT ON VIEW ops.stuck_payouts IS
  'Payouts that should have made progress and have not for five minutes: the reason, and what to do.';
