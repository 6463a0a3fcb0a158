-- ── What happened to one payout. ──

-- The lines of a payout of this tenant, in no order.
CREATE FUNCTION ops.timeline_lines(tenant text, payout text) RETURNS TABLE (
  at timestamptz, place integer, what text, id text, detail text, by_whom text
)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  WITH attempt AS MATERIALIZED ( -- what the tenants' tables say: on Citus the others are on another node
    SELECT a.* FROM public.disbursement_attempt a WHERE a.tenant_id = tenant AND a.payout_id = payout
  ), told AS MATERIALIZED (
    SELECT e.* FROM public.event e WHERE e.tenant_id = tenant AND e.payout_id = payout
  ), delivery AS MATERIALIZED (
    SELECT d.*, e.type FROM told e JOIN public.webhook_delivery d ON d.tenant_id = tenant AND d.event_id = e.id
  ), transition AS MATERIALIZED (
    SELECT t.* FROM public.payout_transition t WHERE t.tenant_id = tenant AND t.payout_id = payout
  ), decision AS MATERIALIZED (
    SELECT d.* FROM public.payout_decision d WHERE d.tenant_id = tenant AND d.payout_id = payout
  ), sent AS MATERIALIZED (
    SELECT n.*, d.type FROM delivery d JOIN public.webhook_delivery_attempt n ON n.tenant_id = tenant AND n.delivery_id = d.id
  ), wanted AS (
    -- A delivery has a job of its own, or one with others (src/domain/event/record.ts).
    SELECT k.key FROM delivery d CROSS JOIN LATERAL (VALUES (d.id), ('with ' || d.sent_with)) AS k (key) WHERE d.status = 'pending'
  ), waiting AS MATERIALIZED (
    SELECT o.* FROM public.job_outbox o
    WHERE o.tenant_id = tenant AND (o.payload ->> 'payoutId' = payout
      OR o.job_key IN (SELECT w.key FROM wanted w))
  ), job AS (
    SELECT j.*, t.identifier AS task FROM graphile_worker._private_jobs j
    JOIN graphile_worker._private_tasks t ON t.id = j.task_id
    WHERE j.key IN (SELECT 'disburse ' || payout UNION ALL SELECT w.key FROM wanted w)
      OR (j.key IS NULL AND j.payload ->> 'payoutId' = payout)
  ), line AS (
    SELECT t.occurred_at::timestamptz AS at, 1 AS place, 'transition' AS what, t.seq::text AS id,
      concat_ws(', ', t.from_state || ' → ' || t.to_state, t.cause, t.attempt_id,
        CASE WHEN t.actor ->> 'type' = 'operator' THEN t.reason END) AS detail,
      ops.actor_text(t.actor) AS by_whom
    FROM transition t
    UNION ALL
    SELECT d.submitted_at, 0, 'decision', d.id,
      concat_ws(', ', d.status, (SELECT string_agg(r ->> 'code', ' ') FROM jsonb_array_elements(d.reasons) r),
        CASE WHEN d.submitted_by <> d.evaluated_by THEN 'names ' || ops.actor_text(d.evaluated_by) END),
      coalesce(ops.actor_text(d.submitted_by), ops.actor_text(d.evaluated_by))
    FROM decision d
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
    SELECT a.executed_told_at, 5, 'execution told', a.id, 'the bank called it executed, or told of a movement', NULL
    FROM attempt a WHERE a.executed_told_at IS NOT NULL
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
      concat_ws(', ', n.type, concat('attempt ', n.number), coalesce(n.status_code::text, ops.without_addresses(n.error)),
        n.latency_ms || ' ms'), NULL
    FROM sent n
    UNION ALL
    SELECT coalesce(d.completed_at, d.next_attempt_at), CASE d.status WHEN 'pending' THEN 9 ELSE 8 END,
      CASE d.status WHEN 'pending' THEN 'delivery planned' ELSE 'delivery ' || d.status END, d.id, d.type, NULL
    FROM delivery d
    UNION ALL
    SELECT r.ended_at, 7, 'job ' || r.outcome, r.job_id::text, concat_ws(', ', r.task, concat('attempt ', r.attempt), ops.one_line(r.error)),
      r.worker_id
    FROM public.job_run r
    WHERE r.subject_id IN (SELECT payout UNION ALL SELECT d.id FROM delivery d) AND r.tenant_id = tenant
    UNION ALL
    SELECT coalesce(j.locked_at, j.run_at), 9,
      CASE WHEN j.locked_at IS NOT NULL THEN 'job running' WHEN j.attempts >= j.max_attempts THEN 'job dead' ELSE 'job waits' END,
      j.id::text, concat_ws(', ', j.task, concat('attempts ', j.attempts, ' of ', j.max_attempts), ops.one_line(j.last_error)), j.locked_by
    FROM job j
    UNION ALL
    SELECT uuid_extract_timestamp(o.id), 9, 'job in the outbox', o.id::text,
      concat_ws(', ', o.task, 'due ' || to_char(o.run_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS"Z"')), NULL
    FROM waiting o
    UNION ALL
    SELECT l.at, 8, 'operator', l.id::text, concat_ws(', ', l.action, l.reason, 'outcome ' || l.outcome), l.who
    FROM ops.action_log l WHERE l.subject_id = payout
  )
  SELECT l.at, l.place, l.what, l.id, nullif(l.detail, ''), l.by_whom FROM line l;
END
$$;

CREATE FUNCTION ops.timeline(payout text) RETURNS TABLE (
  at timestamptz, what text, id text, detail text, by_whom text
)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  tenant text;
BEGIN
  tenant := (ops.required('payout', payout, 'The id of a payout begins with pay_; ops.find(id) tells what another id is.')).tenant_id;
  RETURN QUERY SELECT l.at, l.what, l.id, l.detail, l.by_whom FROM ops.timeline_lines(tenant, payout) l
  ORDER BY l.at, l.place, l.id;
END
$$;
COMMENT ON FUNCTION ops.timeline(text) IS
  'Everything that happened to a payout, in order: transitions, decisions, attempts, provider events, events, deliveries, jobs and actions of operators.';
