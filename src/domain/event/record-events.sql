-- Part of other commands: records events, each with its delivery when a subscription wants it. Deliveries
-- of one trace share jobs, at most eight of them, since a job costs more than what it does to send one. An event
-- that exists already is dropped: its unique index makes each event happen once. Returns whether it added a job.
CREATE OR REPLACE FUNCTION command.record_events(
  _tenant text,
  _events jsonb[]
) RETURNS boolean
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  added text;
  recorded text[] := '{}';
  wanted jsonb[];
BEGIN
  FOR added IN
    INSERT INTO public.event AS v (tenant_id, id, payout_id, subject_id, type, discriminator, data)
    SELECT _tenant, e.event ->> 'id', e.event ->> 'payout_id', e.event ->> 'subject_id', e.event ->> 'type',
      e.event ->> 'discriminator', e.event -> 'data'
    FROM unnest(_events) WITH ORDINALITY AS e (event, place) WHERE e.event IS NOT NULL ORDER BY e.place
    ON CONFLICT (tenant_id, payout_id, type, discriminator) DO NOTHING
    RETURNING v.id
  LOOP
    recorded := recorded || added;
  END LOOP;
  IF recorded = '{}' THEN
    RETURN false;
  END IF;
  SELECT array_agg(e.event || jsonb_build_object('subscription_id', s.id)) INTO wanted
  FROM (SELECT u.event, u.event ->> 'type' AS type FROM unnest(_events) AS u (event) OFFSET 0) AS e
  CROSS JOIN LATERAL (
    SELECT w.id FROM public.webhook_subscription w
    WHERE w.tenant_id = _tenant AND w.enabled AND e.type = ANY (w.enabled_events) LIMIT 1
  ) AS s
  WHERE e.event ->> 'id' = ANY (recorded);
  IF wanted IS NULL THEN
    RETURN false;
  END IF;
  IF cardinality(wanted) > 1 THEN
    wanted := ARRAY(
      SELECT w.event || jsonb_build_object(
        'sent_with', CASE WHEN count(*) OVER part > 1 THEN min(w.delivery) OVER part END
      )
      FROM (
        SELECT w.event, w.event ->> 'delivery_id' AS delivery, w.event -> '_trace' AS trace,
          (row_number() OVER (PARTITION BY w.event -> '_trace' ORDER BY w.event ->> 'delivery_id') - 1) / 8 AS n
        FROM unnest(wanted) AS w (event)
      ) AS w
      WINDOW part AS (PARTITION BY w.trace, w.n)
      ORDER BY w.delivery
    );
  END IF;
  INSERT INTO public.webhook_delivery (
    tenant_id, id, event_id, event_type, subscription_id, next_attempt_at, sent_with
  )
  SELECT _tenant, w.event ->> 'delivery_id', w.event ->> 'id', w.event ->> 'type', w.event ->> 'subscription_id',
    now(), w.event ->> 'sent_with'
  FROM unnest(wanted) AS w (event);
  -- The key of a job of several deliveries is not the first one's id: that delivery may get a job of its own too.
  INSERT INTO public.job_outbox (tenant_id, task, payload, job_key)
  SELECT _tenant, 'deliver_webhook',
    jsonb_build_object('tenantId', _tenant, 'deliveryId', j.ids[1]) || jsonb_strip_nulls(jsonb_build_object(
      '_trace', j.trace, 'others', CASE WHEN j.sent_with IS NOT NULL THEN to_jsonb(j.ids[2:]) END
    )),
    coalesce('with ' || j.sent_with, j.ids[1])
  FROM (
    SELECT w.event ->> 'sent_with' AS sent_with, array_agg(w.event ->> 'delivery_id' ORDER BY w.place) AS ids,
      (array_agg(w.event -> '_trace'))[1] AS trace
    FROM unnest(wanted) WITH ORDINALITY AS w (event, place)
    GROUP BY w.event ->> 'sent_with', coalesce(w.event ->> 'sent_with', w.event ->> 'delivery_id')
    ORDER BY min(w.place)
  ) AS j;
  RETURN true;
END
$$;
