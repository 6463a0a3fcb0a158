-- Creates up to a thousand payouts of which no two have the same key or predecessor, as create-one-payout.sql
-- creates one, and answers with a row for each, by its `n`. If `_atomic`, it creates all or none, and raises PO001
-- where another caller claims one of the keys meanwhile.
--
-- Each of its statements is for all of the payouts, which takes two fifths of the time of one after the other.
-- Between the statements each column is an array of its own, which costs much less than rows kept as JSON.
CREATE OR REPLACE FUNCTION command.create_many_payouts(
  _tenant text,
  _payouts jsonb,
  _atomic boolean,
  _actor jsonb,
  _sandbox boolean,
  _dry_run boolean,
  _business text,
  _key_hours integer
) RETURNS TABLE (
  n integer,
  refusal integer, -- or NULL
  stale boolean,
  unrouted boolean,
  rail_rejection_reason text, -- or NULL; or the reason of the policy's rule that blocks the payout
  existing_id text, -- or NULL
  same_content boolean, -- or NULL
  passed boolean,
  beneficiary_name text,
  beneficiary_type text,
  bank_account_version integer,
  distinct_approver boolean,
  metadata jsonb, -- or NULL
  created_at timestamptz, -- or NULL
  updated_at timestamptz
)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  scoped CONSTANT text := set_config('app.tenant', _tenant, true);
  at timestamptz := now();
  kept_since timestamptz(3) := at - make_interval(hours => _key_hours);
  contradicted text[] := '{}';
  named record;
  held record;
  policy record;
  verdicts jsonb := '{}';
  demanded boolean;
  numbers integer[];
  ids text[];
  keys text[];
  hashes bytea[];
  states text[];
  names text[];
  types text[];
  versions integer[];
  refusals integer[];
  stales boolean[];
  unroutes boolean[];
  reasons text[];
  existing_ids text[];
  sames boolean[];
  wants boolean[];
  makes boolean[];
  passes boolean[];
  wanted integer;
  payees text[];
  screenings text[];
  screened timestamptz[];
  obstacles text[];
  claimed integer := 0;
  unwritten boolean;
  outdated boolean;
BEGIN
  FOR named IN
    SELECT r.replaces_payout_id AS id FROM jsonb_to_recordset(_payouts) AS r (replaces_payout_id text)
    WHERE r.replaces_payout_id IS NOT NULL
  LOOP
    IF ops.is_contradicted(_tenant, named.id) THEN
      contradicted := contradicted || named.id;
    END IF;
  END LOOP;

  SELECT a.version, a.rules, a.sums INTO policy FROM public.approval_policy a
  WHERE a.tenant_id = _tenant ORDER BY a.version DESC LIMIT 1;
  IF policy.rules IS NOT NULL THEN
    verdicts := command.judge_payouts(
      _tenant => _tenant, _rules => policy.rules, _sums => policy.sums, _payouts => _payouts, _actor => _actor,
      _business => _business, _kept_since => kept_since
    );
  END IF;

  WITH input AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset(_payouts) AS r (
      n integer, id text, idempotency_key text, request_hash text, beneficiary_id text, bank_account_id text,
      currency text, replaces_payout_id text, echo_differs boolean, echo_revision integer, routing integer,
      route_refusal text, routed_revision integer, routed_version integer, state text
    )
  ),
  existing AS (
    SELECT i.idempotency_key, i.payout_id, i.request_hash, i.created_at <= kept_since AS outdated
    FROM public.payout_idempotency i
    WHERE i.tenant_id = _tenant AND i.idempotency_key = ANY (ARRAY(SELECT input.idempotency_key FROM input))
  ),
  ben AS (
    SELECT b.id, b.archived_at, b.compliance_status, b.reacknowledgment_required, b.enrollment_status,
      b.beneficiary_type, b.revision, b.business_name, b.first_name, b.last_name, b.screening, b.screened_at
    FROM public.beneficiary b
    WHERE b.tenant_id = _tenant AND b.id = ANY (ARRAY(SELECT input.beneficiary_id FROM input)) FOR SHARE
  ),
  acc AS (
    SELECT a.id, a.beneficiary_id, a.status, a.validation_status, a.rail_rejection_reason, a.currency, a.version,
      a.name_check, a.name_check_confirmed_at IS NOT NULL AS name_confirmed
    FROM public.bank_account a
    WHERE a.tenant_id = _tenant AND a.id = ANY (ARRAY(SELECT input.bank_account_id FROM input)) FOR SHARE
  ),
  pred AS (
    SELECT p.id, p.state, p.id = ANY (contradicted) AS contradicted, EXISTS (
      SELECT 1 FROM public.payout s WHERE s.tenant_id = _tenant AND s.replaces_payout_id = p.id
    ) AS replaced
    FROM public.payout p
    WHERE p.tenant_id = _tenant AND p.id = ANY (ARRAY(SELECT input.replaces_payout_id FROM input))
  ),
  -- Materialized, or PostgreSQL would not put the functions below in the place of their calls.
  wallet AS MATERIALIZED (
    SELECT NOT _sandbox OR EXISTS (
      SELECT 1 FROM public.funding_account f WHERE f.tenant_id = _tenant AND f.available_balance_minor > 0
    ) AS funded, (
      SELECT g.version FROM public.payout_routing g WHERE g.tenant_id = _tenant AND g.routes > 0
    ) AS current_routing
  ),
  demand AS (
    SELECT b.distinct_approver FROM public.business b WHERE b.id = _business
  ),
  names AS (
    SELECT acc.id, command.name_check_obstacle(
      _check => acc.name_check, _confirmed => acc.name_confirmed, _close_match => s.close_match,
      _no_match => s.no_match, _not_possible => s.not_possible
    ) AS obstacle
    FROM acc JOIN public.name_check_policy s ON s.tenant_id = _tenant
  )
  SELECT array_agg(v.n), array_agg(v.id), array_agg(v.idempotency_key), array_agg(v.request_hash), array_agg(v.state),
    array_agg(v.name), array_agg(v.beneficiary_type), array_agg(v.version), array_agg(v.refusal), array_agg(v.stale),
    array_agg(v.unrouted), array_agg(v.rail_rejection_reason), array_agg(v.existing_id), array_agg(v.same_content),
    array_agg(v.wanted), array_agg(v.beneficiary_id), array_agg(v.screening), array_agg(v.screened_at),
    array_agg(v.name_obstacle),
    count(*) FILTER (WHERE v.wanted),
    _dry_run OR (_atomic AND coalesce(bool_or(
      CASE WHEN v.existing_id IS NULL THEN v.refusal IS NOT NULL OR v.stale OR v.unrouted ELSE NOT v.same_content END
    ), false)),
    bool_or(v.distinct_approver), EXISTS (SELECT 1 FROM existing WHERE existing.outdated)
  INTO numbers, ids, keys, hashes, states, names, types, versions, refusals, stales, unroutes, reasons, existing_ids,
    sames, wants, payees, screenings, screened, obstacles, wanted, unwritten, demanded, outdated
  FROM (
    SELECT j.*, j.refusal IS NULL AND NOT j.stale AND NOT j.unrouted AND j.existing_id IS NULL AS wanted
    FROM (
      SELECT input.n, input.id, input.idempotency_key, decode(input.request_hash, 'hex') AS request_hash, input.state,
        command.legal_name(ben.beneficiary_type, ben.business_name, ben.first_name, ben.last_name) AS name,
        ben.beneficiary_type, ben.screening, ben.screened_at, input.beneficiary_id, acc.version,
        coalesce(acc.rail_rejection_reason, verdicts -> input.n::text ->> 'reason') AS rail_rejection_reason,
        demand.distinct_approver, names.obstacle AS name_obstacle,
        command.first_refusal(
          _beneficiary => ben.id, _archived_at => ben.archived_at, _compliance_status => ben.compliance_status,
          _reacknowledgment_required => ben.reacknowledgment_required, _enrollment_status => ben.enrollment_status,
          _echo_differs => input.echo_differs, _account => acc.id, _account_owner => acc.beneficiary_id,
          _account_status => acc.status, _validation_status => acc.validation_status,
          _rail_rejection_reason => acc.rail_rejection_reason, _account_currency => acc.currency,
          _currency => input.currency, _route_refusal => input.route_refusal,
          _predecessor => input.replaces_payout_id, _predecessor_state => pred.state,
          _predecessor_contradicted => pred.contradicted, _predecessor_replaced => pred.replaced,
          _funded => wallet.funded, _state => input.state, _distinct_approver => demand.distinct_approver,
          _policy_effect => verdicts -> input.n::text ->> 'effect', _name_obstacle => names.obstacle
        ) AS refusal,
        coalesce(ben.revision <> input.echo_revision, false) AS stale,
        command.is_unrouted(
          _current => wallet.current_routing, _judged => input.routing, _revision => ben.revision,
          _judged_revision => input.routed_revision, _version => acc.version, _judged_version => input.routed_version
        ) AS unrouted,
        existing.payout_id AS existing_id,
        existing.request_hash = decode(input.request_hash, 'hex') AS same_content
      FROM input CROSS JOIN wallet CROSS JOIN demand
      LEFT JOIN ben ON ben.id = input.beneficiary_id
      LEFT JOIN acc ON acc.id = input.bank_account_id
      LEFT JOIN names ON names.id = acc.id
      LEFT JOIN pred ON pred.id = input.replaces_payout_id
      LEFT JOIN existing ON existing.idempotency_key = input.idempotency_key AND NOT existing.outdated
    ) j
  ) v;

  IF unwritten THEN
    passes := wants;
  ELSIF wanted > 0 THEN
    -- In the order of the keys: two requests with the same ones cannot wait for each other. Keys that are over go
    -- first, since Citus takes no variable in the ON CONFLICT of an INSERT of many rows.
    IF outdated THEN
      DELETE FROM public.payout_idempotency i
      WHERE i.tenant_id = _tenant AND i.idempotency_key = ANY (ARRAY(
        SELECT o.idempotency_key FROM public.payout_idempotency o
        WHERE o.tenant_id = _tenant AND o.created_at <= kept_since AND o.idempotency_key = ANY (ARRAY(
          SELECT v.idempotency_key FROM unnest(keys, wants) AS v (idempotency_key, wanted) WHERE v.wanted
        ))
        ORDER BY o.idempotency_key COLLATE "C" FOR UPDATE
      ));
    END IF;
    INSERT INTO public.payout_idempotency AS i (tenant_id, idempotency_key, payout_id, request_hash, created_at)
    SELECT _tenant, v.idempotency_key, v.id, v.request_hash, at
    FROM unnest(ids, keys, hashes, wants) AS v (id, idempotency_key, request_hash, wanted)
    WHERE v.wanted ORDER BY v.idempotency_key COLLATE "C"
    ON CONFLICT (tenant_id, idempotency_key) DO NOTHING;
    SELECT count(i.payout_id), array_agg(i.payout_id IS NOT NULL ORDER BY v.place) INTO claimed, makes
    FROM unnest(ids, keys, wants) WITH ORDINALITY AS v (id, idempotency_key, wanted, place)
    LEFT JOIN public.payout_idempotency i
      ON i.tenant_id = _tenant AND i.idempotency_key = v.idempotency_key AND i.payout_id = v.id AND v.wanted;
    IF _atomic AND claimed < wanted THEN
      RAISE EXCEPTION 'a key was claimed by another' USING ERRCODE = 'PO001';
    END IF;
  END IF;

  IF claimed > 0 THEN
    -- What the policy lets pass is approved at the end.
    IF policy.rules IS NOT NULL THEN
      states := ARRAY(
        SELECT CASE WHEN verdicts -> v.n::text ->> 'effect' = 'pass' THEN 'pending_approval' ELSE v.state END
        FROM unnest(numbers, states) WITH ORDINALITY AS v (n, state, place) ORDER BY v.place
      );
    END IF;
    FOR i IN 1 .. cardinality(numbers) LOOP
      IF makes[i] AND screenings[i] IS NOT NULL AND command.screening_holds(
        _tenant => _tenant, _beneficiary => payees[i], _screening => screenings[i], _screened_at => screened[i]
      ) THEN
        states[i] := 'compliance_hold';
        stales[i] := true;
      END IF;
    END LOOP;
    INSERT INTO public.payout (
      tenant_id, id, beneficiary_id, beneficiary_name, beneficiary_type, bank_account_id, bank_account_version,
      amount_minor, amount, currency, purpose_of_payment, external_ref, idempotency_key, validator_strategy,
      replaces_payout_id, metadata, state, transition_count, created_by, approved_at, distinct_approver
    )
    SELECT _tenant, i.id, i.beneficiary_id, v.name, v.beneficiary_type, i.bank_account_id, v.version,
      i.amount_minor, i.amount, i.currency, i.purpose_of_payment, i.external_ref, i.idempotency_key,
      i.validator_strategy, i.replaces_payout_id, i.metadata, v.state, 1, _actor,
      CASE v.state WHEN 'approved' THEN at END, demanded
    FROM jsonb_to_recordset(_payouts) AS i (
      n integer, id text, idempotency_key text, beneficiary_id text, bank_account_id text, amount_minor bigint,
      amount text, currency text, purpose_of_payment text, external_ref text, validator_strategy text,
      replaces_payout_id text, metadata jsonb
    )
    JOIN unnest(numbers, names, types, versions, states, makes) AS v (n, name, beneficiary_type, version, state, made)
      ON v.n = i.n
    WHERE v.made;
    INSERT INTO public.payout_transition (tenant_id, payout_id, seq, from_state, to_state, actor, cause)
    SELECT _tenant, v.id, 1, 'new', v.state, _actor, CASE WHEN v.state = 'compliance_hold' THEN 'screening' END
    FROM unnest(ids, states, makes) AS v (id, state, made) WHERE v.made;
    PERFORM command.tell_payouts(_tenant => _tenant, _created => true, _payouts => ARRAY(
      SELECT v.id FROM unnest(ids, makes) WITH ORDINALITY AS v (id, made, place) WHERE v.made ORDER BY v.place
    ));
    IF 'approved' = ANY (states) THEN
      -- As record-decision.sql, which takes a tenth longer for one after the other.
      INSERT INTO public.payout_decision (
        tenant_id, payout_id, id, decision_id, request_hash, status, reasons, evaluated_by, submitted_by, evaluated_at,
        policy_version, agent_version, confidence
      )
      SELECT _tenant, i.id, g.id, g.decision_id, decode(g.request_hash, 'hex'), g.status, g.reasons, g.evaluated_by,
        g.submitted_by, coalesce(g.evaluated_at, at), g.policy_version, g.agent_version, g.confidence
      FROM jsonb_to_recordset(_payouts) AS i (n integer, id text, decision jsonb)
      JOIN unnest(numbers, states, makes) AS v (n, state, made) ON v.n = i.n
      CROSS JOIN LATERAL jsonb_to_record(i.decision) AS g (
        id text, decision_id text, request_hash text, status text, reasons jsonb, evaluated_by jsonb,
        submitted_by jsonb, evaluated_at timestamptz, policy_version text, agent_version text,
        confidence double precision
      )
      WHERE v.made AND v.state = 'approved' AND i.decision IS NOT NULL;
      INSERT INTO public.job_outbox (tenant_id, task, payload, job_key)
      SELECT _tenant, 'disburse_payout',
        jsonb_build_object('tenantId', _tenant, 'payoutId', v.id) || jsonb_strip_nulls(jsonb_build_object(
          '_trace', jsonb_path_query_first(_payouts, '$[*].decision._trace')
        )),
        'disburse ' || v.id
      FROM unnest(ids, states, makes) AS v (id, state, made) WHERE v.made AND v.state = 'approved';
      -- In the order of the currencies: two requests of an enforced tenant cannot wait for each other.
      FOR held IN
        SELECT i.currency, array_agg(i.id) AS ids, array_agg(1) AS seqs, array_agg(i.amount_minor) AS amounts
        FROM jsonb_to_recordset(_payouts) AS i (n integer, id text, currency text, amount_minor bigint)
        JOIN unnest(numbers, states, makes) AS v (n, state, made) ON v.n = i.n
        WHERE v.made AND v.state = 'approved'
        GROUP BY i.currency ORDER BY i.currency
      LOOP
        PERFORM command.post_entries(
          _tenant => _tenant, _currency => held.currency, _from => 'new', _to => 'approved',
          _payouts => held.ids, _seqs => held.seqs, _amounts => held.amounts
        );
      END LOOP;
    END IF;
    IF policy.rules IS NOT NULL THEN
      INSERT INTO public.payout_requirement (tenant_id, payout_id, round, cause, policy_version, rules, demands, actor)
      SELECT _tenant, v.id, 1, 'created', policy.version, command.integers(verdicts -> v.n::text -> 'rules'),
        verdicts -> v.n::text -> 'demands', _actor
      FROM unnest(numbers, ids, makes) AS v (n, id, made) WHERE v.made;
      IF verdicts @? '$.*.demands[*].expiresAfterHours ? (@ > 0)' THEN
        PERFORM command.await_expiry(
          _tenant => _tenant, _payout => v.id, _demands => verdicts -> v.n::text -> 'demands'
        ) FROM unnest(numbers, ids, makes) AS v (n, id, made) WHERE v.made;
      END IF;
      FOR held IN
        SELECT v.id, verdicts -> v.n::text -> 'rules' AS rules, i.decision
        FROM jsonb_to_recordset(_payouts) AS i (n integer, currency text, decision jsonb)
        JOIN unnest(numbers, ids, states, makes, obstacles) AS v (n, id, state, made, obstacle) ON v.n = i.n
        WHERE v.made AND v.state <> 'compliance_hold' AND v.obstacle IS NULL AND verdicts -> v.n::text ->> 'effect' = 'pass'
        ORDER BY i.currency
      LOOP
        PERFORM command.approve_by_policy(
          _tenant => _tenant, _payout => held.id, _version => policy.version, _rules => held.rules, _given => held.decision
        );
      END LOOP;
    END IF;
  END IF;

  RETURN QUERY
  SELECT v.n, v.refusal, v.stale, v.unrouted, v.rail_rejection_reason, v.existing_id, v.same_content,
    coalesce(v.passed, p.state = 'approved' AND p.transition_count = 2, false), p.beneficiary_name, p.beneficiary_type, p.bank_account_version, p.distinct_approver,
    p.metadata, p.created_at, p.updated_at
  FROM unnest(
    numbers, ids, refusals, stales, unroutes, reasons, existing_ids, sames, passes, makes
  ) AS v (n, id, refusal, stale, unrouted, rail_rejection_reason, existing_id, same_content, passed, made)
  LEFT JOIN public.payout p ON p.tenant_id = _tenant AND p.id = v.id AND v.made;
END
$$;
