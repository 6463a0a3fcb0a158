-- ── Bank connections, and which provider pays what (docs/providers.md). ──

CREATE VIEW ops.bank_connections AS
SELECT c.id, c.tenant_id, t.environment, c.name, c.status, 'bank:' || c.id AS provider, c.debtor_name,
  c.account_country, c.account_currency, c.account_last4, c.further_accounts, c.expected_formats, c.schemes, c.transport, c.transport_settings,
  c.credentials_ciphertext IS NOT NULL AS has_credentials, c.cut_off_time, c.time_zone, c.calendar,
  c.lead_bank_days, c.return_bank_days, c.max_payments, c.version, c.created_at::timestamptz, c.updated_at::timestamptz,
  f.fetched_at::timestamptz, f.problem AS fetch_problem, f.problem_since::timestamptz AS fetch_problem_since
FROM public.bank_connection c JOIN public.tenant t ON t.id = c.tenant_id
LEFT JOIN public.bank_fetch f ON f.tenant_id = c.tenant_id AND f.connection_id = c.id
WHERE c.transport <> 'api';
COMMENT ON VIEW ops.bank_connections IS 'Accounts at banks that take files. Numbers are masked, and no password or key is shown. fetched_at, fetch_problem: when the bank''s files were fetched, and why they cannot be.';

CREATE VIEW ops.provider_connections AS
SELECT c.id, c.tenant_id, t.environment, c.name, c.status, c.adapter || ':' || c.id AS provider, c.adapter,
  c.transport_settings AS settings, c.version, c.created_at::timestamptz, c.updated_at::timestamptz
FROM public.bank_connection c JOIN public.tenant t ON t.id = c.tenant_id
WHERE c.transport = 'api';
COMMENT ON VIEW ops.provider_connections IS 'Accounts of businesses at providers that are called. No key and no secret is shown. ops.set_bank_connection_status pauses and closes them too.';

CREATE VIEW ops.payout_routes AS
SELECT r.tenant_id, g.version, r.position, r.provider, r.connection_id, r.currency, r.country, r.scheme,
  r.amount_from_minor, r.amount_to_minor
FROM public.payout_routing g JOIN public.payout_route r ON r.tenant_id = g.tenant_id;
COMMENT ON VIEW ops.payout_routes IS 'Which provider pays what: the first route of a tenant that matches does. A condition that is null matches everything.';

-- Identifiers and credentials are encrypted by the service, so a connection is made, and all but its status
-- changed, by GraphQL.
CREATE FUNCTION ops.set_bank_connection_status(connection text, status text, version integer, reason text)
RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_variable
DECLARE
  why text := ops.checked_reason(reason);
  place record;
  held record;
  unsent text;
BEGIN
  IF status IS NULL OR status NOT IN ('active', 'paused', 'closed') THEN
    RAISE EXCEPTION 'There is no status %.', coalesce(quote_literal(status), 'without a name')
      USING ERRCODE = 'invalid_parameter_value', HINT = 'Statuses: active, paused, closed.';
  END IF;
  place := ops.required('bank connection', connection, 'ops.bank_connections lists them.');
  -- A route that is being made to it comes wholly before or after.
  SELECT c.status, c.version INTO held FROM public.bank_connection c
  WHERE c.tenant_id = place.tenant_id AND c.id = connection FOR NO KEY UPDATE;
  IF held.status = 'closed' THEN
    RAISE EXCEPTION 'The bank connection is closed for good.'
      USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'Connect the account again.';
  END IF;
  IF version IS DISTINCT FROM held.version THEN
    RAISE EXCEPTION 'Its version is %, not %.', held.version, coalesce(version::text, 'empty')
      USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'Somebody changed it. Look at ops.bank_connections again.';
  END IF;
  IF status = 'closed' AND EXISTS (
    SELECT 1 FROM public.payout_route r WHERE r.tenant_id = place.tenant_id AND r.connection_id = connection
  ) THEN
    RAISE EXCEPTION 'A route leads to the bank connection.'
      USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'Replace the routes before closing it.';
  END IF;
  -- Nothing would bring it there, and its payouts could go no other way.
  SELECT b.id INTO unsent FROM public.bank_batch b
  WHERE b.tenant_id = place.tenant_id AND b.connection_id = connection AND b.taken_at IS NULL
    AND b.status IN ('closed', 'sending', 'unknown') ORDER BY b.id LIMIT 1;
  IF status = 'closed' AND unsent IS NOT NULL THEN
    RAISE EXCEPTION 'The file % of the bank connection is not known to be at the bank.', unsent
      USING ERRCODE = 'object_not_in_prerequisite_state',
        HINT = format('SELECT status, problem, next_step FROM ops.bank_batches WHERE batch_id = %L;', unsent);
  END IF;
  UPDATE public.bank_connection c SET status = status, version = c.version + 1, updated_at = now()
  WHERE c.tenant_id = place.tenant_id AND c.id = connection;
  PERFORM ops.record('set_bank_connection_status', place.tenant_id, connection, why,
    jsonb_build_object('from', held.status, 'to', status), 1);
  RETURN held.version + 1;
END
$$;
COMMENT ON FUNCTION ops.set_bank_connection_status(text, text, integer, text) IS
  'Pauses a bank connection, makes it active again, or closes it for good; give the version that you saw. Returns the new one.';

CREATE FUNCTION ops.checked_routes(tenant text, environment text, routes jsonb) RETURNS TABLE (
  "position" integer, provider text, connection_id text, currency text, country text, scheme text,
  amount_from_minor bigint, amount_to_minor bigint
)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  route record;
  offered text[];
  holder text;
BEGIN
  IF coalesce(jsonb_typeof(routes), '') <> 'array' OR jsonb_array_length(routes) > 100 THEN
    RAISE EXCEPTION 'The routes are a JSON array of at most 100 objects.' USING ERRCODE = 'invalid_parameter_value',
      HINT = '[{"connection_id": "bcn_…", "currency": "EUR"}, {"provider": "gateway"}]';
  END IF;
  FOR route IN
    SELECT e.n::integer AS n, e.value, t.* FROM jsonb_array_elements(routes) WITH ORDINALITY AS e (value, n),
      jsonb_to_record(e.value) AS t (provider text, connection_id text, currency text, country text, scheme text,
        amount_from_minor bigint, amount_to_minor bigint)
    ORDER BY e.n
  LOOP
    IF (route.provider IS NULL) = (route.connection_id IS NULL)
      OR EXISTS (SELECT 1 FROM jsonb_object_keys(route.value) k WHERE k NOT IN ('provider', 'connection_id', 'currency',
        'country', 'scheme', 'amount_from_minor', 'amount_to_minor'))
      OR route.currency !~ '^[A-Z]{3}$' OR route.country !~ '^[A-Z]{2}$'
      OR (route.provider IS NOT NULL AND (route.scheme IS NOT NULL OR route.provider !~ '^[a-z][a-z0-9-]*$'
        OR (route.provider = 'simulator') <> (environment = 'sandbox')))
      OR (route.currency IS NULL AND coalesce(route.amount_from_minor, route.amount_to_minor) IS NOT NULL)
      OR route.amount_from_minor < 0 OR route.amount_to_minor < coalesce(route.amount_from_minor, 0)
    THEN
      RAISE EXCEPTION 'Route % is not one: %.', route.n, route.value USING ERRCODE = 'invalid_parameter_value',
        HINT = 'Either provider or connection_id; currency, country and amounts as conditions; scheme with a connection only; the simulator in a sandbox only.';
    END IF;
    IF route.connection_id IS NOT NULL THEN
      SELECT c.schemes, coalesce(c.adapter, 'bank') || ':' || c.id INTO offered, holder FROM public.bank_connection c
      WHERE c.tenant_id = tenant AND c.id = route.connection_id AND c.status <> 'closed' FOR SHARE;
      IF NOT FOUND OR NOT coalesce(route.scheme = ANY (offered), true) THEN
        RAISE EXCEPTION 'Route % leads to no open bank connection of the tenant with that scheme.', route.n
          USING ERRCODE = 'invalid_parameter_value', HINT = 'ops.bank_connections lists them.';
      END IF;
    END IF;
    RETURN QUERY SELECT route.n, coalesce(route.provider, holder), route.connection_id,
      route.currency, route.country, route.scheme, route.amount_from_minor, route.amount_to_minor;
  END LOOP;
END
$$;

CREATE FUNCTION ops.replace_routes(tenant text, version integer, routes jsonb, reason text) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_variable
DECLARE
  why text := ops.checked_reason(reason);
  place record;
  made integer;
  waiting text;
BEGIN
  SELECT t.id, t.environment INTO place FROM public.tenant t WHERE t.id = tenant;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'There is no tenant %.', coalesce(quote_literal(tenant), 'without an id')
      USING ERRCODE = 'no_data_found', HINT = 'ops.tenants lists them.';
  END IF;
  -- Refused also where no worker has said yet whether there are two.
  IF place.environment = 'production' AND NOT EXISTS (SELECT 1 FROM public.installation i WHERE NOT i.second_operator) THEN
    RAISE EXCEPTION 'Routes of production wait for a second operator (OPERATOR_CONFIRMATION), and SQL does not propose them.'
      USING ERRCODE = 'insufficient_privilege', HINT = 'Use the mutation operatorRoutesReplace.';
  END IF;
  IF version = 0 THEN
    INSERT INTO public.payout_routing (tenant_id, version, routes) VALUES (tenant, 1, 0)
    ON CONFLICT (tenant_id) DO NOTHING RETURNING 1 INTO made;
  ELSE
    UPDATE public.payout_routing g SET version = g.version + 1, updated_at = now()
    WHERE g.tenant_id = tenant AND g.version = version RETURNING g.version INTO made;
  END IF;
  IF made IS NULL THEN
    RAISE EXCEPTION 'The routes are no longer those of version %.', coalesce(version::text, 'that is not given')
      USING ERRCODE = 'object_not_in_prerequisite_state',
        HINT = 'Somebody replaced them. Look at ops.payout_routes again; give 0 where there never were any.';
  END IF;
  DELETE FROM public.payout_route r WHERE r.tenant_id = tenant;
  INSERT INTO public.payout_route (tenant_id, position, provider, connection_id, currency, country, scheme,
    amount_from_minor, amount_to_minor)
  SELECT tenant, c.position, c.provider, c.connection_id, c.currency, c.country, c.scheme, c.amount_from_minor,
    c.amount_to_minor
  FROM ops.checked_routes(tenant, place.environment, routes) c;
  UPDATE public.payout_routing g SET routes = jsonb_array_length(routes) WHERE g.tenant_id = tenant;
  -- Payouts that wait for a file are looked at again: it may be another one, or none.
  FOR waiting IN SELECT w.payout_id FROM public.bank_waiting w WHERE w.tenant_id = tenant LOOP
    PERFORM ops.add_job(ops.known_task('disburse_payout'), tenant, waiting, waiting, '{}', now());
  END LOOP;
  PERFORM ops.record('replace_routes', tenant, tenant, why,
    jsonb_build_object('version', made, 'routes', jsonb_array_length(routes)), 1);
  RETURN made;
END
$$;
COMMENT ON FUNCTION ops.replace_routes(text, integer, jsonb, text) IS
  'Replaces the routes of a tenant as a whole; give the version that you saw, 0 where there never was one. Returns the new one. Those of production only where a worker has said that OPERATOR_CONFIRMATION is none.';
