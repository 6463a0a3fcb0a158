-- ── Scheduling exports, and sending a mail again. ──

CREATE FUNCTION ops.checked_export_filter(kind text, tenant text, filter jsonb) RETURNS jsonb
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  allowed CONSTANT text[] := CASE kind WHEN 'ledger_entries' THEN '{payout_id,kind,recorded_since,recorded_before}'
    ELSE '{beneficiary_id,state,created_since,created_before}' END;
  kinds CONSTANT text[] := '{hold,release,disburse,settle,return,fail,fee,funding,withdrawal}';
  given jsonb := coalesce(filter, '{}');
  wrong text;
BEGIN
  wrong := CASE
    WHEN jsonb_typeof(given) <> 'object' THEN 'it must be an object'
    WHEN kind IN ('beneficiaries', 'screenings', 'watchlist_days') AND given <> '{}' THEN
      'an export of ' || kind || ' takes no filter'
    ELSE (SELECT min('it has no ' || k) FROM jsonb_object_keys(given) k WHERE k <> ALL (allowed))
  END;
  IF wrong IS NULL AND given ? 'state' THEN
    wrong := CASE WHEN jsonb_typeof(given -> 'state') <> 'array' OR given -> 'state' = '[]' THEN 'state must be a list of states'
      ELSE (SELECT min('there is no state ' || s) FROM jsonb_array_elements_text(given -> 'state') s
            WHERE s NOT IN (SELECT to_state FROM public.payout_permitted_transition)) END;
  END IF;
  IF wrong IS NULL THEN
    SELECT min(k || ' must be a date and time with its offset, for example 2026-11-01T00:00:00Z') INTO wrong
    FROM unnest('{created_since,created_before,recorded_since,recorded_before}'::text[]) k
    WHERE given ? k AND NOT coalesce(given ->> k ~ '^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$'
      AND pg_input_is_valid(given ->> k, 'timestamptz'), false);
  END IF;
  IF wrong IS NULL AND given ? 'kind' THEN
    wrong := CASE WHEN jsonb_typeof(given -> 'kind') <> 'array' OR given -> 'kind' = '[]' THEN 'kind must be a list of kinds'
      ELSE (SELECT min('there is no kind ' || k) FROM jsonb_array_elements_text(given -> 'kind') k
            WHERE k <> ALL (kinds)) END;
  END IF;
  IF wrong IS NULL AND given ? 'payout_id' AND NOT EXISTS (
    SELECT 1 FROM public.payout p WHERE p.tenant_id = tenant AND p.id = given ->> 'payout_id'
  ) THEN
    wrong := 'the tenant has no such payout';
  END IF;
  IF wrong IS NULL AND given ? 'beneficiary_id' AND NOT EXISTS (
    SELECT 1 FROM public.beneficiary b WHERE b.tenant_id = tenant AND b.id = given ->> 'beneficiary_id'
  ) THEN
    wrong := 'the tenant has no such beneficiary';
  END IF;
  IF wrong IS NOT NULL THEN
    RAISE EXCEPTION 'The filter does not fit an export of %: %.', kind, wrong
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
  IF NOT EXISTS (SELECT 1 FROM public.tenant t WHERE t.id = tenant) THEN
    RAISE EXCEPTION 'There is no tenant %.', coalesce(quote_literal(tenant), 'without an id')
      USING ERRCODE = 'no_data_found', HINT = 'ops.tenants lists the tenants; ops.find(id) tells whose an id is.';
  END IF;
  IF $2 IS NULL OR $2 NOT IN ('transactions', 'beneficiaries', 'ledger_entries', 'screenings', 'watchlist_days') THEN
    RAISE EXCEPTION 'There is no export of %.', coalesce(quote_literal($2), 'nothing')
      USING ERRCODE = 'invalid_parameter_value', HINT = 'Kinds: transactions, beneficiaries, ledger_entries, screenings, watchlist_days.';
  END IF;
  IF $4 IS NULL OR $4 NOT BETWEEN interval '1 hour' AND interval '10 years' OR least(
    extract(year FROM $4), extract(month FROM $4), extract(day FROM $4),
    extract(hour FROM $4), extract(minute FROM $4), extract(second FROM $4)
  ) < 0 THEN
    RAISE EXCEPTION 'An export repeats after one hour at least and ten years at most.' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  IF first_at IS NULL OR first_at NOT BETWEEN now() - interval '10 years' AND now() + interval '10 years' THEN
    RAISE EXCEPTION 'first_at must be within ten years from now, before or after.' USING ERRCODE = 'invalid_parameter_value';
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
  'Exports a tenant''s transactions, beneficiaries or ledger entries at an interval. The filter is that of the endpoint.';

CREATE FUNCTION ops.end_export_schedule(schedule uuid, reason text) RETURNS TABLE (schedule_id uuid, tenant_id text, ended_at timestamptz)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  why text := ops.checked_reason(reason);
  place record;
BEGIN
  place := ops.required('export schedule', schedule::text, 'ops.export_schedules lists them.');
  RETURN QUERY UPDATE public.export_schedule s SET ended_at = now()
    WHERE s.tenant_id = place.tenant_id AND s.id = schedule AND s.ended_at IS NULL
    RETURNING s.id, s.tenant_id::text, s.ended_at::timestamptz;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'The export schedule % has ended already.', schedule USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  PERFORM ops.record('end_export_schedule', place.tenant_id, schedule::text, why, '{}', 1);
END
$$;
COMMENT ON FUNCTION ops.end_export_schedule(uuid, text) IS 'Ends a schedule. The exports that it made stay.';

CREATE OR REPLACE FUNCTION ops.resend_mail_by(who text, request uuid, reason text)
RETURNS TABLE (job_id bigint, tenant_id text, request_id uuid, note text, action_id uuid)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  why text := ops.checked_reason(reason);
  place record;
  before record;
  job bigint;
BEGIN
  place := ops.required('collection request', request::text, 'ops.dead_letters lists the mails whose last attempt has failed.');
  SELECT r.status, r.expires_at, r.mail_status INTO before FROM public.collection_request r
  WHERE r.tenant_id = place.tenant_id AND r.id = request FOR UPDATE;
  IF before.status <> 'live' OR before.expires_at <= now() THEN
    RAISE EXCEPTION 'The collection request % is %: its link does not work.', request,
        CASE before.status WHEN 'live' THEN 'expired' ELSE before.status END
      USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'The business has to invite the beneficiary again.';
  END IF;
  UPDATE public.collection_request r SET mail_status = 'pending', mail_attempts = 0, mail_error = NULL
  WHERE r.tenant_id = place.tenant_id AND r.id = request;
  job := ops.add_job(ops.known_task('send_collection_mail'), place.tenant_id, request::text, request::text, '{}', now());
  RETURN QUERY SELECT job, place.tenant_id, request, ops.pause_note('send_collection_mail'),
    ops.record('resend_mail', place.tenant_id, request::text, why,
      jsonb_build_object('job', job, 'mail_status', before.mail_status), 1, who);
END
$$;

CREATE FUNCTION ops.resend_mail(request uuid, reason text) RETURNS TABLE (job_id bigint, tenant_id text, request_id uuid, note text)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT m.job_id, m.tenant_id, m.request_id, m.note FROM ops.resend_mail_by(session_user, request, reason) m
$$;
COMMENT ON FUNCTION ops.resend_mail(uuid, text) IS
  'Sends the mail of a live collection request again. The links of earlier mails still work.';
