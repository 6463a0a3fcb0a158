-- ── What operators do about tasks, workers, exports, mails and payouts. ──

CREATE FUNCTION ops.pause_task(task text, reason text) RETURNS TABLE (paused_task text, paused_by text, paused_at timestamptz, note text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  why text := ops.checked_reason($2);
  known ops.task := ops.known_task($1);
  made integer;
BEGIN
  INSERT INTO public.paused_task AS p (task, paused_by, reason) VALUES (known.name, session_user, why) ON CONFLICT DO NOTHING;
  GET DIAGNOSTICS made = ROW_COUNT;
  PERFORM ops.record('pause_task', NULL, NULL, why, jsonb_build_object('task', known.name), made);
  RETURN QUERY SELECT p.task, p.paused_by, p.paused_at::timestamptz,
    CASE made WHEN 0 THEN 'It was paused already: ' || p.reason
      ELSE 'The workers take none up within seconds; what runs goes on to its end.' END
  FROM public.paused_task p WHERE p.task = known.name;
END
$$;
COMMENT ON FUNCTION ops.pause_task(text, text) IS 'Keeps every worker from taking up a task, until ops.resume_task.';

CREATE FUNCTION ops.resume_task(task text, reason text) RETURNS TABLE (resumed_task text, was_paused_by text, was_paused_at timestamptz)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  why text := ops.checked_reason($2);
  known ops.task := ops.known_task($1);
BEGIN
  RETURN QUERY DELETE FROM public.paused_task p WHERE p.task = known.name RETURNING p.task, p.paused_by, p.paused_at::timestamptz;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'The task % is not paused.', known.name
      USING ERRCODE = 'object_not_in_prerequisite_state',
        HINT = 'Paused: ' || coalesce((SELECT string_agg(p.task, ', ' ORDER BY p.task) FROM public.paused_task p), 'none') || '.';
  END IF;
  PERFORM ops.record('resume_task', NULL, NULL, why, jsonb_build_object('task', known.name), 1);
END
$$;
COMMENT ON FUNCTION ops.resume_task(text, text) IS 'Lets the workers take up a paused task again, within seconds.';

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
  IF beat.id IS NULL AND NOT EXISTS (SELECT FROM graphile_worker._private_jobs j WHERE j.locked_by = pool) THEN
    RAISE EXCEPTION 'There is no worker %, and nothing that it holds.', coalesce(quote_literal(worker), 'without an id')
      USING ERRCODE = 'no_data_found', HINT = 'ops.workers lists the workers; give a worker_id or a pool_id.';
  END IF;
  IF beat.alive AND force IS NOT TRUE THEN
    RAISE EXCEPTION 'The worker % lives: it said so at %.', worker, beat.beat_at
      USING ERRCODE = 'object_in_use',
        HINT = 'Stop its process first. With force => true its jobs may run twice at the same time.';
  END IF;
  IF beat.id IS NULL AND force IS NOT TRUE AND EXISTS (
    SELECT FROM graphile_worker._private_jobs j WHERE j.locked_by = pool AND j.locked_at > now() - ops.worker_silence()
  ) THEN
    RAISE EXCEPTION 'The pool % took a job a moment ago: its worker may be about to say that it lives.', pool
      USING ERRCODE = 'object_in_use', HINT = 'Look at ops.workers again in half a minute, or give force => true.';
  END IF;
  RETURN QUERY
    SELECT j.id, t.identifier, j.payload ->> 'tenantId', ops.subject_of(j.payload),
      CASE WHEN j.attempts >= j.max_attempts THEN 'It was its last attempt: see ops.retry_job.' END
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
  'Gives the jobs of a dead worker back to the others, by its worker_id or pool_id. The workers do so themselves after four missed beats.';

-- ── Exports by schedule. ──

CREATE FUNCTION ops.checked_export_filter(kind text, tenant text, filter jsonb) RETURNS jsonb
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  allowed CONSTANT text[] := '{beneficiary_id,state,created_since,created_before}';
  given jsonb := coalesce(filter, '{}');
  wrong text;
BEGIN
  wrong := CASE
    WHEN jsonb_typeof(given) <> 'object' THEN 'it must be an object'
    WHEN kind = 'beneficiaries' AND given <> '{}' THEN 'the address book is exported as a whole'
    ELSE (SELECT min('it has no ' || k) FROM jsonb_object_keys(given) k WHERE k <> ALL (allowed))
  END;
  IF wrong IS NULL AND given ? 'state' THEN
    wrong := CASE WHEN jsonb_typeof(given -> 'state') <> 'array' OR given -> 'state' = '[]' THEN 'state must be a list of states'
      ELSE (SELECT min('there is no state ' || s) FROM jsonb_array_elements_text(given -> 'state') s
            WHERE s NOT IN (SELECT to_state FROM public.payout_permitted_transition)) END;
  END IF;
  IF wrong IS NULL THEN
    SELECT min(k || ' must be a date and time with its offset, for example 2026-11-01T00:00:00Z') INTO wrong
    FROM unnest('{created_since,created_before}'::text[]) k
    WHERE given ? k AND NOT coalesce(given ->> k ~ '^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$'
      AND pg_input_is_valid(given ->> k, 'timestamptz'), false);
  END IF;
  IF wrong IS NULL AND given ? 'beneficiary_id' AND NOT EXISTS (
    SELECT FROM public.beneficiary b WHERE b.tenant_id = tenant AND b.id = given ->> 'beneficiary_id'
  ) THEN
    wrong := 'the tenant has no such beneficiary';
  END IF;
  IF wrong IS NOT NULL THEN
    RAISE EXCEPTION 'The filter is none of an export of %: %.', kind, wrong
      USING ERRCODE = 'invalid_parameter_value', HINT = 'For example {"state": ["settled"], "created_since": "2026-11-01T00:00:00Z"}.';
  END IF;
  RETURN given;
END
$$;

CREATE FUNCTION ops.schedule_export(
  tenant text, kind text, filter jsonb DEFAULT '{}', every interval DEFAULT '1 day', first_at timestamptz DEFAULT now(),
  reason text DEFAULT NULL
) RETURNS TABLE (schedule_id uuid, tenant_id text, next_run_at timestamptz)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  why text := ops.checked_reason(reason);
  checked jsonb;
  made record;
BEGIN
  IF NOT EXISTS (SELECT FROM public.tenant t WHERE t.id = tenant) THEN
    RAISE EXCEPTION 'There is no tenant %.', coalesce(quote_literal(tenant), 'without an id')
      USING ERRCODE = 'no_data_found', HINT = 'ops.tenants lists the tenants; ops.find(id) tells whose an id is.';
  END IF;
  IF $2 IS NULL OR $2 NOT IN ('transactions', 'beneficiaries') THEN
    RAISE EXCEPTION 'There is no export of %.', coalesce(quote_literal($2), 'nothing')
      USING ERRCODE = 'invalid_parameter_value', HINT = 'Kinds: transactions, beneficiaries.';
  END IF;
  IF $4 IS NULL OR $4 NOT BETWEEN interval '1 hour' AND interval '10 years' OR least(
    extract(year FROM $4), extract(month FROM $4), extract(day FROM $4),
    extract(hour FROM $4), extract(minute FROM $4), extract(second FROM $4)
  ) < 0 THEN
    RAISE EXCEPTION 'An export repeats every hour to every ten years.' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  IF first_at IS NULL OR first_at NOT BETWEEN now() - interval '10 years' AND now() + interval '10 years' THEN
    RAISE EXCEPTION 'first_at must be a time of the next or the last ten years.' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  checked := ops.checked_export_filter($2, tenant, $3);
  INSERT INTO public.export_schedule AS s (tenant_id, kind, filter, every, next_run_at, created_by)
  VALUES (tenant, $2, checked, $4, first_at, session_user) RETURNING s.id, s.next_run_at INTO made;
  PERFORM ops.record('schedule_export', tenant, made.id::text, why,
    jsonb_build_object('kind', $2, 'filter', checked, 'every', $4, 'first_at', first_at), 1);
  RETURN QUERY SELECT made.id::uuid, tenant, made.next_run_at::timestamptz;
END
$$;
COMMENT ON FUNCTION ops.schedule_export(text, text, jsonb, interval, timestamptz, text) IS
  'Exports a tenant''s transactions or beneficiaries again and again. The filter is that of the endpoint.';

CREATE FUNCTION ops.end_export_schedule(schedule uuid, reason text) RETURNS TABLE (schedule_id uuid, tenant_id text, ended_at timestamptz)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  why text := ops.checked_reason(reason);
  place record;
BEGIN
  SELECT l.* INTO place FROM ops.locate(schedule::text) l WHERE l.kind = 'export schedule';
  IF place IS NULL THEN
    RAISE EXCEPTION 'There is no export schedule %.', coalesce(schedule::text, 'without an id')
      USING ERRCODE = 'no_data_found', HINT = 'ops.export_schedules lists them.';
  END IF;
  RETURN QUERY UPDATE public.export_schedule s SET ended_at = now()
    WHERE s.tenant_id = place.tenant_id AND s.id = schedule AND s.ended_at IS NULL
    RETURNING s.id, s.tenant_id::text, s.ended_at::timestamptz;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'The export schedule % has ended already.', schedule USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  PERFORM ops.record('end_export_schedule', place.tenant_id, schedule::text, why, '{}', 1);
END
$$;
COMMENT ON FUNCTION ops.end_export_schedule(uuid, text) IS 'Ends a schedule; the exports that it made stay.';

-- ── A mail with a collection link, once more. ──

CREATE FUNCTION ops.resend_mail(request uuid, reason text) RETURNS TABLE (job_id bigint, tenant_id text, request_id uuid, note text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  why text := ops.checked_reason(reason);
  place record;
  before record;
  job bigint;
BEGIN
  SELECT l.* INTO place FROM ops.locate(request::text) l WHERE l.kind = 'collection request';
  IF place IS NULL THEN
    RAISE EXCEPTION 'There is no collection request %.', coalesce(request::text, 'without an id')
      USING ERRCODE = 'no_data_found', HINT = 'ops.dead_letters lists the mails that gave up.';
  END IF;
  SELECT r.status, r.expires_at, r.mail_status INTO before FROM public.collection_request r
  WHERE r.tenant_id = place.tenant_id AND r.id = request FOR UPDATE;
  IF before.status <> 'live' OR before.expires_at <= now() THEN
    RAISE EXCEPTION 'The collection request % is %: its link opens nothing any more.', request,
        CASE before.status WHEN 'live' THEN 'expired' ELSE before.status END
      USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'The business invites the beneficiary anew.';
  END IF;
  UPDATE public.collection_request r SET mail_status = 'pending', mail_attempts = 0, mail_error = NULL
  WHERE r.tenant_id = place.tenant_id AND r.id = request;
  job := ops.add_job(ops.known_task('send_collection_mail'), place.tenant_id, request::text, request::text, '{}', now());
  PERFORM ops.record('resend_mail', place.tenant_id, request::text, why,
    jsonb_build_object('job', job, 'mail_status', before.mail_status), 1);
  RETURN QUERY SELECT job, place.tenant_id, request, ops.pause_note('send_collection_mail');
END
$$;
COMMENT ON FUNCTION ops.resend_mail(uuid, text) IS
  'Sends the mail of a live collection request again; the links of earlier mails stay good.';

-- ── Orders about payouts, which the worker carries out (src/domain/operator). ──

CREATE FUNCTION ops.locked_attempt(payout text) RETURNS TABLE (
  tenant_id text, state text, attempt_id text, status text, needs_operator boolean, provider_payout_id text
)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  place record;
BEGIN
  SELECT l.* INTO place FROM ops.locate(payout) l WHERE l.kind = 'payout';
  IF place IS NULL THEN
    RAISE EXCEPTION 'There is no payout %.', coalesce(quote_literal(payout), 'without an id')
      USING ERRCODE = 'no_data_found', HINT = 'The id of a payout begins with pay_; ops.find(id) tells what another id is.';
  END IF;
  -- One whose outcome is open comes before others, the live one before older ones, and of those the latest.
  RETURN QUERY
  SELECT place.tenant_id, p.state, a.id::text, a.status, a.needs_operator, a.provider_payout_id
  FROM public.payout p
  JOIN public.disbursement_attempt a ON a.tenant_id = p.tenant_id AND a.payout_id = p.id
  WHERE p.tenant_id = place.tenant_id AND p.id = payout AND (a.id = p.live_attempt_id OR a.needs_operator)
  ORDER BY (a.status = 'unknown' OR a.needs_operator) DESC, a.id IS NOT DISTINCT FROM p.live_attempt_id DESC, a.number DESC
  LIMIT 1 FOR NO KEY UPDATE OF a;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'The payout % is %, and no attempt of it is open.', payout, place.state
      USING ERRCODE = 'object_not_in_prerequisite_state', HINT = format('SELECT * FROM ops.timeline(%L);', payout);
  END IF;
END
$$;

CREATE FUNCTION ops.order_payout(action text, payout text, tenant text, detail jsonb, why text) RETURNS uuid
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  order_id uuid := ops.record(action, tenant, payout, why, detail, 1);
BEGIN
  PERFORM ops.add_job(ops.known_task(action), tenant, payout, NULL, jsonb_build_object('actionId', order_id), now());
  RETURN order_id;
END
$$;

CREATE FUNCTION ops.look_up_payout(payout text, reason text) RETURNS uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  why text := ops.checked_reason(reason);
  held record;
BEGIN
  SELECT * INTO held FROM ops.locked_attempt(payout);
  RETURN ops.order_payout('look_up_payout', payout, held.tenant_id, '{}', why);
END
$$;
COMMENT ON FUNCTION ops.look_up_payout(text, text) IS
  'Has the worker ask the provider about a payout now. Returns the id of the line of ops.action_log whose outcome tells the answer.';

-- An order that the worker is about to carry out excludes another, from psql and over GraphQL
-- (src/domain/operator/payout-order.ts). Whoever asks first keeps the others waiting until the end of
-- its transaction, so that of two at once one sees the other's.
CREATE FUNCTION ops.waiting_resolution(payout text) RETURNS TABLE (who text, at timestamptz)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('resolve_payout ' || payout, 0));
  RETURN QUERY SELECT l.who, l.at::timestamptz FROM ops.action_log l
  WHERE l.subject_id = payout AND l.action = 'resolve_payout' AND l.outcome IS NULL AND l.at > now() - interval '10 minutes'
  ORDER BY l.id DESC LIMIT 1;
END
$$;

CREATE FUNCTION ops.resolve_payout(payout text, outcome text, provider_payout_id text, evidence text, reason text) RETURNS uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  why text := ops.checked_reason(reason);
  named text := nullif(btrim(provider_payout_id), '');
  shown text := nullif(btrim(evidence), '');
  target text := CASE $2 WHEN 'paid' THEN 'disbursed' WHEN 'not_paid' THEN 'failed' END;
  held record;
  waiting record;
BEGIN
  IF target IS NULL THEN
    RAISE EXCEPTION 'There is no outcome %.', coalesce(quote_literal($2), 'without a name')
      USING ERRCODE = 'invalid_parameter_value', HINT = 'Outcomes: paid, not_paid.';
  END IF;
  IF shown IS NULL OR length(shown) > 1000 OR length(named) > 255 THEN
    RAISE EXCEPTION 'Say what the provider showed or said, in 1,000 characters at most.'
      USING ERRCODE = 'invalid_parameter_value', HINT = 'evidence => ''ticket 4711: the provider''''s ledger has no such payment''.';
  END IF;
  SELECT * INTO held FROM ops.locked_attempt(payout);
  IF NOT (held.status = 'unknown' OR held.needs_operator) THEN
    RAISE EXCEPTION 'The outcome of the payout % is not open: its attempt is %.', payout, held.status
      USING ERRCODE = 'object_not_in_prerequisite_state', HINT = format('SELECT ops.look_up_payout(%L, %L);', payout, why);
  END IF;
  IF target = 'disbursed' AND coalesce(named, held.provider_payout_id) IS NULL THEN
    RAISE EXCEPTION 'A payment that was made has an id at the provider.'
      USING ERRCODE = 'invalid_parameter_value', HINT = 'Give provider_payout_id.';
  END IF;
  -- A payout that has ended otherwise moves no more; its attempt is marked as seen, and that is all.
  IF NOT held.needs_operator AND NOT EXISTS (
    SELECT FROM public.payout_permitted_transition t WHERE t.from_state = held.state AND t.to_state = target
  ) THEN
    RAISE EXCEPTION 'The payout % is %, which permits no %.', payout, held.state, target
      USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  SELECT l.who, l.at INTO waiting FROM ops.waiting_resolution(payout) l;
  IF FOUND THEN
    RAISE EXCEPTION 'An order of % from % waits for the worker.', waiting.who, waiting.at
      USING ERRCODE = 'object_in_use', HINT = format('SELECT * FROM ops.action_log WHERE subject_id = %L ORDER BY at DESC;', payout);
  END IF;
  RETURN ops.order_payout('resolve_payout', payout, held.tenant_id,
    jsonb_build_object('outcome', $2, 'provider_payout_id', named, 'evidence', shown), why);
END
$$;
COMMENT ON FUNCTION ops.resolve_payout(text, text, text, text, text) IS
  'Has the worker settle a payout whose outcome is not known as paid or not_paid, after it asked the provider once more. Returns the id of the line of ops.action_log whose outcome tells what became of it.';

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA ops FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ops.pause_task(text, text), ops.resume_task(text, text), ops.release_worker(text, text, boolean),
  ops.schedule_export(text, text, jsonb, interval, timestamptz, text), ops.end_export_schedule(uuid, text),
  ops.resend_mail(uuid, text), ops.look_up_payout(text, text), ops.resolve_payout(text, text, text, text, text) TO ops_operate;
