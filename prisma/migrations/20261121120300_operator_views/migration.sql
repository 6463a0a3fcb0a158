-- ── What operators read about tasks, jobs and workers. ──
-- A view reads with its owner's rights, and a function that looks into another schema is SECURITY
-- DEFINER: the roles of operators have no rights on any table. graphile-worker's tables are private to
-- it and change with its versions, so only the bodies of PL/pgSQL functions name them: those are bound
-- when they run, and no migration of graphile-worker meets a view that depends on its tables.

-- The tasks of the worker as src/queue.ts and jobs/tasks.ts have them: what each is about and how its
-- job is added. A task that comes later brings its row.
CREATE TABLE ops.task (
  name           text PRIMARY KEY,
  description    text NOT NULL,
  -- The kind of the id that ops.schedule asks for; null for a task that is about no single thing.
  subject        text,
  -- The name of that id in the job's payload, and whether the tenant's id stands beside it.
  subject_field  text,
  with_tenant    boolean NOT NULL DEFAULT false,
  -- What the payload holds besides.
  constant       jsonb NOT NULL DEFAULT '{}',
  -- Begins the job's key and is followed by the subject; null for a job without a key.
  key_prefix     text,
  -- Of the jobs that are due those with the smaller number run first.
  priority       integer NOT NULL DEFAULT 0,
  -- States of the subject in which the task does anything; null for any.
  subject_states text[],
  -- When the clock adds it, as a crontab line of five fields (UTC); null for never.
  clock          text,
  -- Why ops.schedule does not add it, and what does; null where it does.
  not_by_hand    text
);

INSERT INTO ops.task
  (name, subject, subject_field, with_tenant, constant, key_prefix, subject_states, clock, description, not_by_hand)
VALUES
  ('apply_provider_event', 'provider event', 'eventId', false, '{}', 'apply ', '{received,unmatched}', NULL,
   'Applies a stored event of a provider.', NULL),
  ('delete_expired', NULL, NULL, false, '{}', 'clock_delete_expired', NULL, '41 * * * *',
   'Deletes what has outlived its time.', NULL),
  ('deliver_webhook', 'delivery', 'deliveryId', true, '{}', '', '{pending}', NULL,
   'Makes one attempt of a webhook delivery.', NULL),
  ('disburse_payout', 'payout', 'payoutId', true, '{}', 'disburse ', '{approved}', NULL,
   'Hands an approved payout to the provider.', NULL),
  ('enroll_bank_account', 'enrollment', 'enrollmentId', true, '{}', '', '{pending}', NULL,
   'Registers a bank account with the provider.', NULL),
  ('expire_collection_requests', NULL, NULL, false, '{}', 'expire_collection_requests', NULL, '* * * * *',
   'Ends collection links whose time is over.', NULL),
  ('fund_sandbox_wallet', 'tenant', 'tenantId', false, '{}', 'fund_sandbox_wallet:', '{sandbox}', NULL,
   'Gives a sandbox wallet its test money.', NULL),
  ('look_up_payout', 'payout', 'payoutId', true, '{}', NULL, NULL, NULL,
   'Asks the provider about a payout, as an operator ordered.', 'Use ops.look_up_payout(payout, reason).'),
  ('reconcile_payouts', NULL, NULL, false, '{}', 'reconcile_payouts', NULL, '* * * * *',
   'Brings payouts on that stand still.', NULL),
  ('release_payouts', 'beneficiary', 'beneficiaryId', true, '{}', NULL, '{pending,compliant}', NULL,
   'Releases the payouts that were held for a suspension, once it is over.', NULL),
  ('resolve_payout', 'payout', 'payoutId', true, '{}', NULL, NULL, NULL,
   'Settles a payout whose outcome is not known, as an operator ordered.',
   'Use ops.resolve_payout(payout, outcome, provider_payout_id, evidence, reason).'),
  ('rotate_keys', NULL, NULL, false, '{"pass": null}', 'clock_rotate_keys', NULL, '17 * * * *',
   'Brings ciphertexts under the first key.', NULL),
  ('send_collection_mail', 'collection request', 'requestId', true, '{}', NULL, '{live}', NULL,
   'Sends the mail with a collection link.', 'Use ops.resend_mail(request, reason).'),
  ('send_registration_mail', 'user', 'userId', false, '{}', NULL, NULL, NULL,
   'Greets who registered a business.', NULL),
  ('simulate_payout_event', 'payout', 'payoutId', true, '{}', NULL, NULL, NULL,
   'Makes an event happen at the simulator.', 'Use POST /v1/sandbox/payouts/{id}/simulate.'),
  ('start_due_exports', NULL, NULL, false, '{}', 'start_due_exports', NULL, '* * * * *',
   'Starts the exports that are due by a schedule.', NULL),
  ('sweep_webhooks', NULL, NULL, false, '{"after": null}', 'clock_sweep_webhooks', NULL, '* * * * *',
   'Gives a job to webhook deliveries that are due and have none.', NULL),
  ('write_export', 'export', 'exportId', true, '{}', 'export ', '{pending,running}', NULL,
   'Writes the file of an export.', NULL);

-- Mails go behind what moves money.
UPDATE ops.task SET priority = 10 WHERE name = 'send_collection_mail';

CREATE VIEW ops.tasks AS
SELECT t.name, t.description, t.subject, t.clock, p.paused_at, p.paused_by, t.not_by_hand
FROM ops.task t LEFT JOIN public.paused_task p ON p.task = t.name
ORDER BY t.name;
COMMENT ON VIEW ops.tasks IS 'Every task of the worker, what it is about and whether it is paused.';

-- What a job is about: the ids of its payload in the order of jobs/history.ts.
CREATE FUNCTION ops.subject_of(payload json) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
RETURN coalesce(
  payload ->> 'payoutId', payload ->> 'deliveryId', payload ->> 'enrollmentId', payload ->> 'exportId',
  payload ->> 'requestId', payload ->> 'beneficiaryId', payload ->> 'eventId', payload ->> 'businessId');

-- A worker says that it lives every beat_ms (WORKER_HEARTBEAT_MS), and the others take it for dead after
-- four times that (jobs/heartbeat.ts).
CREATE FUNCTION ops.lives(worker public.worker_heartbeat) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
RETURN coalesce((worker).beat_at > now() - 4 * (worker).beat_ms * interval '1 millisecond', false);

-- How long nobody can tell whether an unknown pool lives: what the slowest worker may take to say so.
CREATE FUNCTION ops.worker_silence() RETURNS interval
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN coalesce((SELECT 4 * max(w.beat_ms) FROM public.worker_heartbeat w), 20000) * interval '1 millisecond';
END
$$;

CREATE FUNCTION ops.jobs_now(
  of_task text DEFAULT NULL, of_tenant text DEFAULT NULL, of_subject text DEFAULT NULL, in_state text DEFAULT NULL
) RETURNS TABLE (
  id bigint, task text, tenant_id text, subject_id text, state text, attempts integer, max_attempts integer,
  run_at timestamptz, last_error text, locked_at timestamptz, worker_id text, worker_alive boolean,
  job_key text, priority integer, created_at timestamptz
)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT s.* FROM (
    SELECT j.id, t.identifier AS task, j.payload ->> 'tenantId' AS tenant_id, ops.subject_of(j.payload) AS subject_id,
      CASE
        WHEN j.locked_at IS NOT NULL THEN 'running'
        WHEN j.attempts >= j.max_attempts THEN 'dead'
        WHEN p.task IS NOT NULL THEN 'paused'
        WHEN j.attempts > 0 THEN 'retrying'
        WHEN j.run_at > now() THEN 'scheduled'
        ELSE 'ready'
      END AS state,
      j.attempts::integer, j.max_attempts::integer, j.run_at, j.last_error, j.locked_at,
      coalesce(w.id, j.locked_by),
      CASE WHEN j.locked_by IS NOT NULL THEN ops.lives(w) END,
      j.key, j.priority::integer, j.created_at
    FROM graphile_worker._private_jobs j
    JOIN graphile_worker._private_tasks t ON t.id = j.task_id
    LEFT JOIN public.paused_task p ON p.task = t.identifier
    LEFT JOIN public.worker_heartbeat w ON w.pool_id = j.locked_by
    WHERE (of_task IS NULL OR t.identifier = of_task)
      AND (in_state IS DISTINCT FROM 'dead' OR (j.attempts >= j.max_attempts AND j.locked_at IS NULL))
      AND (in_state IS DISTINCT FROM 'running' OR j.locked_at IS NOT NULL)
      AND (of_tenant IS NULL OR j.payload ->> 'tenantId' = of_tenant)
      AND (of_subject IS NULL OR ops.subject_of(j.payload) = of_subject)
  ) s
  WHERE in_state IS NULL OR s.state = in_state;
END
$$;
COMMENT ON FUNCTION ops.jobs_now(text, text, text, text) IS
  'The jobs as ops.jobs shows them, of one task, tenant, subject or state; quicker than the view where there are many.';

CREATE VIEW ops.jobs AS SELECT * FROM ops.jobs_now();
COMMENT ON VIEW ops.jobs IS
  'Every job that has not ended: ready, scheduled, retrying, running, paused (its task is) or dead (it gave up).';

CREATE VIEW ops.job_history AS
SELECT job_id, task, tenant_id, subject_id, outcome, attempt, max_attempts, error, worker_id, run_at, started_at,
  ended_at, round(extract(epoch FROM ended_at - started_at) * 1000)::bigint AS took_ms
FROM public.job_run;
COMMENT ON VIEW ops.job_history IS 'The runs of jobs that have ended, kept for JOB_HISTORY_DAYS.';

CREATE FUNCTION ops.queue_now() RETURNS TABLE (
  task text, paused boolean, ready bigint, oldest_ready_for interval, scheduled bigint, retrying bigint,
  running bigint, dead bigint, runs_per_minute numeric, failed_15m bigint, p95_ms integer
)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  WITH jobs AS (
    SELECT t.identifier AS task,
      count(*) FILTER (WHERE j.is_available AND j.run_at <= now() AND j.attempts = 0) AS ready,
      min(j.run_at) FILTER (WHERE j.is_available AND j.run_at <= now()) AS oldest,
      count(*) FILTER (WHERE j.is_available AND j.run_at > now() AND j.attempts = 0) AS scheduled,
      count(*) FILTER (WHERE j.is_available AND j.attempts > 0) AS retrying,
      count(*) FILTER (WHERE j.locked_at IS NOT NULL) AS running,
      count(*) FILTER (WHERE j.locked_at IS NULL AND NOT j.is_available) AS dead
    FROM graphile_worker._private_jobs j
    JOIN graphile_worker._private_tasks t ON t.id = j.task_id
    GROUP BY t.identifier
  ), runs AS (
    SELECT r.task, round(count(*) / 15.0, 1) AS per_minute, count(*) FILTER (WHERE r.outcome = 'failed') AS failed,
      percentile_disc(0.95) WITHIN GROUP (ORDER BY extract(epoch FROM r.ended_at - r.started_at) * 1000) AS p95
    FROM public.job_run r
    WHERE r.ended_at > now() - interval '15 minutes' AND r.outcome <> 'canceled'
    GROUP BY r.task
  ), names AS (
    SELECT name FROM ops.task UNION SELECT j.task FROM jobs j
  )
  SELECT n.name, EXISTS (SELECT FROM public.paused_task p WHERE p.task = n.name),
    coalesce(j.ready, 0), date_trunc('second', now() - j.oldest), coalesce(j.scheduled, 0),
    coalesce(j.retrying, 0), coalesce(j.running, 0), coalesce(j.dead, 0), coalesce(r.per_minute, 0),
    coalesce(r.failed, 0), round(r.p95)::integer
  FROM names n LEFT JOIN jobs j ON j.task = n.name LEFT JOIN runs r ON r.task = n.name
  ORDER BY n.name;
END
$$;

CREATE VIEW ops.queue_health AS SELECT * FROM ops.queue_now();
COMMENT ON VIEW ops.queue_health IS
  'For each task: jobs by state, how long the oldest that is due has waited, and rate, failures and 95th percentile of the duration over the last 15 minutes.';

CREATE VIEW ops.paused_tasks AS
SELECT task, paused_by, reason, paused_at FROM public.paused_task ORDER BY paused_at;
COMMENT ON VIEW ops.paused_tasks IS 'Tasks that no worker takes up.';

CREATE FUNCTION ops.workers_now() RETURNS TABLE (
  worker_id text, alive boolean, silent_for interval, jobs_held bigint, oldest_held_since timestamptz,
  hostname text, pid integer, started_at timestamptz, beat_at timestamptz, circuits jsonb, pool_id text
)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  WITH held AS (
    SELECT j.locked_by, count(*) AS jobs, min(j.locked_at) AS since
    FROM graphile_worker._private_jobs j WHERE j.locked_at IS NOT NULL GROUP BY j.locked_by
  )
  SELECT w.id, ops.lives(w), date_trunc('second', now() - w.beat_at),
    coalesce(h.jobs, 0), h.since, w.hostname, w.pid, w.started_at::timestamptz, w.beat_at::timestamptz, w.circuits,
    coalesce(w.pool_id, h.locked_by)
  FROM public.worker_heartbeat w FULL JOIN held h ON h.locked_by = w.pool_id
  ORDER BY w.started_at;
END
$$;

CREATE VIEW ops.workers AS SELECT * FROM ops.workers_now();
COMMENT ON VIEW ops.workers IS
  'The workers, whether they live, and the jobs that they hold. Without worker_id: a pool that holds jobs and never said who it is.';

CREATE FUNCTION ops.crontab_now() RETURNS TABLE (
  task text, clock text, last_execution timestamptz, known_since timestamptz, paused boolean, description text
)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT coalesce(t.name, k.identifier), t.clock, k.last_execution, k.known_since, p.task IS NOT NULL, t.description
  FROM (SELECT * FROM ops.task WHERE clock IS NOT NULL) t
  FULL JOIN graphile_worker._private_known_crontabs k ON k.identifier = t.name
  LEFT JOIN public.paused_task p ON p.task = t.name
  ORDER BY 1;
END
$$;

CREATE VIEW ops.crontab AS SELECT * FROM ops.crontab_now();
COMMENT ON VIEW ops.crontab IS 'What runs by the clock (UTC) and when it last did.';

-- ── Whose is it, and what is it? ──

-- Finds a thing by its id alone, by the primary key of its table within each tenant: 200 tenants are 200
-- look-ups in an index, and no table is read.
CREATE FUNCTION ops.locate(id text) RETURNS TABLE (kind text, tenant_id text, state text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  place record;
BEGIN
  FOR place IN SELECT * FROM (VALUES
    ('pay_', 'payout', 'payout', 'r.state', 'text'),
    ('wdl_', 'delivery', 'webhook_delivery', 'r.status', 'text'),
    ('evt_', 'event', 'event', 'r.type', 'text'),
    ('enr_', 'enrollment', 'enrollment', 'r.status', 'text'),
    ('exp_', 'export', 'export', 'r.status', 'text'),
    ('ben_', 'beneficiary', 'beneficiary', 'r.compliance_status', 'text'),
    ('bac_', 'bank account', 'bank_account', 'r.status', 'text'),
    ('dat_', 'attempt', 'disbursement_attempt', 'r.status', 'text'),
    ('dec_', 'decision', 'payout_decision', 'r.status', 'text'),
    ('fac_', 'funding account', 'funding_account', 'r.status', 'text'),
    ('whs_', 'subscription', 'webhook_subscription', 'CASE WHEN r.enabled THEN ''enabled'' ELSE ''disabled'' END', 'text'),
    ('', 'collection request', 'collection_request', 'r.status', 'uuid'),
    ('', 'export schedule', 'export_schedule', 'CASE WHEN r.ended_at IS NULL THEN ''active'' ELSE ''ended'' END', 'uuid')
  ) AS v (prefix, kind, relation, state, type)
  WHERE CASE type WHEN 'uuid' THEN pg_input_is_valid($1, 'uuid') ELSE starts_with($1, prefix) END
  LOOP
    RETURN QUERY EXECUTE format(
      'SELECT %L, t.id::text, x.state FROM public.tenant t CROSS JOIN LATERAL (
         SELECT %s AS state FROM public.%I r WHERE r.tenant_id = t.id AND r.id = $1::%s OFFSET 0) x',
      place.kind, place.state, place.relation, place.type) USING $1;
  END LOOP;
  RETURN QUERY SELECT 'tenant', t.id::text, t.environment FROM public.tenant t WHERE t.id = $1;
  RETURN QUERY SELECT 'business', t.id::text, t.environment FROM public.tenant t WHERE t.business_id = $1;
  RETURN QUERY SELECT 'api key', k.tenant_id::text, CASE WHEN k.revoked_at IS NULL THEN 'active' ELSE 'revoked' END
    FROM public.api_key k WHERE k.id = $1;
  RETURN QUERY SELECT 'user', NULL, NULL FROM public.app_user u WHERE u.id = $1;
  RETURN QUERY SELECT 'provider event', e.tenant_id::text, e.status
    FROM public.provider_event e WHERE e.event_id = $1;
END
$$;

CREATE FUNCTION ops.find(id text) RETURNS TABLE (
  kind text, state text, tenant_id text, environment text, business_id text, company_name text
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT l.kind, l.state, l.tenant_id, t.environment, t.business_id, b.company_name
  FROM ops.locate(id) l
  LEFT JOIN public.tenant t ON t.id = l.tenant_id
  LEFT JOIN public.business b ON b.id = t.business_id;
END;
COMMENT ON FUNCTION ops.find(text) IS 'What an id names, whose it is and its state; nothing for an unknown one.';

CREATE VIEW ops.tenants AS
SELECT t.id AS tenant_id, t.environment, t.business_id, b.company_name, b.profile_status, t.created_at
FROM public.tenant t JOIN public.business b ON b.id = t.business_id;
COMMENT ON VIEW ops.tenants IS 'A tenant is one business in one environment.';

COMMENT ON TABLE ops.action_log IS
  'Who did what, why, to how many; outcome tells what became of an order that the worker carries out.';

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA ops FROM PUBLIC;
GRANT SELECT ON ops.action_log, ops.task, ops.tasks, ops.jobs, ops.job_history, ops.queue_health, ops.paused_tasks,
  ops.workers, ops.crontab, ops.tenants TO ops_read;
GRANT EXECUTE ON FUNCTION ops.jobs_now(text, text, text, text), ops.queue_now(), ops.workers_now(), ops.crontab_now(),
  ops.find(text) TO ops_read;
