-- Reads what is needed to send deliveries that are due. A command only for its plan, which PostgreSQL would make
-- anew for each list of ids and which costs four times what it finds. The column rounds to milliseconds, perhaps up;
-- the second of grace makes up for that. It asks for the time, which only a pending delivery has, and not for the
-- status, for which PostgreSQL could read all that wait, by an index whose statistics often say that there are none.
CREATE OR REPLACE FUNCTION command.wanted_webhook_deliveries(
  _tenant text,
  _deliveries text[]
) RETURNS TABLE (
  id text,
  attempts integer,
  event_id text,
  type text,
  sequence bigint,
  occurred_at timestamptz,
  data jsonb,
  subscription_id text, -- or NULL where the subscription is gone, as are the columns after it
  url text,
  enabled boolean,
  api_version text,
  secret_ciphertext bytea
)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  scoped CONSTANT text := set_config('app.tenant', _tenant, true);
BEGIN
  RETURN QUERY
    SELECT d.id, d.attempts, e.id, e.type, e.sequence, e.occurred_at, e.data, s.id, s.url, s.enabled, s.api_version,
      s.secret_ciphertext
    FROM public.webhook_delivery d
    JOIN public.event e ON e.tenant_id = d.tenant_id AND e.id = d.event_id
    LEFT JOIN public.webhook_subscription s ON s.tenant_id = d.tenant_id AND s.id = d.subscription_id
    WHERE d.tenant_id = _tenant AND d.id = ANY (_deliveries)
      AND d.next_attempt_at <= now() + interval '1 second';
END
$$;
