-- ── Providers: how they answer, and where they contradict themselves. ──

-- The attempts of the last hour are found by their ids, in the key of each tenant, whatever the statistics say of them.
CREATE FUNCTION ops.provider_health_now() RETURNS TABLE (
  provider text, environment text, attempts_1h bigint, submitted_1h bigint, rejected_1h bigint, unclear_1h bigint,
  unknown_now bigint, oldest_unknown_for interval, needs_operator bigint, p95_ms integer, last_event_at timestamptz,
  events_waiting bigint, oldest_event_waits_for interval, events_unmatched bigint, circuits jsonb
)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  tenants text[] := ARRAY(SELECT t.id FROM public.tenant t);
  since text := ops.id_since('dat', now() - interval '65 minutes');
  senders text[];
BEGIN
  -- Each provider once: skips from key to key instead of scanning the table.
  WITH RECURSIVE sender AS (
    (SELECT e.provider FROM public.provider_event e ORDER BY e.provider LIMIT 1)
    UNION ALL
    SELECT (SELECT e.provider FROM public.provider_event e WHERE e.provider > s.provider ORDER BY e.provider LIMIT 1)
    FROM sender s WHERE s.provider IS NOT NULL
  )
  SELECT array_agg(s.provider) INTO senders FROM sender s WHERE s.provider IS NOT NULL;
  RETURN QUERY
  WITH made AS MATERIALIZED ( -- what the tenants' tables say: on Citus the others are on another node
    SELECT r.tenant_id, r.provider, r.status, r.completed_at, r.called_at FROM public.disbursement_attempt r
    WHERE r.tenant_id = ANY (tenants) AND r.id >= since AND r.prepared_at > now() - interval '1 hour'
  ), pending AS MATERIALIZED (
    SELECT a.tenant_id, a.provider, a.prepared_at
    FROM public.payout p
    JOIN public.disbursement_attempt a ON a.tenant_id = p.tenant_id AND a.id = p.live_attempt_id
    WHERE p.state = 'approved'
      AND (a.status = 'unknown' OR (a.status = 'prepared' AND a.called_at < now() - interval '1 minute'))
  ), of_operators AS MATERIALIZED (
    SELECT a.tenant_id, a.provider FROM public.disbursement_attempt a WHERE a.needs_operator
  ), recent AS (
    SELECT a.provider, t.environment, count(*) AS made,
      count(*) FILTER (WHERE a.status = 'submitted') AS submitted,
      count(*) FILTER (WHERE a.status = 'rejected') AS rejected,
      count(*) FILTER (WHERE a.status NOT IN ('submitted', 'rejected')) AS unclear,
      percentile_disc(0.95) WITHIN GROUP (ORDER BY extract(epoch FROM a.completed_at - a.called_at) * 1000) AS p95
    FROM made a JOIN public.tenant t ON t.id = a.tenant_id GROUP BY 1, 2
  ), open AS (
    SELECT a.provider, t.environment, count(*) AS attempts, min(a.prepared_at) AS oldest
    FROM pending a JOIN public.tenant t ON t.id = a.tenant_id GROUP BY 1, 2
  ), marked AS (
    SELECT a.provider, t.environment, count(*) AS attempts
    FROM of_operators a JOIN public.tenant t ON t.id = a.tenant_id GROUP BY 1, 2
  ), waiting AS (
    SELECT e.provider, count(*) AS events, min(e.received_at) AS oldest
    FROM public.provider_event e WHERE e.status = 'received' GROUP BY 1
  ), unmatched AS (
    SELECT e.provider, count(*) AS events FROM public.provider_event e
    WHERE e.status = 'unmatched' AND e.received_at > now() - interval '7 days' GROUP BY 1
  ), circuit AS (
    SELECT c.key AS provider, jsonb_object_agg(w.id, c.value) AS states
    FROM public.worker_heartbeat w CROSS JOIN jsonb_each(w.circuits) c
    WHERE ops.lives(w) GROUP BY 1
  ), place AS (
    SELECT r.provider, r.environment FROM recent r
    UNION SELECT o.provider, o.environment FROM open o
    UNION SELECT m.provider, m.environment FROM marked m
  ), named AS (
    SELECT p.provider, p.environment FROM place p
    UNION ALL
    SELECT n.provider, NULL FROM (
      SELECT s.provider FROM unnest(senders) AS s (provider) UNION SELECT c.provider FROM circuit c
    ) n WHERE NOT EXISTS (SELECT 1 FROM place p WHERE p.provider = n.provider)
  )
  SELECT n.provider, n.environment, coalesce(r.made, 0), coalesce(r.submitted, 0), coalesce(r.rejected, 0),
    coalesce(r.unclear, 0), coalesce(o.attempts, 0), date_trunc('second', now() - o.oldest), coalesce(m.attempts, 0),
    round(r.p95)::integer,
    greatest(
      (SELECT e.received_at FROM public.provider_event e
       WHERE e.status <> 'received' AND e.provider = n.provider ORDER BY e.received_at DESC LIMIT 1),
      (SELECT e.received_at FROM public.provider_event e
       WHERE e.status = 'received' AND e.provider = n.provider ORDER BY e.received_at DESC LIMIT 1))::timestamptz,
    coalesce(w.events, 0), date_trunc('second', now() - w.oldest), coalesce(u.events, 0), c.states
  FROM named n
  LEFT JOIN recent r ON r.provider = n.provider AND r.environment = n.environment
  LEFT JOIN open o ON o.provider = n.provider AND o.environment = n.environment
  LEFT JOIN marked m ON m.provider = n.provider AND m.environment = n.environment
  LEFT JOIN waiting w ON w.provider = n.provider
  LEFT JOIN unmatched u ON u.provider = n.provider
  LEFT JOIN circuit c ON c.provider = n.provider
  ORDER BY 1, 2;
END
$$;

CREATE VIEW ops.provider_health AS SELECT * FROM ops.provider_health_now();
COMMENT ON VIEW ops.provider_health IS
  'For each provider and environment: the attempts of the last hour, the unknown outcomes and the 95th percentile of the answer times; its events (of both environments, the unmatched ones of 7 days), and the circuit of each worker.';

CREATE VIEW ops.contradictions AS
SELECT c.id AS contradiction_id, c.noticed_at, c.tenant_id, t.environment, c.payout_id, c.subject_id, c.provider, c.kind,
  c.said, c.expected, c.source, c.event_id, c.finding, c.examined_at, l.who AS examined_by, l.reason,
  l.detail ->> 'evidence' AS evidence, coalesce(ops.taken_line(k.who, k.at, k.note), ops.taken_line(o.who, o.at, o.note)) AS taken_by,
  p.amount_minor, p.currency
FROM public.provider_contradiction c
JOIN public.tenant t ON t.id = c.tenant_id
LEFT JOIN public.payout p ON p.tenant_id = c.tenant_id AND p.id = c.payout_id
LEFT JOIN ops.action_log l ON l.id = c.action_id
LEFT JOIN ops.taken k ON k.subject_id = c.id::text
LEFT JOIN ops.taken o ON o.subject_id = c.payout_id;
COMMENT ON VIEW ops.contradictions IS
  'What a provider said about a payment or an enrollment that disagrees with the request or with an earlier answer; amounts are minor units of currency. finding is null until a person has examined it.';

-- The list of states is that of an index, so this reads what ended within the hour.
CREATE VIEW ops.recent_failures AS
SELECT t.tenant_id, n.environment, b.company_name, p.provider, t.to_state AS state,
  coalesce(p.failure_code, 'other') AS failure_code, count(*) AS payouts, max(t.recorded_at) AS latest
FROM public.payout_transition t
JOIN public.payout p ON p.tenant_id = t.tenant_id AND p.id = t.payout_id
JOIN public.tenant n ON n.id = t.tenant_id
JOIN public.business b ON b.id = n.business_id
WHERE t.to_state IN ('settled', 'failed', 'returned', 'rejected', 'canceled') AND t.to_state IN ('failed', 'returned')
  AND t.recorded_at > now() - interval '1 hour'
GROUP BY 1, 2, 3, 4, 5, 6;
COMMENT ON VIEW ops.recent_failures IS
  'Payouts that failed or came back within the hour, by business, provider and failure code.';
