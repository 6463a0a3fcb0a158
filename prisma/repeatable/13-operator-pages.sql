-- ── What operators read over GraphQL of jobs, workers, providers, endpoints and the log (src/domain/operator). ──
-- The same rows as in the views for psql, a page at a time and with the business. They are of all tenants and of
-- the queue, so they run with the rights of the owner. They are replaced and never dropped: see 10-service.sql.
-- Lists are planned for the filters that are given: a plan for any of them reads a whole table to find one subject.

-- Each task, whether it is paused, and its jobs: of the first `at_most` jobs and the latest `at_most` runs.
CREATE OR REPLACE FUNCTION ops.tasks_page(at_most integer) RETURNS TABLE (
  name text, description text, clock text, paused_at timestamptz, paused_by text, pause_reason text, ready bigint,
  oldest_ready_seconds integer, scheduled bigint, retrying bigint, running bigint, dead bigint, runs_per_minute numeric,
  failed_15m bigint, p95_ms integer
)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT t.name, t.description, t.clock, p.paused_at::timestamptz, p.paused_by, p.reason, q.ready,
    extract(epoch FROM q.oldest_ready_for)::integer, q.scheduled, q.retrying, q.running, q.dead, q.runs_per_minute,
    q.failed_15m, q.p95_ms
  FROM ops.task t
  JOIN ops.queue_now(at_most) q ON q.task = t.name
  LEFT JOIN public.paused_task p ON p.task = t.name
  ORDER BY t.name;
END
$$;

-- Jobs that have a number and have not ended, the newest first. A clock's jobs are of no business.
CREATE OR REPLACE FUNCTION ops.jobs_page(business text, of_task text, of_subject text, in_state text, before bigint, take integer)
RETURNS TABLE (
  id bigint, task text, business_id text, company_name text, environment text, subject_id text, state text,
  attempts integer, max_attempts integer, run_at timestamptz, last_error text, created_at timestamptz, taken_by text
)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_custom_plan AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT j.id, j.task, t.business_id::text, t.company_name, t.environment, j.subject_id, j.state, j.attempts, j.max_attempts,
    j.run_at, j.last_error, j.created_at, j.taken_by
  FROM ops.jobs_now(of_task, NULL, of_subject, in_state, business, coalesce(before, 9223372036854775807), take) j
  LEFT JOIN ops.tenants t ON t.tenant_id = j.tenant_id
  ORDER BY j.id DESC;
END
$$;

-- What came of the last attempt of a delivery.
CREATE OR REPLACE FUNCTION ops.last_answer(tenant text, delivery text) RETURNS text
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  last record;
BEGIN
  SELECT a.error, a.status_code INTO last FROM public.webhook_delivery_attempt a
  WHERE a.tenant_id = tenant AND a.delivery_id = delivery ORDER BY a.number DESC LIMIT 1;
  RETURN coalesce(ops.without_addresses(last.error), 'status ' || last.status_code);
END
$$;

-- Deliveries that were given up, and mails with a collection link, those first that died last.
CREATE OR REPLACE FUNCTION ops.dead_letters_page(of_kind text, business text, before_since timestamptz, before_id text, take integer)
RETURNS TABLE (
  kind text, subject_id text, business_id text, company_name text, environment text, what text, since timestamptz,
  error text, taken_by text
)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_custom_plan AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  WITH dead AS MATERIALIZED ( -- what the tenants' tables say: on Citus the others are on another node
    (SELECT 'delivery' AS kind, w.tenant_id, w.id AS subject, w.completed_at AS since, w.event_type AS what, NULL::text AS error
     FROM public.webhook_delivery w
     WHERE of_kind = 'delivery' AND w.status = 'dead' AND (before_id IS NULL OR w.completed_at <= before_since)
       AND (before_id IS NULL OR (w.completed_at, w.id) < (before_since, before_id COLLATE "C"))
       AND (business IS NULL OR w.tenant_id IN (SELECT x.id FROM public.tenant x WHERE x.business_id = business))
     ORDER BY w.completed_at DESC, w.id DESC LIMIT take)
    UNION ALL
    (SELECT 'mail', r.tenant_id, r.id::text COLLATE "C", coalesce(r.mailed_at, r.created_at),
       'collection link of ' || r.beneficiary_id, r.mail_error
     FROM public.collection_request r
     WHERE of_kind = 'mail' AND r.mail_status = 'dead'
       AND (before_id IS NULL OR (coalesce(r.mailed_at, r.created_at), r.id::text COLLATE "C") < (before_since, before_id))
       AND (business IS NULL OR r.tenant_id IN (SELECT x.id FROM public.tenant x WHERE x.business_id = business))
     ORDER BY 4 DESC, 3 DESC LIMIT take)
  )
  SELECT d.kind, d.subject::text, t.business_id::text, t.company_name, t.environment, d.what, d.since::timestamptz,
    CASE d.kind WHEN 'delivery' THEN ops.last_answer(d.tenant_id, d.subject) ELSE ops.without_addresses(d.error) END,
    ops.taken_line(k.who, k.at, k.note)
  FROM dead d
  JOIN ops.tenants t ON t.tenant_id = d.tenant_id
  LEFT JOIN ops.taken k ON k.subject_id = d.subject
  ORDER BY d.since DESC, d.subject DESC;
END
$$;

CREATE OR REPLACE FUNCTION ops.workers_page() RETURNS TABLE (
  worker_id text, alive boolean, silent_seconds integer, jobs_held bigint, oldest_held_since timestamptz, hostname text,
  started_at timestamptz
)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT coalesce(w.worker_id, w.pool_id), coalesce(w.alive, false), extract(epoch FROM w.silent_for)::integer, w.jobs_held,
    w.oldest_held_since, w.hostname, w.started_at
  FROM ops.workers_now() w ORDER BY w.started_at DESC NULLS FIRST LIMIT 100;
END
$$;

CREATE OR REPLACE FUNCTION ops.providers_page() RETURNS TABLE (
  provider text, environment text, attempts_1h bigint, submitted_1h bigint, rejected_1h bigint, unclear_1h bigint,
  unknown_now bigint, oldest_unknown_seconds integer, needs_operator bigint, p95_ms integer, last_event_at timestamptz,
  events_waiting bigint, oldest_event_seconds integer, events_unmatched bigint, circuits jsonb
)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT h.provider, h.environment, h.attempts_1h, h.submitted_1h, h.rejected_1h, h.unclear_1h, h.unknown_now,
    extract(epoch FROM h.oldest_unknown_for)::integer, h.needs_operator, h.p95_ms, h.last_event_at, h.events_waiting,
    extract(epoch FROM h.oldest_event_waits_for)::integer, h.events_unmatched, h.circuits
  FROM ops.provider_health_now() h;
END
$$;

-- Whose endpoint fails, those first that have failed for longest.
CREATE OR REPLACE FUNCTION ops.endpoints_page(business text, after_since timestamptz, after_id text, take integer)
RETURNS TABLE (
  subscription_id text, business_id text, company_name text, environment text, enabled boolean, failing_since timestamptz,
  failures integer, last_failed_at timestamptz, last_status_code integer, last_error text, waiting bigint,
  next_attempt_at timestamptz, what text, taken_by text
)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_custom_plan AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT h.subscription_id::text, t.business_id::text, h.company_name, h.environment, h.enabled, h.failing_since::timestamptz,
    h.failures, h.last_failed_at::timestamptz, h.last_status_code, h.last_error, h.waiting, h.next_attempt_at, h.what,
    h.taken_by
  FROM ops.endpoint_health h JOIN ops.tenants t ON t.tenant_id = h.tenant_id
  WHERE (business IS NULL OR t.business_id = business)
    AND (after_id IS NULL OR (h.failing_since, h.subscription_id) > (after_since, after_id COLLATE "C"))
  ORDER BY h.failing_since, h.subscription_id LIMIT take;
END
$$;

-- The log of what operators did, newest first.
CREATE OR REPLACE FUNCTION ops.actions_page(business text, of_subject text, before uuid, take integer) RETURNS TABLE (
  id uuid, at timestamptz, who text, person text, action text, business_id text, company_name text, environment text,
  subject_id text, reason text, detail jsonb, affected integer, outcome text, outcome_at timestamptz
)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_custom_plan AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT l.id, l.at::timestamptz, l.who, ops.person_of(l.who), l.action, t.business_id::text, t.company_name, t.environment,
    l.subject_id::text, l.reason, l.detail, l.affected, l.outcome, l.outcome_at::timestamptz
  FROM (
    (SELECT * FROM ops.action_log x
      WHERE business IS NULL AND (before IS NULL OR x.id < before) AND (of_subject IS NULL OR x.subject_id = of_subject)
      ORDER BY x.id DESC LIMIT take)
    UNION
    (SELECT * FROM ops.action_log x
      WHERE x.subject_id = business AND (before IS NULL OR x.id < before) AND (of_subject IS NULL OR x.subject_id = of_subject)
      ORDER BY x.id DESC LIMIT take)
    UNION
    -- Each tenant of the business gives its newest lines by the index, so that the log is not read through.
    (SELECT n.* FROM public.tenant y CROSS JOIN LATERAL (
        SELECT * FROM ops.action_log x
        WHERE x.tenant_id = y.id AND (before IS NULL OR x.id < before) AND (of_subject IS NULL OR x.subject_id = of_subject)
        ORDER BY x.id DESC LIMIT take
      ) n WHERE y.business_id = business)
    ORDER BY id DESC LIMIT take
  ) l LEFT JOIN ops.tenants t ON t.tenant_id = l.tenant_id
  ORDER BY l.id DESC;
END
$$;
