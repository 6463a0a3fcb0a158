-- ── What operators read about payouts and providers. ──
-- Ids, states and times: no name, no address, no identifier, nothing that a member or a receiver wrote.

-- What waits for a person is rare and looked for among everything.
CREATE INDEX disbursement_attempt_needs_operator_idx ON disbursement_attempt (tenant_id, id) WHERE needs_operator;
CREATE INDEX provider_event_unmatched_idx ON provider_event (received_at) WHERE status = 'unmatched';
-- The events of one payout's attempts, among those of 90 days.
CREATE INDEX provider_event_subject_id_idx ON provider_event (subject_id) WHERE subject_id IS NOT NULL;

-- The smallest id of the resource that can have been made at that time: the first ten digits after the
-- prefix are the milliseconds (TypeID 0.3, RFC 9562 section 5.7). The key of a table leads to what is
-- new in it, so that no index on a time is needed.
CREATE FUNCTION ops.id_since(prefix text, since timestamptz) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
RETURN prefix || '_' || (
  SELECT string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz',
    ((floor(extract(epoch FROM since) * 1000)::bigint >> (5 * digit)) & 31)::integer + 1, 1), '' ORDER BY digit DESC)
  FROM generate_series(0, 9) AS digit);

-- Who did it, by ids and roles.
CREATE FUNCTION ops.actor_text(actor jsonb) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
RETURN (actor ->> 'type') || coalesce(' ' ||
  coalesce(actor ->> 'membership_id', actor ->> 'name', actor ->> 'login', actor ->> 'key_id', actor ->> 'id'), '');

CREATE FUNCTION ops.without_addresses(told text) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
RETURN regexp_replace(told, '[^\s<>@"'',;:]+@[^\s<>@"'',;:]+', '****', 'g');

CREATE FUNCTION ops.find_stuck_payouts(older_than interval DEFAULT '5 minutes') RETURNS TABLE (
  payout_id text, tenant_id text, environment text, state text, since timestamptz, reason text,
  explanation text, next_step text, attempt_id text, provider text, enrollment_id text, job_id bigint,
  last_error text, amount_minor bigint, currency text
)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  WITH candidate AS (
    SELECT p.tenant_id, p.id FROM public.payout p
    WHERE p.state = 'approved' AND p.updated_at < now() - older_than
    UNION
    SELECT p.tenant_id, p.id FROM public.payout p
    WHERE p.state = 'disbursed' AND p.updated_at < now() - interval '7 days'
    UNION
    SELECT p.tenant_id, p.id FROM public.tenant t CROSS JOIN LATERAL (
      SELECT h.tenant_id, h.id FROM public.payout h
      WHERE h.tenant_id = t.id AND h.state = 'compliance_hold' AND h.updated_at < now() - older_than OFFSET 0) p
    UNION
    SELECT a.tenant_id, a.payout_id FROM public.disbursement_attempt a WHERE a.needs_operator
  ), job AS (
    SELECT DISTINCT ON (j.payload ->> 'payoutId') j.payload ->> 'payoutId' AS payout_id, j.id, j.last_error,
      j.locked_at IS NOT NULL AS running, j.locked_at IS NULL AND j.attempts >= j.max_attempts AS dead, j.attempts
    FROM graphile_worker._private_jobs j
    JOIN graphile_worker._private_tasks t ON t.id = j.task_id AND t.identifier = 'disburse_payout'
    -- Of a payout's jobs the one that may still do something.
    ORDER BY j.payload ->> 'payoutId', j.locked_at IS NULL AND j.attempts >= j.max_attempts, j.id DESC
  ), fact AS (
    SELECT p.*, t.environment, a.id AS attempt, a.status AS attempt_status, a.needs_operator, a.called_at,
      b.compliance_status = 'suspended' AS suspended, tr.cause, tr.occurred_at AS moved_at,
      j.id AS job, j.last_error AS job_error, j.running, j.dead, j.attempts AS tries, e.id AS enrollment,
      EXISTS (SELECT FROM public.paused_task x WHERE x.task = 'disburse_payout') AS paused,
      EXISTS (SELECT FROM public.worker_heartbeat w WHERE ops.lives(w)) AS worker,
      -- Each worker tells the circuits of the providers that it has; the simulator pays nothing in production.
      t.environment = 'production' AND EXISTS (
        SELECT FROM public.worker_heartbeat w WHERE ops.lives(w) AND w.circuits <> '{}'
      ) AND NOT EXISTS (
        SELECT FROM public.worker_heartbeat w CROSS JOIN jsonb_object_keys(w.circuits) c
        WHERE ops.lives(w) AND c <> 'simulator'
      ) AS without_provider
    FROM candidate c
    JOIN public.payout p ON p.tenant_id = c.tenant_id AND p.id = c.id
    JOIN public.tenant t ON t.id = p.tenant_id
    JOIN public.beneficiary b ON b.tenant_id = p.tenant_id AND b.id = p.beneficiary_id
    JOIN public.payout_transition tr
      ON tr.tenant_id = p.tenant_id AND tr.payout_id = p.id AND tr.seq = p.transition_count
    LEFT JOIN LATERAL (
      SELECT a.* FROM public.disbursement_attempt a
      WHERE a.tenant_id = p.tenant_id AND a.payout_id = p.id AND (a.id = p.live_attempt_id OR a.needs_operator)
      ORDER BY a.needs_operator DESC, a.number DESC LIMIT 1
    ) a ON true
    LEFT JOIN job j ON j.payout_id = p.id
    LEFT JOIN public.enrollment e
      ON e.tenant_id = p.tenant_id AND e.beneficiary_id = p.beneficiary_id AND e.status = 'pending'
  ), judged AS (
    SELECT f.*, CASE
        WHEN f.needs_operator AND f.attempt_status IN ('prepared', 'unknown') THEN 'outcome_for_operator'
        WHEN f.needs_operator THEN 'provider_contradicts'
        WHEN f.state = 'compliance_hold' AND f.cause = 'beneficiary_suspended' THEN
          CASE WHEN f.suspended THEN 'beneficiary_suspended' ELSE 'release_missing' END
        WHEN f.state = 'compliance_hold' THEN 'held_by_provider'
        WHEN f.state = 'disbursed' THEN 'not_settled'
        WHEN f.attempt_status IN ('prepared', 'unknown') AND f.suspended THEN 'outcome_unknown_suspended'
        WHEN f.attempt_status IN ('prepared', 'unknown') THEN 'outcome_unknown'
        WHEN f.attempt_status = 'submitted' THEN
          CASE WHEN f.updated_at < now() - interval '15 minutes' THEN 'provider_silent' END
        WHEN f.suspended THEN 'beneficiary_suspended'
        WHEN f.running THEN 'job_running'
        WHEN f.paused THEN 'task_paused'
        WHEN f.without_provider THEN 'no_provider'
        WHEN f.dead THEN 'job_dead'
        WHEN f.job IS NULL THEN 'no_job'
        WHEN NOT f.worker THEN 'no_worker'
        WHEN f.enrollment IS NOT NULL THEN 'enrollment_pending'
        WHEN f.tries > 0 THEN 'job_failing'
        ELSE 'waits_for_turn'
      END AS why
    FROM fact f
  )
  SELECT f.id::text, f.tenant_id::text, f.environment, f.state,
    CASE WHEN f.attempt IS NULL OR f.state <> 'approved' THEN f.moved_at ELSE f.called_at END::timestamptz,
    f.why, w.explanation,
    replace(replace(replace(replace(w.next_step, '{payout}', f.id), '{job}', coalesce(f.job::text, '')),
      '{beneficiary}', f.beneficiary_id), '{enrollment}', coalesce(f.enrollment, '')),
    f.attempt::text, f.provider, f.enrollment::text, f.job, f.job_error, f.amount_minor, f.currency
  FROM judged f
  JOIN (VALUES
    ('outcome_for_operator',
     'The provider''s key window closed before the outcome was known: nothing is sent again by itself.',
     'Ask the provider for the attempt. SELECT ops.look_up_payout(''{payout}'', ''…''); then ops.resolve_payout.'),
    ('provider_contradicts',
     'The provider denies what it said before of this payment; nothing moves.',
     'Ask the provider for the attempt, then ops.resolve_payout(''{payout}'', ''paid'' or ''not_paid'', …).'),
    ('beneficiary_suspended', 'The beneficiary is suspended: it is not paid.',
     'Reinstate {beneficiary} (GraphQL operatorBeneficiaryReinstate), or leave it.'),
    ('release_missing', 'Held for a suspension that is over: the job that releases it is missing or failed.',
     'SELECT * FROM ops.schedule(''release_payouts'', ''{beneficiary}'', reason => ''…'');'),
    ('held_by_provider', 'The provider holds it for its compliance, or a simulated hold.',
     'Wait for the provider''s release, or have the business reject or cancel it.'),
    ('not_settled', 'Disbursed more than a week ago and neither settled nor returned.',
     'SELECT ops.look_up_payout(''{payout}'', ''…'');'),
    ('outcome_unknown_suspended',
     'It may have been paid, and its beneficiary was suspended since: it is looked up and not sent again.',
     'SELECT ops.look_up_payout(''{payout}'', ''…'');'),
    ('outcome_unknown', 'The provider was called and gave no clear answer; it is looked up again and again.',
     'SELECT ops.look_up_payout(''{payout}'', ''…''); see ops.provider_health.'),
    ('provider_silent', 'The provider took it and has told nothing since.',
     'SELECT ops.look_up_payout(''{payout}'', ''…''); see ops.provider_health.'),
    ('job_running', 'A worker is at it.', 'See ops.workers for whether that worker lives.'),
    ('task_paused', 'The task disburse_payout is paused.',
     'SELECT * FROM ops.paused_tasks; then ops.resume_task(''disburse_payout'', ''…'').'),
    ('no_provider', 'No living worker has a provider for production.',
     'Set PROVIDER for the workers and the API and start them again; the reconciliation then adds the job within minutes.'),
    ('job_dead', 'Its job failed so often that it gave up; see last_error.',
     'Mend the cause; then SELECT * FROM ops.retry_job({job}, ''…'');'),
    ('no_job', 'Approved, and no job will hand it over; the reconciliation adds one within minutes.',
     'SELECT * FROM ops.schedule(''disburse_payout'', ''{payout}'', reason => ''…''); is reconcile_payouts paused or dead?'),
    ('no_worker', 'Its job waits and no worker lives.', 'Start a worker; see ops.workers.'),
    ('enrollment_pending', 'A bank account of the beneficiary is being enrolled with the provider.',
     'SELECT * FROM ops.schedule(''enroll_bank_account'', ''{enrollment}'', reason => ''…''); see ops.provider_health.'),
    ('job_failing', 'Its job fails and is tried again; see last_error.',
     'Mend the cause; then SELECT * FROM ops.retry_job({job}, ''…'');'),
    ('waits_for_turn', 'Its job waits for its turn.', 'See ops.queue_health for the backlog.')
  ) AS w (why, explanation, next_step) ON w.why = f.why
  ORDER BY 5;
END
$$;
COMMENT ON FUNCTION ops.find_stuck_payouts(interval) IS
  'The payouts of ops.stuck_payouts that have stood still for the interval.';

CREATE VIEW ops.stuck_payouts AS SELECT * FROM ops.find_stuck_payouts();
COMMENT ON VIEW ops.stuck_payouts IS
  'Payouts that stand still for five minutes where something should happen: the reason, and what to do about it.';

CREATE FUNCTION ops.timeline(payout text) RETURNS TABLE (
  at timestamptz, what text, id text, detail text, by_whom text
)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  tenant text;
BEGIN
  SELECT l.tenant_id INTO tenant FROM ops.locate(payout) l WHERE l.kind = 'payout';
  IF tenant IS NULL THEN
    RAISE EXCEPTION 'There is no payout %.', coalesce(quote_literal(payout), 'without an id')
      USING ERRCODE = 'no_data_found', HINT = 'The id of a payout begins with pay_; ops.find(id) tells what another id is.';
  END IF;
  RETURN QUERY
  WITH attempt AS (
    SELECT a.* FROM public.disbursement_attempt a WHERE a.tenant_id = tenant AND a.payout_id = payout
  ), told AS (
    SELECT e.* FROM public.event e WHERE e.tenant_id = tenant AND e.payout_id = payout
  ), delivery AS (
    SELECT d.*, e.type FROM told e JOIN public.webhook_delivery d ON d.tenant_id = tenant AND d.event_id = e.id
  ), job AS (
    SELECT j.*, t.identifier AS task FROM graphile_worker._private_jobs j
    JOIN graphile_worker._private_tasks t ON t.id = j.task_id
    WHERE j.key IN (SELECT 'disburse ' || payout UNION ALL SELECT d.id FROM delivery d WHERE d.status = 'pending')
      OR (j.key IS NULL AND j.payload ->> 'payoutId' = payout)
  ), line AS (
    SELECT t.occurred_at::timestamptz AS at, 1 AS place, 'transition' AS what, t.seq::text AS id,
      concat_ws(', ', t.from_state || ' → ' || t.to_state, t.cause, t.attempt_id,
        CASE WHEN t.actor ->> 'type' = 'operator' THEN t.reason END) AS detail,
      ops.actor_text(t.actor) AS by_whom
    FROM public.payout_transition t WHERE t.tenant_id = tenant AND t.payout_id = payout
    UNION ALL
    SELECT d.submitted_at, 0, 'decision', d.id,
      concat_ws(', ', d.status, (SELECT string_agg(r ->> 'code', ' ') FROM jsonb_array_elements(d.reasons) r)),
      ops.actor_text(d.evaluated_by)
    FROM public.payout_decision d WHERE d.tenant_id = tenant AND d.payout_id = payout
    UNION ALL
    SELECT a.prepared_at, 2, 'attempt prepared', a.id, concat('attempt ', a.number, ' to ', a.provider), NULL FROM attempt a
    UNION ALL
    SELECT a.called_at, 3, 'attempt called again', a.id, concat('call ', a.calls), NULL FROM attempt a WHERE a.calls > 1
    UNION ALL
    SELECT coalesce(a.completed_at, a.submitted_at), 4, 'attempt ' || a.status, a.id,
      concat_ws(', ', a.provider_payout_id, a.failure_code), NULL
    FROM attempt a WHERE a.status IN ('submitted', 'rejected')
    UNION ALL
    SELECT a.looked_up_at, 4, 'attempt looked up', a.id, NULL, NULL FROM attempt a WHERE a.looked_up_at IS NOT NULL
    UNION ALL
    SELECT clock_timestamp(), 9, 'now: attempt ' || a.status, a.id,
      concat_ws(', ', a.failure_code, CASE WHEN a.needs_operator THEN 'needs an operator' END,
        'key window ' || CASE WHEN a.key_expires_at > now() THEN 'open' ELSE 'closed' END), NULL
    FROM attempt a WHERE a.status IN ('prepared', 'unknown') OR a.needs_operator
    UNION ALL
    SELECT e.received_at, 5, 'provider event', e.event_id,
      concat_ws(', ', e.event ->> 'type', e.status, CASE WHEN e.tries > 1 THEN concat(e.tries, ' tries') END), e.provider
    FROM public.provider_event e
    WHERE e.subject_id IN (SELECT payout UNION ALL SELECT a.id FROM attempt a) AND e.tenant_id = tenant
    UNION ALL
    SELECT e.occurred_at, 6, 'event', e.id, e.type, NULL FROM told e
    UNION ALL
    SELECT n.started_at, 7, 'delivery attempt', n.delivery_id,
      concat_ws(', ', d.type, concat('attempt ', n.number), coalesce(n.status_code::text, ops.without_addresses(n.error)),
        n.latency_ms || ' ms'), NULL
    FROM delivery d JOIN public.webhook_delivery_attempt n ON n.tenant_id = tenant AND n.delivery_id = d.id
    UNION ALL
    SELECT coalesce(d.completed_at, d.next_attempt_at), CASE d.status WHEN 'pending' THEN 9 ELSE 8 END,
      CASE d.status WHEN 'pending' THEN 'delivery planned' ELSE 'delivery ' || d.status END, d.id, d.type, NULL
    FROM delivery d
    UNION ALL
    SELECT r.ended_at, 7, 'job ' || r.outcome, r.job_id::text, concat_ws(', ', r.task, concat('attempt ', r.attempt), r.error),
      r.worker_id
    FROM public.job_run r
    WHERE r.subject_id IN (SELECT payout UNION ALL SELECT d.id FROM delivery d) AND r.tenant_id = tenant
    UNION ALL
    SELECT coalesce(j.locked_at, j.run_at), 9,
      CASE WHEN j.locked_at IS NOT NULL THEN 'job running' WHEN j.attempts >= j.max_attempts THEN 'job dead' ELSE 'job waits' END,
      j.id::text, concat_ws(', ', j.task, concat('attempts ', j.attempts, ' of ', j.max_attempts), j.last_error), j.locked_by
    FROM job j
    UNION ALL
    SELECT l.at, 8, 'operator', l.id::text, concat_ws(', ', l.action, l.reason, 'outcome ' || l.outcome), l.who
    FROM ops.action_log l WHERE l.subject_id = payout
  )
  SELECT l.at, l.what, l.id, nullif(l.detail, ''), l.by_whom FROM line l ORDER BY l.at, l.place, l.id;
END
$$;
COMMENT ON FUNCTION ops.timeline(text) IS
  'All that happened to a payout, in order: transitions, decisions, attempts, provider events, events, deliveries, jobs, operators.';

CREATE FUNCTION ops.provider_health_now() RETURNS TABLE (
  provider text, environment text, attempts_1h bigint, submitted_1h bigint, rejected_1h bigint, unclear_1h bigint,
  unknown_now bigint, oldest_unknown_for interval, needs_operator bigint, p95_ms integer, last_event_at timestamptz,
  events_waiting bigint, oldest_event_waits_for interval, events_unmatched bigint, circuits jsonb
)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  WITH RECURSIVE sender AS ( -- each provider once, by its first event: a walk of the key, not of the table
    (SELECT e.provider FROM public.provider_event e ORDER BY e.provider LIMIT 1)
    UNION ALL
    SELECT (SELECT e.provider FROM public.provider_event e WHERE e.provider > s.provider ORDER BY e.provider LIMIT 1)
    FROM sender s WHERE s.provider IS NOT NULL
  ), recent AS (
    SELECT a.provider, t.environment, count(*) AS made,
      count(*) FILTER (WHERE a.status = 'submitted') AS submitted,
      count(*) FILTER (WHERE a.status = 'rejected') AS rejected,
      count(*) FILTER (WHERE a.status NOT IN ('submitted', 'rejected')) AS unclear,
      percentile_disc(0.95) WITHIN GROUP (ORDER BY extract(epoch FROM a.completed_at - a.called_at) * 1000) AS p95
    FROM public.tenant t CROSS JOIN LATERAL (
      SELECT r.provider, r.status, r.completed_at, r.called_at FROM public.disbursement_attempt r
      WHERE r.tenant_id = t.id AND r.id >= ops.id_since('dat', now() - interval '65 minutes')
        AND r.prepared_at > now() - interval '1 hour' OFFSET 0
    ) a
    GROUP BY 1, 2
  ), open AS (
    SELECT a.provider, t.environment, count(*) AS attempts, min(a.prepared_at) AS oldest
    FROM public.payout p
    JOIN public.disbursement_attempt a ON a.tenant_id = p.tenant_id AND a.id = p.live_attempt_id
    JOIN public.tenant t ON t.id = p.tenant_id
    WHERE p.state = 'approved'
      AND (a.status = 'unknown' OR (a.status = 'prepared' AND a.called_at < now() - interval '1 minute'))
    GROUP BY 1, 2
  ), marked AS (
    SELECT a.provider, t.environment, count(*) AS attempts
    FROM public.disbursement_attempt a JOIN public.tenant t ON t.id = a.tenant_id WHERE a.needs_operator GROUP BY 1, 2
  ), waiting AS (
    SELECT e.provider, count(*) AS events, min(e.received_at) AS oldest
    FROM public.provider_event e WHERE e.status = 'received' GROUP BY 1
  ), unmatched AS (
    SELECT e.provider, count(*) AS events FROM public.provider_event e
    WHERE e.status = 'unmatched' AND e.received_at > now() - interval '7 days' GROUP BY 1
  ), circuit AS (
    SELECT c.key AS provider, jsonb_object_agg(w.id, c.value) AS states
    FROM public.worker_heartbeat w CROSS JOIN jsonb_each(w.circuits) c
    WHERE ops.lives(w) GROUP BY 1
  ), place AS (
    SELECT r.provider, r.environment FROM recent r
    UNION SELECT o.provider, o.environment FROM open o
    UNION SELECT m.provider, m.environment FROM marked m
  ), named AS (
    SELECT p.provider, p.environment FROM place p
    UNION ALL
    SELECT n.provider, NULL FROM (
      SELECT s.provider FROM sender s WHERE s.provider IS NOT NULL UNION SELECT c.provider FROM circuit c
    ) n WHERE NOT EXISTS (SELECT FROM place p WHERE p.provider = n.provider)
  )
  SELECT n.provider, n.environment, coalesce(r.made, 0), coalesce(r.submitted, 0), coalesce(r.rejected, 0),
    coalesce(r.unclear, 0), coalesce(o.attempts, 0), date_trunc('second', now() - o.oldest), coalesce(m.attempts, 0),
    round(r.p95)::integer,
    greatest(
      (SELECT e.received_at FROM public.provider_event e
       WHERE e.status <> 'received' AND e.provider = n.provider ORDER BY e.received_at DESC LIMIT 1),
      (SELECT e.received_at FROM public.provider_event e
       WHERE e.status = 'received' AND e.provider = n.provider ORDER BY e.received_at DESC LIMIT 1))::timestamptz,
    coalesce(w.events, 0), date_trunc('second', now() - w.oldest), coalesce(u.events, 0), c.states
  FROM named n
  LEFT JOIN recent r ON r.provider = n.provider AND r.environment = n.environment
  LEFT JOIN open o ON o.provider = n.provider AND o.environment = n.environment
  LEFT JOIN marked m ON m.provider = n.provider AND m.environment = n.environment
  LEFT JOIN waiting w ON w.provider = n.provider
  LEFT JOIN unmatched u ON u.provider = n.provider
  LEFT JOIN circuit c ON c.provider = n.provider
  ORDER BY 1, 2;
END
$$;

CREATE VIEW ops.provider_health AS SELECT * FROM ops.provider_health_now();
COMMENT ON VIEW ops.provider_health IS
  'Each provider and environment: the attempts of the last hour, unknown outcomes, the 95th percentile of the answers; its events (of both environments; unmatched of 7 days), and the circuit of each worker.';

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA ops FROM PUBLIC;
GRANT SELECT ON ops.stuck_payouts, ops.provider_health TO ops_read;
GRANT EXECUTE ON FUNCTION ops.find_stuck_payouts(interval), ops.timeline(text), ops.provider_health_now() TO ops_read;
