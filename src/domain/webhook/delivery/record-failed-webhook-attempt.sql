-- Records one attempt that did not deliver an event, and what follows from it. The number comes from the row, and
-- the wait from the attempts made since the latest redelivery, so concurrent runs and a redelivery in between leave
-- a history without gaps. The endpoint counts as failing from a failed attempt until a delivered one. Its row is
-- locked last, so no two attempts wait for each other.
CREATE OR REPLACE FUNCTION command.record_failed_webhook_attempt(
  _tenant text,
  _delivery text,
  _waits_ms double precision[],
  _started_at timestamptz,
  _latency_ms integer,
  _status_code integer, -- or NULL
  _answer text, -- or NULL
  _error text -- or NULL
) RETURNS SETOF public.webhook_delivery
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  scoped CONSTANT text := set_config('app.tenant', _tenant, true);
  made public.webhook_delivery;
BEGIN
  SELECT d.* INTO made FROM public.webhook_delivery d
  WHERE d.tenant_id = _tenant AND d.id = _delivery FOR UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  IF made.status = 'pending' THEN
    made.next_attempt_at := now() + _waits_ms[made.attempts - made.round_start + 1] * interval '1 millisecond';
    IF made.next_attempt_at IS NULL THEN
      made.status := 'dead';
      made.completed_at := now();
    END IF;
  END IF;
  made.attempts := made.attempts + 1;
  UPDATE public.webhook_delivery AS d SET
    attempts = made.attempts, status = made.status, next_attempt_at = made.next_attempt_at,
    completed_at = made.completed_at
  WHERE d.tenant_id = _tenant AND d.id = _delivery;
  INSERT INTO public.webhook_delivery_attempt (
    tenant_id, delivery_id, number, started_at, latency_ms, status_code, answer, error
  )
  VALUES (
    _tenant, _delivery, made.attempts, _started_at, _latency_ms, _status_code, _answer, _error
  );
  INSERT INTO public.webhook_endpoint_failure AS f
    (tenant_id, subscription_id, failing_since, last_failed_at, last_status_code, last_error)
  VALUES (_tenant, made.subscription_id, _started_at, _started_at, _status_code, _error)
  ON CONFLICT (tenant_id, subscription_id) DO UPDATE SET
    failures = f.failures + 1, last_failed_at = excluded.last_failed_at,
    last_status_code = excluded.last_status_code, last_error = excluded.last_error;
  RETURN NEXT made;
END
$$;
