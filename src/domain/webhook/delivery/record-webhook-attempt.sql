-- Records one attempt to deliver an event, and what follows from it. The number comes from the row, and the wait
-- from the attempts made since the latest redelivery, so concurrent runs and a redelivery in between leave a history
-- without gaps. A 2xx ends the attempts, whatever happened to the delivery in the meantime. The endpoint counts as
-- failing from a failed attempt until a delivered one. Its row is locked last, so no two attempts wait for each
-- other.
CREATE OR REPLACE FUNCTION command.record_webhook_attempt(
  _tenant text,
  _delivery text,
  _delivered boolean,
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
  wait_ms double precision;
BEGIN
  SELECT d.* INTO made FROM public.webhook_delivery d
  WHERE d.tenant_id = _tenant AND d.id = _delivery FOR UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  wait_ms := _waits_ms[made.attempts - made.round_start + 1];
  made.attempts := made.attempts + 1;
  IF _delivered OR (made.status = 'pending' AND wait_ms IS NULL) THEN
    made.completed_at := CASE WHEN made.status = 'delivered' THEN made.completed_at ELSE now() END;
    made.status := CASE WHEN _delivered THEN 'delivered' ELSE 'dead' END;
    made.next_attempt_at := NULL;
  ELSIF made.status = 'pending' THEN
    made.next_attempt_at := now() + wait_ms * interval '1 millisecond';
  END IF;
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
  IF _delivered THEN
    DELETE FROM public.webhook_endpoint_failure AS f
    WHERE f.tenant_id = _tenant AND f.subscription_id = made.subscription_id;
  ELSE
    INSERT INTO public.webhook_endpoint_failure AS f
      (tenant_id, subscription_id, failing_since, last_failed_at, last_status_code, last_error)
    VALUES (_tenant, made.subscription_id, _started_at, _started_at, _status_code, _error)
    ON CONFLICT (tenant_id, subscription_id) DO UPDATE SET
      failures = f.failures + 1, last_failed_at = excluded.last_failed_at,
      last_status_code = excluded.last_status_code, last_error = excluded.last_error;
  END IF;
  RETURN NEXT made;
END
$$;
