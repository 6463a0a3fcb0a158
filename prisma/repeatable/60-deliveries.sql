-- ── What operators read about webhook deliveries, dead letters and exports. ──

CREATE VIEW ops.deliveries AS
SELECT d.tenant_id, e.payout_id, e.id AS event_id, e.type AS event_type, e.occurred_at, d.id AS delivery_id, d.status,
  d.attempts, l.status_code AS last_status_code, ops.without_addresses(l.error) AS last_error,
  l.started_at AS last_attempt_at, l.latency_ms AS last_latency_ms, d.next_attempt_at, d.created_at, d.completed_at
FROM public.webhook_delivery d
JOIN public.event e ON e.tenant_id = d.tenant_id AND e.id = d.event_id
LEFT JOIN LATERAL (
  SELECT a.* FROM public.webhook_delivery_attempt a
  WHERE a.tenant_id = d.tenant_id AND a.delivery_id = d.id ORDER BY a.number DESC LIMIT 1
) l ON true;
COMMENT ON VIEW ops.deliveries IS 'Every webhook delivery with its latest attempt. Filter by tenant_id, or use ops.deliveries_of(id).';

CREATE FUNCTION ops.deliveries_of(id text) RETURNS SETOF ops.deliveries
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_variable
DECLARE
  found record;
BEGIN
  SELECT * INTO found FROM ops.locate(id) l WHERE l.kind IN ('payout', 'event', 'delivery');
  IF found IS NULL THEN
    RAISE EXCEPTION 'There is no payout, event or delivery %.', coalesce(quote_literal(id), 'without an id')
      USING ERRCODE = 'no_data_found', HINT = 'Give an id that begins with pay_, evt_ or wdl_.';
  END IF;
  CASE found.kind
    WHEN 'payout' THEN RETURN QUERY
      SELECT * FROM ops.deliveries d WHERE d.tenant_id = found.tenant_id AND d.payout_id = id ORDER BY d.occurred_at, d.delivery_id;
    WHEN 'event' THEN RETURN QUERY
      SELECT * FROM ops.deliveries d WHERE d.tenant_id = found.tenant_id AND d.event_id = id ORDER BY d.delivery_id;
    ELSE RETURN QUERY
      SELECT * FROM ops.deliveries d WHERE d.tenant_id = found.tenant_id AND d.delivery_id = id;
  END CASE;
END
$$;
COMMENT ON FUNCTION ops.deliveries_of(text) IS 'The deliveries of a payout or an event, or one delivery.';

CREATE VIEW ops.dead_letters AS
SELECT 'delivery' AS kind, w.tenant_id::text, w.id::text AS subject_id, e.type AS what, w.completed_at::timestamptz AS since,
  a.error, NULL::bigint AS job_id, ops.taken_line(k.who, k.at, k.note) AS taken_by
FROM public.webhook_delivery w
JOIN public.event e ON e.tenant_id = w.tenant_id AND e.id = w.event_id
LEFT JOIN LATERAL (
  SELECT coalesce(ops.without_addresses(x.error), 'status ' || x.status_code) AS error FROM public.webhook_delivery_attempt x
  WHERE x.tenant_id = w.tenant_id AND x.delivery_id = w.id ORDER BY x.number DESC LIMIT 1
) a ON true
LEFT JOIN ops.taken k ON k.subject_id = w.id
WHERE w.status = 'dead'
UNION ALL
SELECT 'mail', r.tenant_id::text, r.id::text, 'collection link of ' || r.beneficiary_id, coalesce(r.mailed_at, r.created_at)::timestamptz,
  ops.without_addresses(r.mail_error), NULL, ops.taken_line(k.who, k.at, k.note)
FROM public.collection_request r LEFT JOIN ops.taken k ON k.subject_id = r.id::text WHERE r.mail_status = 'dead'
UNION ALL
SELECT 'job', j.tenant_id, j.subject_id, j.task, j.run_at, coalesce(j.last_error, 'its worker died in the last attempt'), j.id, j.taken_by
FROM ops.jobs_now(in_state => 'dead') j;
COMMENT ON VIEW ops.dead_letters IS
  'Deliveries, mails with a collection link, and jobs whose last attempt has failed.';

CREATE VIEW ops.exports AS
SELECT x.tenant_id, x.id AS export_id, x.kind, x.status, x.filter, x.row_count, x.byte_count, x.error, x.schedule_id,
  x.created_at, x.started_at, x.completed_at, x.expires_at
FROM public.export x;
COMMENT ON VIEW ops.exports IS 'The exports that jobs write, and their progress.';

CREATE VIEW ops.export_schedules AS
SELECT s.tenant_id, s.id AS schedule_id, s.kind, s.filter, s.every, s.next_run_at, s.created_by, s.created_at, s.ended_at,
  l.id AS last_export_id, l.status AS last_status, l.created_at AS last_export_at
FROM public.export_schedule s
LEFT JOIN LATERAL (
  SELECT x.id, x.status, x.created_at FROM public.export x
  WHERE x.tenant_id = s.tenant_id AND x.schedule_id = s.id ORDER BY x.id DESC LIMIT 1
) l ON true;
COMMENT ON VIEW ops.export_schedules IS 'The schedules of exports, each with its latest export.';

-- The table has a row for each endpoint that fails, so this reads as many rows as there are lines, and of
-- each tenant's waiting deliveries the 1,000 oldest.
CREATE VIEW ops.endpoint_health AS
SELECT f.tenant_id, t.environment, b.company_name, s.id AS subscription_id, s.enabled,
  f.failing_since, f.failures, f.last_failed_at, f.last_status_code, ops.without_addresses(f.last_error) AS last_error,
  w.waiting, w.next_attempt_at,
  concat(
    'Fails for ', ops.span_text(now() - f.failing_since), ': ', f.failures, CASE WHEN f.failures = 1 THEN ' attempt' ELSE ' attempts in a row' END, ', the last one ',
    coalesce('answered ' || f.last_status_code, 'without an answer'), '. ',
    CASE
      WHEN w.waiting = 1 THEN '1 delivery waits'
      WHEN w.waiting >= 1000 THEN '1,000 deliveries or more wait'
      ELSE w.waiting || ' deliveries wait'
    END,
    CASE
      WHEN NOT s.enabled THEN ', and the subscription is disabled.'
      WHEN w.next_attempt_at IS NULL THEN '.'
      WHEN w.next_attempt_at <= now() THEN '; the next attempt is due now.'
      ELSE '; the next attempt is in ' || ops.span_text(w.next_attempt_at - now()) || '.'
    END
  ) AS what,
  ops.taken_line(k.who, k.at, k.note) AS taken_by
FROM public.webhook_endpoint_failure f
JOIN public.webhook_subscription s ON s.tenant_id = f.tenant_id AND s.id = f.subscription_id
JOIN public.tenant t ON t.id = f.tenant_id
JOIN public.business b ON b.id = t.business_id
LEFT JOIN ops.taken k ON k.subject_id = s.id
LEFT JOIN LATERAL (
  SELECT count(*) AS waiting, min(d.next_attempt_at)::timestamptz AS next_attempt_at FROM (
    SELECT p.next_attempt_at FROM public.webhook_delivery p
    WHERE p.tenant_id = f.tenant_id AND p.status = 'pending' ORDER BY p.id LIMIT 1000
  ) d
) w ON true
ORDER BY f.failing_since;
COMMENT ON VIEW ops.endpoint_health IS
  'Whose endpoint fails now: the subscriptions whose latest attempt failed, since when, the last answer, how many deliveries wait, and the next attempt.';
