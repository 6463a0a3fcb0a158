-- ── What operators do about jobs, tasks and workers. ──
-- Each function that acts is SECURITY DEFINER with a search path of its own, is granted to ops_operate
-- alone, asks for a reason, and adds its line to ops.action_log in the same transaction. None touches a job
-- that is running.
-- What operators do over GraphQL too (src/domain/operator/act.ts) is a function whose name ends in _by and which
-- takes who acts: the service names the operator, and the function for psql gives session_user. Nobody but the
-- service may call it, so that in psql no one acts in another's name. It is replaced and never dropped.

CREATE FUNCTION ops.checked_reason(reason text) RETURNS text
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF coalesce(btrim(reason), '') = '' OR length(reason) > 1000 THEN
    RAISE EXCEPTION 'A reason is required, of 1,000 characters at most.'
      USING ERRCODE = 'invalid_parameter_value', HINT = 'Give reason => ''why you do it'', or on the command line --reason.';
  END IF;
  RETURN btrim(reason);
END
$$;

CREATE FUNCTION ops.record(
  action text, tenant text, subject text, reason text, detail jsonb, affected integer, who text DEFAULT session_user
) RETURNS uuid
LANGUAGE sql SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  INSERT INTO ops.action_log (who, action, tenant_id, subject_id, reason, detail, affected)
  VALUES (who, action, tenant, subject, reason, jsonb_strip_nulls(detail), affected) RETURNING id;
END;

-- The task's row, or an exception that lists the known tasks.
CREATE FUNCTION ops.known_task(task text) RETURNS ops.task
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  found ops.task;
BEGIN
  SELECT t.* INTO found FROM ops.task t WHERE t.name = task;
  IF found.name IS NULL THEN
    RAISE EXCEPTION 'There is no task %.', coalesce(quote_literal(task), 'without a name')
      USING ERRCODE = 'no_data_found', HINT = 'Tasks: ' || (SELECT string_agg(t.name, ', ' ORDER BY t.name) FROM ops.task t) || '.';
  END IF;
  RETURN found;
END
$$;

-- Takes what waits under a key out of a tenant's outbox. On Citus 85-distributed-operators.sql replaces it.
CREATE FUNCTION ops.drop_waiting(tenant text, waits_as text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  DELETE FROM public.job_outbox o WHERE o.tenant_id = tenant AND o.job_key = waits_as;
END
$$;

-- Adds a job from the task's row and returns its number, so it does not go by way of the outbox. A job with its
-- key that waits there is an earlier one, which this one replaces.
CREATE FUNCTION ops.add_job(task ops.task, tenant text, subject text, key_subject text, more jsonb, run_at timestamptz)
RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  facts jsonb := task.constant || more;
  waits_as text := task.key_prefix || coalesce(key_subject, '');
  added bigint;
BEGIN
  IF task.with_tenant THEN facts := jsonb_build_object('tenantId', tenant) || facts; END IF;
  IF task.subject_field IS NOT NULL THEN facts := facts || jsonb_build_object(task.subject_field, subject); END IF;
  PERFORM ops.drop_waiting(facts ->> 'tenantId', waits_as);
  SELECT j.id INTO STRICT added FROM graphile_worker.add_job(
    task.name, facts::json, run_at => run_at, max_attempts => 20, priority => task.priority, job_key => waits_as) AS j;
  RETURN added;
END
$$;

CREATE FUNCTION ops.pause_note(task text) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
RETURN (SELECT format('The task is paused by %s since %s: %s', p.paused_by, p.paused_at, p.reason)
  FROM public.paused_task p WHERE p.task = pause_note.task);
