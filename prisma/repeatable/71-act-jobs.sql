-- ── Adding, retrying and canceling jobs. ──

CREATE OR REPLACE FUNCTION ops.schedule_by(who text, task text, subject text, run_at timestamptz, reason text)
RETURNS TABLE (
  job_id bigint, task_name text, tenant_id text, subject_id text, runs_at timestamptz, note text, action_id uuid
)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_variable
DECLARE
  why text := ops.checked_reason(reason);
  known ops.task := ops.known_task(task);
  place record;
  others text;
  owner_id text;
  more jsonb := '{}';
  key_subject text;
  at timestamptz := coalesce(run_at, now());
  job bigint;
  line uuid;
BEGIN
  IF known.not_by_hand IS NOT NULL THEN
    RAISE EXCEPTION 'The task % is not added by hand.', task
      USING ERRCODE = 'invalid_parameter_value', HINT = known.not_by_hand;
  END IF;
  IF NOT isfinite(at) THEN
    RAISE EXCEPTION 'run_at must be a time.' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  IF known.subject IS NULL AND coalesce(subject, '') <> '' THEN
    RAISE EXCEPTION 'The task % takes no id.', task
      USING ERRCODE = 'invalid_parameter_value', HINT = format('SELECT * FROM ops.schedule(%L, NULL, reason => %L);', task, why);
  END IF;
  subject := btrim(subject, E' \t\r\n');
  key_subject := subject;
  IF task = 'look_up_payout' THEN
    -- An order, whose line of the log is not this function's.
    SELECT * INTO place FROM ops.locked_attempt(subject);
    line := ops.order_payout(task, subject, place.tenant_id, '{}', why, at, who);
    RETURN QUERY SELECT NULL::bigint, task, place.tenant_id, subject, at,
      format('The order is %s; its outcome will be in ops.action_log.', line), line;
    RETURN;
  END IF;
  IF known.subject = 'member invitation' THEN
    SELECT i.tenant_id INTO owner_id FROM public.member_invitation i
    WHERE pg_input_is_valid(subject, 'uuid') AND i.id::text = subject AND i.status = 'live' AND i.expires_at > now();
    IF owner_id IS NULL THEN
      RAISE EXCEPTION 'There is no live member invitation %.', coalesce(quote_literal(subject), 'without an id')
        USING ERRCODE = 'no_data_found', HINT = 'Only an invitation that is live has a mail to send.';
    END IF;
    key_subject := NULL;
  ELSIF known.subject IS NOT NULL THEN
    -- The id of a provider's event may have the provider's name in front.
    SELECT l.* INTO place FROM ops.locate(
      CASE known.subject WHEN 'provider event' THEN regexp_replace(subject, '^\S+ ', '') ELSE subject END
    ) l
    WHERE l.kind = known.subject LIMIT 1;
    IF place IS NULL THEN
      SELECT string_agg(DISTINCT l.kind, ', ') INTO others FROM ops.locate(subject) l;
      RAISE EXCEPTION 'There is no % %.', known.subject, coalesce(quote_literal(subject), 'without an id')
        USING ERRCODE = 'no_data_found',
          HINT = format('The task %s asks for the id of a %s%s.', task, known.subject, '; this is the id of a ' || others);
    END IF;
    IF task = 'send_collection_mail' THEN
      UPDATE public.collection_request r SET mail_status = 'pending', mail_attempts = 0, mail_error = NULL
      WHERE r.tenant_id = place.tenant_id AND r.id::text = subject AND r.status = 'live';
    END IF;
    IF NOT place.state = ANY (known.subject_states) THEN
      RAISE EXCEPTION 'The % % is %, and % does nothing then.', known.subject, subject, place.state, task
        USING ERRCODE = 'object_not_in_prerequisite_state',
          HINT = format('It acts where the state is %s.', array_to_string(known.subject_states, ' or '));
    END IF;
    IF known.with_tenant THEN owner_id := place.tenant_id; END IF;
  END IF;
  IF known.subject = 'provider event' THEN
    SELECT count(*) AS senders, min(e.provider) AS provider, min(e.event_id) AS event_id INTO place FROM public.provider_event e
    WHERE e.event_id = subject OR (e.provider = split_part(subject, ' ', 1) AND e.event_id = split_part(subject, ' ', 2));
    IF place.senders <> 1 THEN
      RAISE EXCEPTION 'There is no single provider event %.', subject
        USING ERRCODE = 'invalid_parameter_value', HINT = 'Give the subject as ''<provider> <event id>''.';
    END IF;
    more := jsonb_build_object('provider', place.provider);
    subject := place.event_id;
    key_subject := place.provider || ' ' || place.event_id;
  ELSIF known.subject = 'user' THEN
    SELECT jsonb_build_object('businessId', u.registered_business_id) INTO more FROM public.app_user u WHERE u.id = subject;
    IF more ->> 'businessId' IS NULL THEN
      RAISE EXCEPTION 'The user % has registered no business.', subject USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
  ELSIF known.subject = 'delivery' THEN
    -- A job that runs before next_attempt_at does nothing.
    UPDATE public.webhook_delivery d SET next_attempt_at = at
    WHERE d.tenant_id = owner_id AND d.id = subject AND d.status = 'pending';
  END IF;
  job := ops.add_job(known, owner_id, subject, key_subject, more, at);
  line := ops.record('schedule', owner_id, subject, why,
    jsonb_build_object('task', task, 'job', job, 'run_at', at), 1, who);
  RETURN QUERY SELECT job, task, owner_id, subject, at, ops.pause_note(task), line;
END
$$;

CREATE FUNCTION ops.schedule(task text, subject text, run_at timestamptz DEFAULT now(), reason text DEFAULT NULL)
RETURNS TABLE (job_id bigint, task_name text, tenant_id text, subject_id text, runs_at timestamptz, note text)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT s.job_id, s.task_name, s.tenant_id, s.subject_id, s.runs_at, s.note
  FROM ops.schedule_by(session_user, task, subject, run_at, reason) s
$$;
COMMENT ON FUNCTION ops.schedule(text, text, timestamptz, text) IS
  'Adds a job: the task, the id that it is about (NULL for none), when to run it, and the reason. ops.tasks lists the tasks.';

-- Locks a job until the transaction ends. An exception if it is running or does not exist.
CREATE FUNCTION ops.lock_job(job bigint) RETURNS TABLE (
  id bigint, task text, tenant_id text, subject_id text, attempts integer, max_attempts integer, run_at timestamptz, last_error text
)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  held record;
BEGIN
  SELECT j.id, t.identifier AS task, j.payload ->> 'tenantId' AS tenant, ops.subject_of(j.payload) AS subject,
    j.attempts::integer, j.max_attempts::integer, j.run_at, j.last_error, j.locked_at, j.locked_by
  INTO held
  FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
  WHERE j.id = job FOR UPDATE OF j;
  IF held.id IS NULL THEN
    RAISE EXCEPTION 'There is no job %: it has ended or never existed.', coalesce(job::text, 'without a number')
      USING ERRCODE = 'no_data_found', HINT = 'ops.jobs lists the jobs that have not ended, ops.job_history those that have.';
  END IF;
  IF held.locked_at IS NOT NULL THEN
    RAISE EXCEPTION 'Job % (%) is running since % on %.', job, concat_ws(' of ', held.task, held.subject), held.locked_at,
        coalesce((SELECT w.id FROM public.worker_heartbeat w WHERE w.pool_id = held.locked_by), held.locked_by)
      USING ERRCODE = 'object_in_use', HINT = 'Wait until it ends. If its worker is dead (ops.workers), use ops.release_worker.';
  END IF;
  RETURN QUERY SELECT held.id, held.task, held.tenant, held.subject, held.attempts, held.max_attempts, held.run_at, held.last_error;
END
$$;

CREATE OR REPLACE FUNCTION ops.retry_job_by(who text, job bigint, reason text) RETURNS TABLE (
  job_id bigint, task text, tenant_id text, subject_id text, runs_at timestamptz, note text, action_id uuid
)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  why text := ops.checked_reason(reason);
  held record;
  due boolean;
  line uuid;
BEGIN
  SELECT * INTO held FROM ops.lock_job(job);
  due := held.attempts = 0 AND held.run_at <= now();
  IF NOT due THEN
    -- A dead job runs again only if its attempts are reset.
    PERFORM graphile_worker.reschedule_jobs(ARRAY[job], run_at => now(), attempts => 0);
  END IF;
  line := ops.record('retry_job', held.tenant_id, held.subject_id, why,
    jsonb_build_object('task', held.task, 'job', job, 'attempts', held.attempts, 'error', held.last_error),
    CASE WHEN due THEN 0 ELSE 1 END, who);
  RETURN QUERY SELECT held.id, held.task, held.tenant_id, held.subject_id, CASE WHEN due THEN held.run_at ELSE now() END,
    concat_ws(' ', CASE WHEN due THEN 'The job was due already: nothing changed.' END, ops.pause_note(held.task)), line;
END
$$;

CREATE FUNCTION ops.retry_job(job bigint, reason text)
RETURNS TABLE (job_id bigint, task text, tenant_id text, subject_id text, runs_at timestamptz, note text)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT r.job_id, r.task, r.tenant_id, r.subject_id, r.runs_at, r.note FROM ops.retry_job_by(session_user, job, reason) r
$$;
COMMENT ON FUNCTION ops.retry_job(bigint, text) IS
  'Runs a job now that is dead or waits for its next attempt, and resets its attempts.';

-- The jobs that retry_jobs and cancel_jobs select. Running jobs are listed and left alone. `hold` locks the
-- others; a dry run locks nothing, since a session left open would keep the workers from these jobs.
CREATE FUNCTION ops.choose_jobs(
  of_task text, of_tenant text, error_like text, in_state text, max_jobs integer, hold boolean
) RETURNS TABLE (
  id bigint, task text, tenant_id text, subject_id text, attempts integer, max_attempts integer, run_at timestamptz, last_error text,
  running boolean
)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
  PERFORM ops.known_task(of_task);
  IF max_jobs IS NULL OR max_jobs NOT BETWEEN 1 AND 100000 THEN
    RAISE EXCEPTION 'max_jobs must be between 1 and 100,000.' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  RETURN QUERY
  WITH chosen AS (
    SELECT j.id, t.identifier FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
    WHERE t.identifier = of_task AND (of_tenant IS NULL OR j.payload ->> 'tenantId' = of_tenant)
      AND (error_like IS NULL OR ops.one_line(j.last_error) ILIKE error_like)
      AND (in_state IS DISTINCT FROM 'dead' OR j.attempts >= j.max_attempts)
      AND (in_state IS DISTINCT FROM 'retrying' OR (j.attempts > 0 AND j.attempts < j.max_attempts))
      AND (in_state IS DISTINCT FROM 'scheduled' OR (j.attempts = 0 AND j.run_at > now()))
      AND (in_state IS DISTINCT FROM 'ready' OR (j.attempts = 0 AND j.run_at <= now()))
    ORDER BY j.locked_at IS NOT NULL, j.id LIMIT max_jobs
  ), held AS (
    SELECT j.id FROM graphile_worker._private_jobs j
    WHERE hold AND j.id IN (SELECT c.id FROM chosen c) AND j.locked_at IS NULL
      AND (in_state IS DISTINCT FROM 'dead' OR j.attempts >= j.max_attempts)
    FOR UPDATE OF j SKIP LOCKED
  )
  SELECT j.id, c.identifier, j.payload ->> 'tenantId', ops.subject_of(j.payload), j.attempts::integer, j.max_attempts::integer,
    j.run_at, ops.one_line(j.last_error), j.locked_at IS NOT NULL
  FROM chosen c JOIN graphile_worker._private_jobs j USING (id)
  WHERE NOT hold OR j.locked_at IS NOT NULL OR j.id IN (SELECT h.id FROM held h)
  ORDER BY j.locked_at IS NOT NULL, j.id;
END
$$;

CREATE FUNCTION ops.retry_jobs(
  task text, tenant text DEFAULT NULL, error_like text DEFAULT NULL, dry_run boolean DEFAULT true,
  max_jobs integer DEFAULT 1000, spread interval DEFAULT '0 seconds', reason text DEFAULT NULL
) RETURNS TABLE (
  job_id bigint, tenant_id text, subject_id text, attempts integer, last_error text, runs_at timestamptz, outcome text
)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  why text := CASE WHEN dry_run IS NOT TRUE THEN ops.checked_reason(reason) END;
  held record;
  taken integer := 0;
BEGIN
  IF spread IS NULL OR spread < interval '0' THEN
    RAISE EXCEPTION 'spread must not be negative.' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  FOR held IN
    SELECT l.*, count(*) FILTER (WHERE NOT l.running) OVER () AS number FROM
      ops.choose_jobs($1, $2, error_like, 'dead', max_jobs, why IS NOT NULL) l
  LOOP
    job_id := held.id; tenant_id := held.tenant_id; subject_id := held.subject_id; attempts := held.attempts;
    last_error := held.last_error; runs_at := NULL; outcome := 'running: left alone';
    IF NOT held.running THEN
      runs_at := now() + spread * (taken::double precision / held.number);
      outcome := CASE WHEN why IS NULL THEN 'would be retried' ELSE 'retried' END;
      taken := taken + 1;
      IF why IS NOT NULL THEN
        PERFORM graphile_worker.reschedule_jobs(ARRAY[held.id], run_at => runs_at, attempts => 0);
      END IF;
    END IF;
    RETURN NEXT;
  END LOOP;
  IF why IS NOT NULL THEN
    PERFORM ops.record('retry_jobs', $2, NULL, why,
      jsonb_build_object('task', $1, 'error_like', error_like, 'max_jobs', max_jobs, 'spread', spread), taken);
  END IF;
END
$$;
COMMENT ON FUNCTION ops.retry_jobs(text, text, text, boolean, integer, interval, text) IS
  'Retries the dead jobs of a task, spread over an interval. Without dry_run => false it only shows them. error_like is an ILIKE pattern of last_error as ops.jobs shows it.';

-- Ends jobs that this transaction has locked, and adds them to the history.
CREATE FUNCTION ops.end_jobs(jobs bigint[], why text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO public.job_run
    (job_id, task, tenant_id, subject_id, attempt, max_attempts, outcome, error, run_at, started_at, ended_at)
  SELECT j.id, t.identifier, j.payload ->> 'tenantId', ops.subject_of(j.payload), j.attempts, j.max_attempts, 'canceled',
    format('canceled by %s: %s', session_user, why), j.run_at, now(), now()
  FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id WHERE j.id = ANY (jobs);
  PERFORM graphile_worker.complete_jobs(jobs);
END
$$;

CREATE FUNCTION ops.cancel_job(job bigint, reason text)
RETURNS TABLE (job_id bigint, task text, tenant_id text, subject_id text, note text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  why text := ops.checked_reason(reason);
  held record;
BEGIN
  SELECT * INTO held FROM ops.lock_job(job);
  PERFORM ops.end_jobs(ARRAY[job], why);
  PERFORM ops.record('cancel_job', held.tenant_id, held.subject_id, why,
    jsonb_build_object('task', held.task, 'job', job, 'attempts', held.attempts, 'error', held.last_error), 1);
  RETURN QUERY SELECT held.id, held.task, held.tenant_id, held.subject_id,
    'If the work is still due, the service adds a new job within minutes; ops.pause_task keeps a task from running.';
END
$$;
COMMENT ON FUNCTION ops.cancel_job(bigint, text) IS 'Ends a job that is not running. The history shows it as canceled.';

CREATE FUNCTION ops.cancel_jobs(
  task text, tenant text DEFAULT NULL, error_like text DEFAULT NULL, in_state text DEFAULT NULL,
  dry_run boolean DEFAULT true, max_jobs integer DEFAULT 1000, reason text DEFAULT NULL
) RETURNS TABLE (job_id bigint, tenant_id text, subject_id text, attempts integer, last_error text, runs_at timestamptz, outcome text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  why text := CASE WHEN dry_run IS NOT TRUE THEN ops.checked_reason(reason) END;
  held record;
  taken bigint[] := '{}';
BEGIN
  IF NOT in_state IN ('dead', 'retrying', 'scheduled', 'ready') THEN
    RAISE EXCEPTION 'Jobs cannot be canceled by the state %.', quote_literal(in_state)
      USING ERRCODE = 'invalid_parameter_value', HINT = 'States: dead, retrying, scheduled, ready; NULL for all of these.';
  END IF;
  IF why IS NOT NULL THEN
    -- A job of the outbox has no id yet, and would start after the others were canceled.
    PERFORM ops.relay_batch(NULL, 1000000, 100000, 20, false);
  END IF;
  FOR held IN SELECT * FROM ops.choose_jobs($1, $2, error_like, in_state, max_jobs, why IS NOT NULL) LOOP
    job_id := held.id; tenant_id := held.tenant_id; subject_id := held.subject_id; attempts := held.attempts;
    last_error := held.last_error; runs_at := held.run_at;
    outcome := CASE WHEN held.running THEN 'running: left alone' WHEN why IS NULL THEN 'would be canceled' ELSE 'canceled' END;
    IF NOT held.running THEN taken := taken || held.id; END IF;
    RETURN NEXT;
  END LOOP;
  IF why IS NOT NULL THEN
    PERFORM ops.end_jobs(taken, why);
    PERFORM ops.record('cancel_jobs', $2, NULL, why,
      jsonb_build_object('task', $1, 'error_like', error_like, 'in_state', in_state, 'max_jobs', max_jobs), cardinality(taken));
  END IF;
END
$$;
COMMENT ON FUNCTION ops.cancel_jobs(text, text, text, text, boolean, integer, text) IS
  'Ends jobs of a task that are not running. Without dry_run => false it only shows them. error_like is an ILIKE pattern of last_error as ops.jobs shows it.';
