-- ── Pausing tasks and releasing workers. ──

CREATE OR REPLACE FUNCTION ops.pause_task_by(who text, task text, reason text)
RETURNS TABLE (paused_task text, paused_by text, paused_at timestamptz, note text, action_id uuid)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  why text := ops.checked_reason($3);
  known ops.task := ops.known_task($2);
  made integer;
  line uuid;
BEGIN
  INSERT INTO public.paused_task AS p (task, paused_by, reason) VALUES (known.name, who, why) ON CONFLICT DO NOTHING;
  GET DIAGNOSTICS made = ROW_COUNT;
  line := ops.record('pause_task', NULL, NULL, why, jsonb_build_object('task', known.name), made, who);
  RETURN QUERY SELECT p.task, p.paused_by, p.paused_at::timestamptz,
    CASE made WHEN 0 THEN 'It was paused already: ' || p.reason
      ELSE 'Within seconds no worker starts its jobs; running jobs finish.' END, line
  FROM public.paused_task p WHERE p.task = known.name;
END
$$;

CREATE FUNCTION ops.pause_task(task text, reason text)
RETURNS TABLE (paused_task text, paused_by text, paused_at timestamptz, note text)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT p.paused_task, p.paused_by, p.paused_at, p.note FROM ops.pause_task_by(session_user, task, reason) p
$$;
COMMENT ON FUNCTION ops.pause_task(text, text) IS 'Keeps every worker from starting the jobs of a task, until ops.resume_task.';

CREATE OR REPLACE FUNCTION ops.resume_task_by(who text, task text, reason text)
RETURNS TABLE (resumed_task text, was_paused_by text, was_paused_at timestamptz, action_id uuid)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  why text := ops.checked_reason($3);
  known ops.task := ops.known_task($2);
  was public.paused_task;
BEGIN
  DELETE FROM public.paused_task p WHERE p.task = known.name RETURNING p.* INTO was;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'The task % is not paused.', known.name
      USING ERRCODE = 'object_not_in_prerequisite_state',
        HINT = 'Paused: ' || coalesce((SELECT string_agg(p.task, ', ' ORDER BY p.task) FROM public.paused_task p), 'none') || '.';
  END IF;
  RETURN QUERY SELECT was.task, was.paused_by, was.paused_at::timestamptz,
    ops.record('resume_task', NULL, NULL, why, jsonb_build_object('task', known.name), 1, who);
END
$$;

CREATE FUNCTION ops.resume_task(task text, reason text)
RETURNS TABLE (resumed_task text, was_paused_by text, was_paused_at timestamptz)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT r.resumed_task, r.was_paused_by, r.was_paused_at FROM ops.resume_task_by(session_user, task, reason) r
$$;
COMMENT ON FUNCTION ops.resume_task(text, text) IS 'Lets the workers start the jobs of a paused task again, within seconds.';

CREATE FUNCTION ops.release_worker(worker text, reason text, force boolean DEFAULT false)
RETURNS TABLE (job_id bigint, task text, tenant_id text, subject_id text, note text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  why text := ops.checked_reason(reason);
  beat record;
  pool text;
  given_back integer;
BEGIN
  SELECT w.id, w.pool_id, w.beat_at, ops.lives(w) AS alive INTO beat
  FROM public.worker_heartbeat w WHERE worker IN (w.id, w.pool_id) FOR UPDATE;
  pool := coalesce(beat.pool_id, worker);
  IF beat.id IS NULL AND NOT EXISTS (SELECT 1 FROM graphile_worker._private_jobs j WHERE j.locked_by = pool) THEN
    RAISE EXCEPTION 'There is no worker %, and no job is locked by it.', coalesce(quote_literal(worker), 'without an id')
      USING ERRCODE = 'no_data_found', HINT = 'ops.workers lists the workers; give a worker_id or a pool_id.';
  END IF;
  IF beat.alive AND force IS NOT TRUE THEN
    RAISE EXCEPTION 'The worker % is alive: its last heartbeat was at %.', worker, beat.beat_at
      USING ERRCODE = 'object_in_use',
        HINT = 'Stop its process first. With force => true a job may run twice at the same time.';
  END IF;
  IF beat.id IS NULL AND force IS NOT TRUE AND EXISTS (
    SELECT 1 FROM graphile_worker._private_jobs j WHERE j.locked_by = pool AND j.locked_at > now() - ops.worker_silence()
  ) THEN
    RAISE EXCEPTION 'The pool % has just started a job: the first heartbeat of its worker may follow.', pool
      USING ERRCODE = 'object_in_use', HINT = 'Look at ops.workers again in half a minute, or give force => true.';
  END IF;
  RETURN QUERY
    SELECT j.id, t.identifier, j.payload ->> 'tenantId', ops.subject_of(j.payload),
      CASE WHEN j.attempts >= j.max_attempts THEN 'This was its last attempt: see ops.retry_job.' END
    FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
    WHERE j.locked_by = pool ORDER BY j.id FOR UPDATE OF j;
  GET DIAGNOSTICS given_back = ROW_COUNT;
  INSERT INTO public.job_run
    (job_id, task, tenant_id, subject_id, attempt, max_attempts, outcome, error, worker_id, run_at, started_at, ended_at)
  SELECT j.id, t.identifier, j.payload ->> 'tenantId', ops.subject_of(j.payload), j.attempts, j.max_attempts, 'failed',
    format('given back by %s: %s', session_user, why), coalesce(beat.id, pool), j.run_at, j.locked_at, now()
  FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id WHERE j.locked_by = pool;
  PERFORM graphile_worker.force_unlock_workers(ARRAY[pool]);
  DELETE FROM public.worker_heartbeat w WHERE w.id = beat.id AND NOT beat.alive;
  PERFORM ops.record('release_worker', NULL, coalesce(beat.id, worker), why,
    jsonb_build_object('pool', pool, 'force', coalesce(force, false), 'last_beat', beat.beat_at), given_back);
END
$$;
COMMENT ON FUNCTION ops.release_worker(text, text, boolean) IS
  'Unlocks the jobs of a dead worker, named by its worker_id or pool_id, so that others run them. The workers do this by themselves after four missed heartbeats.';

CREATE FUNCTION ops.reset_schedules(reason text) RETURNS TABLE (task text, last_execution timestamptz)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  why text := ops.checked_reason(reason);
  reset integer;
BEGIN
  RETURN QUERY SELECT p.task, p.last_execution FROM ops.pull_back_schedules() p;
  GET DIAGNOSTICS reset = ROW_COUNT;
  PERFORM ops.record('reset_schedules', NULL, NULL, why, '{}', reset);
END
$$;
COMMENT ON FUNCTION ops.reset_schedules(text) IS
  'Lets the tasks run by the clock again whose last start is said to lie in the future, since the clock of a worker was ahead. The workers do this by themselves within a minute.';
