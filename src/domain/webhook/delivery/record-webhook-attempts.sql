-- Records attempts that delivered events, by one statement each for all of them. A 2xx ends the attempts, whatever
-- happened to the delivery in the meantime. The deliveries are locked in the order of their ids, so that no two
-- commands wait for each other. If a crash undoes it, the events are sent again under the same ids. One that failed
-- has its own command.
CREATE OR REPLACE FUNCTION command.record_webhook_attempts(
  _tenant text,
  _attempts jsonb
) RETURNS SETOF public.webhook_delivery
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  scoped CONSTANT text := set_config('app.tenant', _tenant, true);
  ended timestamptz(3) := now();
  made public.webhook_delivery;
  deliveries text[] := '{}';
  counts integer[] := '{}';
  subscriptions text[] := '{}';
BEGIN
  -- Of several it fails soon where another transaction has a lock, and each is then done alone (gather.ts).
  PERFORM set_config('lock_timeout', '500ms', true) WHERE jsonb_array_length(_attempts) > 1;
  -- Without waiting for the disk (lazily.ts).
  PERFORM set_config('synchronous_commit', 'off', true);
  FOR made IN
    UPDATE public.webhook_delivery AS d SET
      attempts = d.attempts + t.more, status = 'delivered', next_attempt_at = NULL,
      completed_at = CASE WHEN d.status = 'delivered' THEN d.completed_at ELSE ended END
    FROM (
      SELECT _tenant AS tenant, g.delivery, count(*)::integer AS more
      FROM jsonb_to_recordset(_attempts) AS g (delivery text) GROUP BY g.delivery ORDER BY g.delivery OFFSET 0
    ) AS t
    WHERE d.tenant_id = _tenant AND t.tenant = _tenant AND d.id = t.delivery
    RETURNING d.*
  LOOP
    deliveries := deliveries || made.id;
    counts := counts || made.attempts;
    subscriptions := subscriptions || made.subscription_id;
    RETURN NEXT made;
  END LOOP;
  INSERT INTO public.webhook_delivery_attempt (
    tenant_id, delivery_id, number, started_at, latency_ms, status_code, answer
  )
  SELECT _tenant, m.delivery, d.attempts + 1 - row_number() OVER (PARTITION BY m.delivery ORDER BY m.started_at DESC),
    m.started_at, m.latency_ms, m.status_code, m.answer
  FROM jsonb_to_recordset(_attempts) AS m (
    delivery text, started_at timestamptz, latency_ms integer, status_code integer, answer text
  )
  JOIN unnest(deliveries, counts) AS d (id, attempts) ON d.id = m.delivery;
  DELETE FROM public.webhook_endpoint_failure AS f
  WHERE f.tenant_id = _tenant AND f.subscription_id = ANY (subscriptions);
END
$$;
