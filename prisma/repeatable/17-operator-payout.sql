-- ── What operators read over GraphQL of one payout (src/domain/operator/one-payout.ts). ──
-- Only `ops.payout_by_id` and `ops.find_page` look through the tenants, by the primary key of each. The others are
-- told the tenant, and read what belongs to the payout. They show what the views for psql show: no name, no address, no
-- identifier of a payee. They run with the rights of the owner, and are replaced and never dropped: see 10-service.sql.

-- What a payout is, and what the operator `asker` can do about it now; no row for an unknown id.
CREATE OR REPLACE FUNCTION ops.payout_by_id(payout text, asker text) RETURNS TABLE (
  payout_id text, tenant_id text, business_id text, company_name text, environment text, state text, amount_minor bigint,
  currency text, created_at timestamptz, updated_at timestamptz, beneficiary_id text, compliance_status text,
  bank_account_id text, account_country text, provider text, provider_payout_id text, connection_id text, scheme text,
  waits_for_file_since timestamptz, failure_code text, replaces_payout_id text, replaced_by text, taken_by text, may text[]
)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  tenant text;
BEGIN
  SELECT l.tenant_id INTO tenant FROM ops.locate(payout) l WHERE l.kind = 'payout';
  RETURN QUERY
  WITH kept AS MATERIALIZED ( -- what the tenant's tables say: on Citus the others are on another node
    SELECT p.*, b.compliance_status, v.country AS account_country, coalesce(w.connection_id, m.connection_id) AS connection,
      coalesce(w.scheme, x.scheme) AS scheme, w.since AS waits_since, r.id AS replacement, o.to_ask, o.to_resolve,
      EXISTS (
        SELECT 1 FROM public.provider_contradiction c
        WHERE c.tenant_id = tenant AND c.payout_id = p.id AND c.finding IS NULL
      ) AS contradicted,
      p.state = 'approved' AND p.live_attempt_id IS NULL AND w.payout_id IS NULL AND NOT EXISTS (
        SELECT 1 FROM public.job_outbox j
        WHERE j.tenant_id = tenant AND j.task = 'disburse_payout' AND j.payload ->> 'payoutId' = p.id
      ) AS to_hand_over
    FROM public.payout p
    JOIN public.beneficiary b ON b.tenant_id = p.tenant_id AND b.id = p.beneficiary_id
    JOIN public.bank_account_version v
      ON v.tenant_id = p.tenant_id AND v.bank_account_id = p.bank_account_id AND v.version = p.bank_account_version
    LEFT JOIN public.bank_waiting w ON w.tenant_id = p.tenant_id AND w.payout_id = p.id
    LEFT JOIN public.bank_payment m ON m.tenant_id = p.tenant_id AND m.attempt_id = p.live_attempt_id
    LEFT JOIN public.bank_batch x ON x.tenant_id = m.tenant_id AND x.id = m.batch_id
    LEFT JOIN public.payout r ON r.tenant_id = p.tenant_id AND r.replaces_payout_id = p.id
    -- The attempts that src/domain/operator/attempt-store.ts finds for a look-up and for a resolution.
    CROSS JOIN LATERAL (
      SELECT coalesce(bool_or(a.id = p.live_attempt_id OR a.needs_operator), false) AS to_ask,
        coalesce(bool_or(a.status = 'unknown' OR a.needs_operator), false) AS to_resolve
      FROM public.disbursement_attempt a WHERE a.tenant_id = tenant AND a.payout_id = p.id
    ) o
    WHERE p.tenant_id = tenant AND p.id = payout
  )
  SELECT p.id::text, p.tenant_id::text, t.business_id::text, t.company_name, t.environment, p.state::text, p.amount_minor,
    p.currency::text, p.created_at::timestamptz, p.updated_at::timestamptz, p.beneficiary_id::text, p.compliance_status::text,
    p.bank_account_id::text, p.account_country::text, p.provider::text, p.provider_payout_id::text, p.connection::text,
    p.scheme::text, p.waits_since::timestamptz, p.failure_code::text, p.replaces_payout_id::text, p.replacement::text,
    ops.taken_by(p.id),
    array_remove(ARRAY[
      CASE WHEN p.to_ask THEN 'look_up' END,
      CASE WHEN q.id IS NULL AND (p.to_resolve OR ops.debit_is_missing(p.tenant_id, p.live_attempt_id)) THEN 'resolve' END,
      CASE WHEN q.unanswered AND ops.person_of(q.who) <> ops.person_of(asker) THEN 'confirm_resolution' END,
      CASE WHEN q.unanswered THEN 'decline_resolution' END,
      CASE WHEN p.contradicted THEN 'examine_contradiction' END,
      -- Where ops.stuck_payouts would say no_job: a job that is there is retried instead.
      CASE WHEN p.to_hand_over AND NOT EXISTS (
        SELECT 1 FROM graphile_worker._private_jobs j WHERE j.key = 'disburse ' || p.id
      ) THEN 'schedule' END
    ], NULL)
  FROM kept p
  JOIN ops.tenants t ON t.tenant_id = p.tenant_id
  -- The resolution that refuses a second one (ops.waiting_resolution).
  LEFT JOIN LATERAL (
    SELECT l.id, l.who, c.action_id IS NOT NULL AND c.answer IS NULL AS unanswered
    FROM ops.action_log l LEFT JOIN ops.order_confirmation c ON c.action_id = l.id
    WHERE l.subject_id = p.id AND l.action = 'resolve_payout' AND l.outcome IS NULL
      AND (l.at > now() - interval '10 minutes' OR (c.action_id IS NOT NULL AND c.answer IS NULL))
    ORDER BY l.id DESC LIMIT 1
  ) q ON true;
END
$$;

-- Why it makes no progress, as ops.stuck_payouts says it, however short it has waited.
CREATE OR REPLACE FUNCTION ops.payout_standstill(tenant text, payout text) RETURNS TABLE (
  payout_id text, business_id text, company_name text, environment text, state text, since timestamptz, reason text,
  explanation text, next_step text, attempt_id text, provider text, last_error text, amount_minor bigint, currency text,
  taken_by text
)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT s.payout_id, t.business_id::text, t.company_name, s.environment, s.state, s.since, s.reason, s.explanation, s.next_step,
    s.attempt_id, s.provider, s.last_error, s.amount_minor, s.currency, s.taken_by
  FROM ops.explain_payouts(ARRAY[tenant], ARRAY[payout]) s JOIN ops.tenants t ON t.tenant_id = s.tenant_id;
END
$$;

-- Its submissions, the newest first, each with its place in a file for a bank.
CREATE OR REPLACE FUNCTION ops.payout_attempts(tenant text, payout text, take integer) RETURNS TABLE (
  attempt_id text, number integer, provider text, status text, needs_operator boolean, calls integer,
  provider_payout_id text, failure_code text, key_expires_at timestamptz, prepared_at timestamptz, called_at timestamptz,
  submitted_at timestamptz, looked_up_at timestamptz, batch_id text, "position" integer, end_to_end_id text,
  file_name text, batch_status text, execution_date text, batch_problem text, batch_next_step text
)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT a.id::text, a.number, a.provider::text, a.status::text, a.needs_operator, a.calls, a.provider_payout_id::text,
    a.failure_code::text, a.key_expires_at::timestamptz, a.prepared_at::timestamptz, a.called_at::timestamptz,
    a.submitted_at::timestamptz, a.looked_up_at::timestamptz, m.batch_id::text, m.position, m.end_to_end_id::text,
    x.file_name::text, x.status::text, x.execution_date::text, x.problem::text,
    ops.bank_batch_step(x.id, x.status, ops.bank_batch_by_hand(c.transport, x.downloaded_by), x.resend_asked_by)
  FROM public.disbursement_attempt a
  LEFT JOIN public.bank_payment m ON m.tenant_id = a.tenant_id AND m.attempt_id = a.id
  LEFT JOIN public.bank_batch x ON x.tenant_id = m.tenant_id AND x.id = m.batch_id
  LEFT JOIN public.bank_connection c ON c.tenant_id = x.tenant_id AND c.id = x.connection_id
  WHERE a.tenant_id = tenant AND a.payout_id = payout
  ORDER BY a.number DESC LIMIT take;
END
$$;

-- What happened to it, the newest first.
CREATE OR REPLACE FUNCTION ops.payout_timeline(tenant text, payout text, take integer) RETURNS TABLE (
  at timestamptz, what text, id text, detail text, by_whom text
)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT l.at, l.what, l.id, l.detail, l.by_whom FROM ops.timeline_lines(tenant, payout) l
  ORDER BY l.at DESC, l.place DESC, l.id DESC LIMIT take;
END
$$;

-- What providers said of it that nobody has examined, the newest first.
CREATE OR REPLACE FUNCTION ops.contradictions_of_payout(tenant text, payout text, take integer) RETURNS TABLE (
  contradiction_id uuid, noticed_at timestamptz, business_id text, company_name text, environment text, payout_id text,
  subject_id text, provider text, kind text, said text, expected text, source text, taken_by text,
  amount_minor bigint, currency text
)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT c.contradiction_id, c.noticed_at::timestamptz, t.business_id::text, t.company_name, c.environment, c.payout_id::text,
    c.subject_id::text, c.provider, c.kind, c.said, c.expected, c.source, c.taken_by, c.amount_minor, c.currency::text
  FROM ops.contradictions c JOIN ops.tenants t ON t.tenant_id = c.tenant_id
  WHERE c.tenant_id = tenant AND c.payout_id = payout AND c.finding IS NULL
  ORDER BY c.contradiction_id DESC LIMIT take;
END
$$;

-- The resolution of it that waits for a second person; there is one at most.
CREATE OR REPLACE FUNCTION ops.payout_resolution(tenant text, payout text) RETURNS TABLE (
  order_id uuid, ordered_at timestamptz, ordered_by text, business_id text, company_name text, environment text, payout_id text,
  outcome text, provider_payout_id text, evidence text, reason text, taken_by text
)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT r.order_id, r.ordered_at::timestamptz, r.ordered_by, t.business_id::text, t.company_name, r.environment, r.payout_id,
    r.outcome, r.provider_payout_id, r.evidence, r.reason, r.taken_by
  FROM ops.resolutions_to_confirm r JOIN ops.tenants t ON t.tenant_id = r.tenant_id
  WHERE r.tenant_id = tenant AND r.payout_id = payout
  ORDER BY r.order_id LIMIT 1;
END
$$;

-- The payouts with this reference of their business, or this id at their provider, the newest of each tenant. Each tenant
-- is looked through by an index.
CREATE OR REPLACE FUNCTION ops.payouts_named(what text, take integer) RETURNS TABLE (id text, state text, tenant_id text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  place text;
BEGIN
  FOR place IN SELECT t.id FROM public.tenant t LOOP
    RETURN QUERY SELECT x.id::text, x.state::text, place FROM public.payout x
      WHERE x.tenant_id = place AND x.external_ref = what ORDER BY x.id DESC LIMIT take;
    -- The index has the provider between the two: PostgreSQL 18 skips from one provider to the next.
    RETURN QUERY SELECT p.id::text, p.state::text, place FROM (
        SELECT x.payout_id FROM public.disbursement_attempt x
        WHERE x.tenant_id = place AND x.provider_payout_id = what LIMIT take
      ) a JOIN public.payout p ON p.tenant_id = place AND p.id = a.payout_id;
  END LOOP;
END
$$;

-- The payout that something of a tenant belongs to; null where it belongs to none.
CREATE OR REPLACE FUNCTION ops.payout_of(kind text, tenant text, id text) RETURNS text
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_variable
BEGIN
  CASE kind
    WHEN 'payout' THEN RETURN id;
    WHEN 'attempt' THEN RETURN (SELECT a.payout_id FROM public.disbursement_attempt a WHERE a.tenant_id = tenant AND a.id = id);
    WHEN 'decision' THEN RETURN (SELECT d.payout_id FROM public.payout_decision d WHERE d.tenant_id = tenant AND d.id = id);
    WHEN 'event' THEN RETURN (SELECT e.payout_id FROM public.event e WHERE e.tenant_id = tenant AND e.id = id);
    WHEN 'delivery' THEN RETURN (
      SELECT e.payout_id FROM public.webhook_delivery d
      JOIN public.event e ON e.tenant_id = d.tenant_id AND e.id = d.event_id
      WHERE d.tenant_id = tenant AND d.id = id);
    ELSE RETURN NULL;
  END CASE;
END
$$;

-- What an id names; or the payouts with this reference of their business, or this id at their provider.
CREATE OR REPLACE FUNCTION ops.find_page(what text, take integer) RETURNS TABLE (
  kind text, found_id text, state text, payout_id text, business_id text, company_name text, environment text
)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT h.kind, h.id, h.state, ops.payout_of(h.kind, h.tenant_id, h.id), t.business_id::text, t.company_name, t.environment
  FROM (
    SELECT l.kind, what AS id, l.state, l.tenant_id FROM ops.locate(what) l
    UNION
    SELECT 'payout', n.id, n.state, n.tenant_id FROM ops.payouts_named(what, take) n
  ) h LEFT JOIN ops.tenants t ON t.tenant_id = h.tenant_id
  ORDER BY h.id DESC, h.kind LIMIT take;
END
$$;
