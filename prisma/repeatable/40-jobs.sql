-- ── What operators read about tasks, jobs and workers. ──
-- The operators' roles have no right on a table: a view reads with the rights of its owner, and a function
-- that reads another schema is SECURITY DEFINER. The tables of graphile-worker are private to it and change
-- with its versions. So only the bodies of PL/pgSQL functions name them, which PostgreSQL resolves when they
-- run; a view would depend on the tables and block a migration of graphile-worker.

CREATE VIEW ops.tasks AS
SELECT t.name, t.description, t.subject, t.clock, p.paused_at, p.paused_by, t.not_by_hand
FROM ops.task t LEFT JOIN public.paused_task p ON p.task = t.name
ORDER BY t.name;
COMMENT ON VIEW ops.tasks IS 'Every task of the worker, what it is about and whether it is paused.';

-- The id that a job is about: the first of these in its payload, in the order of jobs/history.ts.
CREATE FUNCTION ops.subject_of(payload json) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
RETURN coalesce(
  payload ->> 'payoutId', payload ->> 'deliveryId', payload ->> 'enrollmentId', payload ->> 'exportId',
  payload ->> 'requestId', payload ->> 'beneficiaryId', payload ->> 'eventId', payload ->> 'lineId',
  payload ->> 'fileId', payload ->> 'batchId', payload ->> 'payoutBatchId', payload ->> 'bankAccountId',
  payload ->> 'connectionId', payload ->> 'invitationId', payload ->> 'businessId');

-- Whether a job is about this id. A job of several deliveries (src/domain/event/record.ts) is about each of them.
CREATE FUNCTION ops.is_about(payload json, subject text) RETURNS boolean
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
RETURN ops.subject_of(payload) = subject
  OR (starts_with(subject, 'wdl_') AND coalesce(payload::jsonb -> 'others' ? subject, false));

CREATE FUNCTION ops.jobs_now(
  of_task text DEFAULT NULL, of_tenant text DEFAULT NULL, of_subject text DEFAULT NULL, in_state text DEFAULT NULL,
  of_business text DEFAULT NULL, before bigint DEFAULT NULL, at_most integer DEFAULT NULL
) RETURNS TABLE (
  id bigint, task text, tenant_id text, subject_id text, state text, attempts integer, max_attempts integer,
  run_at timestamptz, last_error text, locked_at timestamptz, worker_id text, worker_alive boolean,
  job_key text, priority integer, created_at timestamptz, taken_by text
)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  WITH waiting AS MATERIALIZED ( -- on Citus they are on other nodes than the rest
    SELECT o.id, o.tenant_id, o.task, o.payload, o.run_at, o.job_key, o.priority FROM public.job_outbox o
    WHERE (of_task IS NULL OR o.task = of_task) AND (in_state IS NULL OR in_state = 'outbox')
      AND (of_tenant IS NULL OR o.tenant_id = of_tenant)
      AND of_business IS NULL AND before IS NULL AND at_most IS NULL
  )
  SELECT s.* FROM (
    SELECT j.id, j.task, j.payload ->> 'tenantId' AS tenant_id, ops.subject_of(j.payload) AS subject_id, j.state,
      j.attempts::integer, j.max_attempts::integer, j.run_at, ops.one_line(j.last_error), j.locked_at,
      coalesce(w.id, j.locked_by),
      CASE WHEN j.locked_by IS NOT NULL THEN ops.lives(w) END,
      j.key, j.priority::integer, j.created_at,
      coalesce(ops.taken_line(a.who, a.at, a.note), ops.taken_line(b.who, b.at, b.note))
    FROM (
      SELECT q.*, t.identifier AS task, c.state
      FROM graphile_worker._private_jobs q
      JOIN graphile_worker._private_tasks t ON t.id = q.task_id
      LEFT JOIN public.paused_task p ON p.task = t.identifier
      CROSS JOIN LATERAL (
        SELECT CASE
          WHEN q.locked_at IS NOT NULL THEN 'running'
          WHEN q.attempts >= q.max_attempts THEN 'dead'
          WHEN p.task IS NOT NULL THEN 'paused'
          WHEN q.attempts > 0 THEN 'retrying'
          WHEN q.run_at > now() THEN 'scheduled'
          ELSE 'ready'
        END AS state
      ) c
      WHERE (of_task IS NULL OR t.identifier = of_task) AND (in_state IS NULL OR c.state = in_state)
        AND (of_tenant IS NULL OR q.payload ->> 'tenantId' = of_tenant)
        AND (of_subject IS NULL OR ops.is_about(q.payload, of_subject))
        -- The jobs of a payout have this key or none, which the index of keys finds among all jobs.
        AND (of_subject IS NULL OR NOT starts_with(of_subject, 'pay_') OR q.key IS NULL OR q.key = 'disburse ' || of_subject)
        AND (of_business IS NULL OR q.payload ->> 'tenantId' IN (SELECT x.id FROM public.tenant x WHERE x.business_id = of_business))
        AND (before IS NULL OR q.id < before)
      ORDER BY q.id DESC LIMIT at_most
    ) j
    LEFT JOIN public.worker_heartbeat w ON w.pool_id = j.locked_by
    LEFT JOIN ops.taken a ON a.subject_id = j.id::text
    LEFT JOIN ops.taken b ON b.subject_id = ops.subject_of(j.payload)
    UNION ALL
    SELECT NULL, o.task, o.tenant_id, ops.subject_of(o.payload::json), 'outbox', 0, NULL,
      coalesce(o.run_at, uuid_extract_timestamp(o.id)), NULL, NULL, NULL, NULL,
      o.job_key, coalesce(o.priority, 0), uuid_extract_timestamp(o.id),
      ops.taken_line(b.who, b.at, b.note)
    FROM waiting o
    LEFT JOIN ops.taken b ON b.subject_id = ops.subject_of(o.payload::json)
    WHERE (of_subject IS NULL OR ops.is_about(o.payload::json, of_subject))
      AND NOT EXISTS (SELECT 1 FROM public.relayed_job r WHERE r.id = o.id)
  ) s;
END
$$;
COMMENT ON FUNCTION ops.jobs_now(text, text, text, text, text, bigint, integer) IS
  'The rows of ops.jobs for one task, tenant, subject, state or business; faster than the view if there are many jobs. With before or at_most the newest jobs with a number, without those of the outbox.';

CREATE VIEW ops.jobs AS SELECT * FROM ops.jobs_now();
COMMENT ON VIEW ops.jobs IS
  'Every job that has not ended: outbox (a worker has still to take it over; it has no id yet), ready, scheduled, retrying, running, paused (its task is paused) or dead (its last attempt failed).';

CREATE VIEW ops.outbox AS
SELECT tenant_id, task, count(*) AS jobs, now() - min(uuid_extract_timestamp(id)) AS oldest_for
FROM public.job_outbox GROUP BY tenant_id, task ORDER BY oldest_for DESC;
COMMENT ON VIEW ops.outbox IS
  'Jobs that a worker has still to take over, for each tenant and task. A job that is here for more than a few seconds means that no worker runs, or that the workers cannot keep up: see ops.workers.';

CREATE VIEW ops.job_history AS
SELECT job_id, task, tenant_id, subject_id, outcome, attempt, max_attempts, error, worker_id, run_at, started_at,
  ended_at, round(extract(epoch FROM ended_at - started_at) * 1000)::bigint AS took_ms
FROM public.job_run;
COMMENT ON VIEW ops.job_history IS 'Each run of a job that has ended, kept for JOB_HISTORY_DAYS.';

-- `at_most` is how many jobs and how many of the latest runs are read; all, without it.
CREATE FUNCTION ops.queue_now(at_most integer DEFAULT NULL) RETURNS TABLE (
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
    FROM (SELECT * FROM graphile_worker._private_jobs LIMIT at_most) j
    JOIN graphile_worker._private_tasks t ON t.id = j.task_id
    GROUP BY t.identifier
  ), runs AS (
    SELECT r.task, round(count(*) / 15.0, 1) AS per_minute, count(*) FILTER (WHERE r.outcome = 'failed') AS failed,
      percentile_disc(0.95) WITHIN GROUP (ORDER BY extract(epoch FROM r.ended_at - r.started_at) * 1000) AS p95
    FROM (
      SELECT * FROM public.job_run x
      WHERE x.ended_at > now() - interval '15 minutes' AND x.outcome <> 'canceled' ORDER BY x.ended_at DESC LIMIT at_most
    ) r
    GROUP BY r.task
  ), names AS (
    SELECT name FROM ops.task UNION SELECT j.task FROM jobs j
  )
  SELECT n.name, EXISTS (SELECT 1 FROM public.paused_task p WHERE p.task = n.name),
    coalesce(j.ready, 0), date_trunc('second', now() - j.oldest), coalesce(j.scheduled, 0),
    coalesce(j.retrying, 0), coalesce(j.running, 0), coalesce(j.dead, 0), coalesce(r.per_minute, 0),
    coalesce(r.failed, 0), round(r.p95)::integer
  FROM names n LEFT JOIN jobs j ON j.task = n.name LEFT JOIN runs r ON r.task = n.name
  ORDER BY n.name;
END
$$;

CREATE VIEW ops.queue_health AS SELECT * FROM ops.queue_now();
COMMENT ON VIEW ops.queue_health IS
  'For each task: its jobs by state, how long the oldest job that is due has waited, and the rate, the failures and the 95th percentile of the duration in the last 15 minutes.';

CREATE VIEW ops.paused_tasks AS
SELECT task, paused_by, reason, paused_at FROM public.paused_task ORDER BY paused_at;
COMMENT ON VIEW ops.paused_tasks IS 'Tasks whose jobs no worker starts.';

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
  'The workers, whether they are alive, and how many jobs they hold. A row without worker_id is a pool that holds jobs and has sent no heartbeat.';

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
COMMENT ON VIEW ops.crontab IS 'The tasks that run on a schedule (UTC), and when each last ran.';

-- For the tasks that run by the clock: how long ago the next start was due. The workers note the last start by their
-- own clocks, so it may lie in the future, and then nothing is started until that time. That counts as much.
CREATE OR REPLACE FUNCTION ops.schedule_overdue() RETURNS TABLE (task text, seconds double precision)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN QUERY
  SELECT t.name, greatest(0, abs(extract(epoch FROM now() - coalesce(k.last_execution, k.known_since)))
    - CASE t.clock WHEN '* * * * *' THEN 60 ELSE 3600 END)::double precision
  FROM ops.task t JOIN graphile_worker._private_known_crontabs k ON k.identifier = t.name
  WHERE t.clock IS NOT NULL;
END
$$;

-- Takes back what a worker whose clock was ahead has noted of the schedule: the last start of a task, if it lies in the
-- future, becomes the minute that it is. Returns what was changed, none at most times. The minute that is let pass is
-- the most by which a clock may be ahead without harm.
CREATE OR REPLACE FUNCTION ops.pull_back_schedules() RETURNS TABLE (task text, last_execution timestamptz)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN QUERY
  WITH ahead AS (
    SELECT k.identifier, k.last_execution FROM graphile_worker._private_known_crontabs k
    WHERE greatest(k.last_execution, k.known_since) > now() + interval '1 minute'
    FOR UPDATE SKIP LOCKED
  )
  UPDATE graphile_worker._private_known_crontabs k
  SET last_execution = least(k.last_execution, date_trunc('minute', now())), known_since = least(k.known_since, now())
  FROM ahead a WHERE k.identifier = a.identifier
  RETURNING k.identifier, a.last_execution;
END
$$;

COMMENT ON TABLE ops.action_log IS
  'What operators did: who, when, why and how many rows or jobs it concerned. outcome is the result of an order that the worker carries out.';
