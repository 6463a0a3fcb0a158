-- Part of other commands: those of some types of events that an endpoint of the tenant names. What nobody names is
-- not recorded, and what it would say is not put together.
CREATE OR REPLACE FUNCTION command.asked_types(
  _tenant text,
  _types text[]
) RETURNS text[]
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
  RETURN ARRAY(
    SELECT DISTINCT n.type FROM public.webhook_subscription w CROSS JOIN LATERAL unnest(w.enabled_events) AS n (type)
    WHERE w.tenant_id = _tenant AND w.enabled_events && _types AND n.type = ANY (_types)
  );
END
$$;
