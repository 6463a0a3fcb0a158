-- ── Sending dead webhook deliveries again. ──

-- Does what the tenant's own redelivery of a window does (src/domain/webhook), with another maximum and an
-- interval to spread over: the event ids stay the same, each delivery gets eight more attempts, new
-- deliveries go first, and only types that the subscription has enabled are sent.
CREATE OR REPLACE FUNCTION ops.replay_dead_letters_by(
  who text, tenant text, since timestamptz, until timestamptz, event_type text, dry_run boolean, max_deliveries integer,
  spread interval, reason text
) RETURNS TABLE (replayed integer, remaining bigint, first_at timestamptz, last_at timestamptz, note text, action_id uuid)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_variable
DECLARE
  why text := CASE WHEN dry_run IS NOT TRUE THEN ops.checked_reason(reason) END;
  subscription text;
  wanted text[];
  queue_end timestamptz;
  matching bigint;
BEGIN
  IF since IS NULL OR until IS NULL OR NOT since < until THEN
    RAISE EXCEPTION 'The window must begin before it ends.'
      USING ERRCODE = 'invalid_parameter_value', HINT = 'since and until are compared with the time at which a delivery was created.';
  END IF;
  IF max_deliveries IS NULL OR max_deliveries NOT BETWEEN 1 AND 100000 THEN
    RAISE EXCEPTION 'max_deliveries must be between 1 and 100,000.' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  IF spread IS NULL OR spread < interval '0' THEN
    RAISE EXCEPTION 'spread must not be negative.' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  IF NOT EXISTS (SELECT 1 FROM public.tenant t WHERE t.id = tenant) THEN
    RAISE EXCEPTION 'There is no tenant %.', coalesce(quote_literal(tenant), 'without an id')
      USING ERRCODE = 'no_data_found', HINT = 'Give an id that begins with ten_; SELECT * FROM ops.locate(''biz_…'') finds those of a business.';
  END IF;
  SELECT s.id, s.enabled_events || 'webhook.test'::text INTO subscription, wanted
  FROM public.webhook_subscription s WHERE s.tenant_id = tenant AND s.enabled FOR SHARE;
  IF subscription IS NULL THEN
    RAISE EXCEPTION 'The tenant % has no enabled webhook subscription to deliver to.', tenant
      USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;

  SELECT count(*) INTO matching FROM public.webhook_delivery d
  WHERE d.tenant_id = tenant AND d.status = 'dead' AND d.created_at >= since AND d.created_at < until
    AND (event_type IS NULL OR d.event_type = replay_dead_letters_by.event_type) AND d.event_type = ANY (wanted);
  replayed := least(matching, max_deliveries);
  remaining := matching - replayed;
  note := ops.pause_note('deliver_webhook');
  IF why IS NULL THEN
    note := concat_ws(' ', 'Nothing was sent: add dry_run => false and a reason.', note);
    RETURN NEXT;
    RETURN;
  END IF;

  -- After the replays of the tenant that still wait.
  SELECT greatest(now(), max(q.replay_at)) INTO queue_end FROM public.webhook_delivery q
  WHERE q.tenant_id = tenant AND q.status = 'pending' AND q.replay_at IS NOT NULL;
  WITH locked AS MATERIALIZED (
    SELECT d.id FROM public.webhook_delivery d
    WHERE d.tenant_id = tenant AND d.status = 'dead' AND d.created_at >= since AND d.created_at < until
      AND (event_type IS NULL OR d.event_type = replay_dead_letters_by.event_type) AND d.event_type = ANY (wanted)
    ORDER BY d.id LIMIT max_deliveries FOR UPDATE
  ), placed AS (
    SELECT l.id, queue_end + spread * (row_number() OVER (ORDER BY l.id) / count(*) OVER ()::double precision) AS at
    FROM locked l
  ), planned AS (
    UPDATE public.webhook_delivery d SET
      status = 'pending', subscription_id = subscription, round_start = d.attempts, completed_at = NULL,
      replay_at = p.at, next_attempt_at = p.at
    FROM placed p
    WHERE d.tenant_id = tenant AND d.id = p.id
    RETURNING d.replay_at
  )
  SELECT count(*), min(p.replay_at), max(p.replay_at) INTO replayed, first_at, last_at FROM planned p;
  remaining := matching - replayed;
  -- Adds the jobs of deliveries that are due soon. The regular sweep adds the others in time.
  PERFORM ops.add_job(ops.known_task('sweep_webhooks'), NULL, NULL, NULL, '{}', now());
  action_id := ops.record('replay_dead_letters', tenant, NULL, why, jsonb_build_object(
    'since', since, 'until', until, 'event_type', event_type, 'max_deliveries', max_deliveries,
    'spread', spread, 'remaining', remaining), replayed, who);
  RETURN NEXT;
END
$$;

CREATE FUNCTION ops.replay_dead_letters(
  tenant text, since timestamptz, until timestamptz, event_type text DEFAULT NULL, dry_run boolean DEFAULT true,
  max_deliveries integer DEFAULT 10000, spread interval DEFAULT '10 minutes', reason text DEFAULT NULL
) RETURNS TABLE (replayed integer, remaining bigint, first_at timestamptz, last_at timestamptz, note text)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT r.replayed, r.remaining, r.first_at, r.last_at, r.note FROM ops.replay_dead_letters_by(
    session_user, tenant, since, until, event_type, dry_run, max_deliveries, spread, reason) r
$$;
COMMENT ON FUNCTION ops.replay_dead_letters(text, timestamptz, timestamptz, text, boolean, integer, interval, text) IS
  'Sends a tenant''s dead deliveries of a window again, spread over an interval and after new deliveries. Without dry_run => false it only counts them.';
