-- ── Finding a thing by its id, and texts that the views share. ──

-- Finds what an id names. It looks the id up in the primary key of each tenant: 200 tenants cost 200 index
-- look-ups, and no table is scanned. The tenants are read first, since on Citus they are on another node.
CREATE FUNCTION ops.locate(id text) RETURNS TABLE (kind text, tenant_id text, state text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  place record;
  tenants text[] := ARRAY(SELECT t.id FROM public.tenant t);
BEGIN
  FOR place IN SELECT * FROM (VALUES
    ('pay_', 'payout', 'payout', 'r.state', 'text'),
    ('wdl_', 'delivery', 'webhook_delivery', 'r.status', 'text'),
    ('evt_', 'event', 'event', 'r.type', 'text'),
    ('enr_', 'enrollment', 'enrollment', 'r.status', 'text'),
    ('exp_', 'export', 'export', 'r.status', 'text'),
    ('ben_', 'beneficiary', 'beneficiary', 'r.compliance_status', 'text'),
    ('bac_', 'bank account', 'bank_account', 'r.status', 'text'),
    ('dat_', 'attempt', 'disbursement_attempt', 'r.status', 'text'),
    ('dec_', 'decision', 'payout_decision', 'r.status', 'text'),
    ('fac_', 'funding account', 'funding_account', 'r.status', 'text'),
    ('pba_', 'payout batch', 'payout_batch', 'r.state', 'text'),
    ('bcn_', 'bank connection', 'bank_connection', 'r.status', 'text'),
    ('bbt_', 'bank batch', 'bank_batch', 'r.status', 'text'),
    ('bfl_', 'bank file', 'bank_file', 'r.status', 'text'),
    ('bln_', 'bank line', 'bank_line', 'r.match', 'text'),
    ('bsa_', 'bank answer', 'bank_stray_answer', 'r.status', 'text'),
    ('whs_', 'subscription', 'webhook_subscription', 'CASE WHEN r.enabled THEN ''enabled'' ELSE ''disabled'' END', 'text'),
    ('', 'collection request', 'collection_request', 'r.status', 'uuid'),
    ('', 'export schedule', 'export_schedule', 'CASE WHEN r.ended_at IS NULL THEN ''active'' ELSE ''ended'' END', 'uuid')
  ) AS v (prefix, kind, relation, state, type)
  WHERE CASE type WHEN 'uuid' THEN pg_input_is_valid($1, 'uuid') ELSE starts_with($1, prefix) END
  LOOP
    RETURN QUERY EXECUTE format(
      'SELECT %L, r.tenant_id::text, %s FROM public.%I r WHERE r.tenant_id = ANY ($2) AND r.id = $1::%s',
      place.kind, place.state, place.relation, place.type) USING $1, tenants;
  END LOOP;
  RETURN QUERY SELECT 'tenant', t.id::text, t.environment FROM public.tenant t WHERE t.id = $1;
  RETURN QUERY SELECT 'business', t.id::text, t.environment FROM public.tenant t WHERE t.business_id = $1;
  RETURN QUERY SELECT 'api key', k.tenant_id::text, CASE WHEN k.revoked_at IS NOT NULL THEN 'revoked' WHEN k.held_at IS NOT NULL THEN 'held' ELSE 'active' END
    FROM public.api_key k WHERE k.id = $1;
  RETURN QUERY SELECT 'user', NULL, NULL FROM public.app_user u WHERE u.id = $1;
  RETURN QUERY SELECT 'provider event', e.tenant_id::text, e.status
    FROM public.provider_event e WHERE e.event_id = $1;
END
$$;

-- What an act of an operator is about; an exception where there is nothing of that kind.
CREATE FUNCTION ops.required(kind text, id text, hint text, OUT tenant_id text, OUT state text)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  SELECT l.tenant_id, l.state INTO tenant_id, state FROM ops.locate($2) l WHERE l.kind = $1;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'There is no % %.', $1, coalesce(quote_literal($2), 'without an id')
      USING ERRCODE = 'no_data_found', HINT = $3;
  END IF;
END
$$;

CREATE FUNCTION ops.find(id text) RETURNS TABLE (
  kind text, state text, tenant_id text, environment text, business_id text, company_name text
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT l.kind, l.state, l.tenant_id, t.environment, t.business_id, b.company_name
  FROM ops.locate(id) l
  LEFT JOIN public.tenant t ON t.id = l.tenant_id
  LEFT JOIN public.business b ON b.id = t.business_id;
END;
COMMENT ON FUNCTION ops.find(text) IS 'What an id names, its state, and the tenant and business that it belongs to. No row for an unknown id.';

CREATE VIEW ops.tenants AS
SELECT t.id AS tenant_id, t.environment, t.business_id, b.company_name, b.profile_status, t.created_at, b.email_domain,
  b.registration_proven_at
FROM public.tenant t JOIN public.business b ON b.id = t.business_id;
COMMENT ON VIEW ops.tenants IS
  'A tenant is one business in one environment. Where registration_proven_at is null, nobody has proven the address, the domain and the person of its registration.';

-- The smallest id that can have been made at that time: the first ten digits after the prefix are the
-- milliseconds since 1970 (TypeID 0.3, RFC 9562 section 5.7). So the primary key finds the newest rows of a
-- table, and no index on a time is needed.
CREATE FUNCTION ops.id_since(prefix text, since timestamptz) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
RETURN prefix || '_' || (
  SELECT string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz',
    ((floor(extract(epoch FROM since) * 1000)::bigint >> (5 * digit)) & 31)::integer + 1, 1), '' ORDER BY digit DESC)
  FROM generate_series(0, 9) AS digit);

-- An actor as one line of ids.
CREATE FUNCTION ops.actor_text(actor jsonb) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
RETURN (actor ->> 'type') || coalesce(' ' ||
  coalesce(actor ->> 'membership_id', actor ->> 'name', actor ->> 'login', actor ->> 'key_id',
    actor ->> 'operator_user_id', actor ->> 'id'), '');

-- A text with its e-mail addresses masked.
CREATE FUNCTION ops.without_addresses(told text) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
RETURN regexp_replace(told, '[^\s<>@"'',;:]+@[^\s<>@"'',;:]+', '****', 'g');

-- A time span in words, by its largest unit.
CREATE FUNCTION ops.span_text(span interval) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
RETURN CASE
  WHEN span < interval '1 minute' THEN greatest(0, floor(extract(epoch FROM span)))::text || ' seconds'
  WHEN span < interval '2 hours' THEN floor(extract(epoch FROM span) / 60)::text || ' minutes'
  WHEN span < interval '2 days' THEN floor(extract(epoch FROM span) / 3600)::text || ' hours'
  ELSE floor(extract(epoch FROM span) / 86400)::text || ' days'
END;

-- A text as one line of 300 characters at most: an error may have many, and a table shows one.
CREATE FUNCTION ops.one_line(told text) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
RETURN left(btrim(regexp_replace(told, '\s+', ' ', 'g')), 300);

-- Who works on something, since when, and what they do; null for nobody.
CREATE FUNCTION ops.taken_line(who text, at timestamptz, note text) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
RETURN CASE WHEN who IS NOT NULL THEN concat(who, ' for ', ops.span_text(now() - at), ': ', note) END;

-- The same of the thing with an id; null for nobody.
CREATE FUNCTION ops.taken_by(subject text) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN (SELECT ops.taken_line(t.who, t.at, t.note) FROM ops.taken t WHERE t.subject_id = subject);

COMMENT ON TABLE ops.taken IS 'What operators work on (ops.take, ops.release).';
