-- Records what the latest call of an attempt learned: it was refused, or its outcome is unknown.
CREATE OR REPLACE FUNCTION command.end_attempt_call(
  _tenant text,
  _attempt text,
  _status text,
  _code text,
  _message text,
  _needs_operator boolean,
  _calls integer
) RETURNS SETOF public.disbursement_attempt
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  scoped CONSTANT text := set_config('app.tenant', _tenant, true);
  at timestamptz := now();
  ended public.disbursement_attempt;
BEGIN
  UPDATE public.disbursement_attempt AS a SET
    status = _status, failure_code = _code, failure_message = _message,
    needs_operator = a.needs_operator OR _needs_operator,
    completed_at = CASE WHEN _status = 'rejected' THEN at END
  WHERE a.tenant_id = _tenant AND a.id = _attempt AND a.calls = _calls AND a.status IN ('prepared', 'unknown')
  RETURNING a.* INTO ended;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  IF ended.needs_operator AND NOT _needs_operator THEN
    ended.needs_operator := command.keep_operator_mark(_tenant => _tenant, _attempt => _attempt);
  END IF;
  RETURN NEXT ended;
END
$$;
