-- Creates one payout, and answers with one row. It locks the beneficiary and the bank account against change (FOR
-- SHARE), judges the gates on the locked rows (gates.ts), and claims the idempotency key for `_key_hours` by the
-- database's clock. Then it inserts the payout with its first transition record and, where it is approved at once,
-- its decision and its job. A payout that is refused writes nothing, and does not use up its key.
--
-- Of callers with one key at once, the claim makes the others wait for the first. They then find the existing
-- record, or call again. An existing record is looked for only where the key was not claimed.
--
-- Where the tenant has an approval policy, its rules are judged, and what they demand is written down with the payout. A
-- payout that they let pass is approved after its creation, also one that `auto` approves: `passed` is true then.
--
-- Where the payee may be on a list of sanctions, the payout is created in `compliance_hold` and nothing approves it. It
-- is `stale` then: the caller asks again, and reads it by its key.
--
-- What stops an approval by the name on the account stops the one that `auto` or the policy gives: the policy's payout
-- waits for people.
--
-- It does what create-many-payouts.sql does for several, which takes four times as long for one. Its statements name
-- single rows of one table, which takes the least time and which Citus plans the fastest.
CREATE OR REPLACE FUNCTION command.create_one_payout(
  _tenant text,
  _payout jsonb,
  _actor jsonb,
  _sandbox boolean,
  _dry_run boolean,
  _business text,
  _key_hours integer
) RETURNS TABLE (
  refusal integer, -- or NULL
  stale boolean,
  unrouted boolean,
  rail_rejection_reason text, -- or NULL; or the reason of the policy's rule that blocks the payout
  existing_id text, -- or NULL
  same_content boolean, -- or NULL
  passed boolean,
  -- The columns of a new payout that its caller does not know; NULL where none was created. Each column that a
  -- statement names is work for PostgreSQL and the driver, and on Citus for the coordinator and the node.
  beneficiary_name text,
  beneficiary_type text,
  bank_account_version integer,
  distinct_approver boolean,
  metadata jsonb, -- or NULL; the keys as jsonb orders them
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
  input record;
  existing record;
  ben record;
  acc record;
  pred record;
  demanded boolean;
  current_routing integer;
  funded boolean := true;
  policy record;
  verdict jsonb;
  effect text;
  waits boolean;
  claimed boolean := false;
  held boolean := false;
  examined boolean;
  name_obstacle text;
BEGIN
  SELECT * INTO input FROM jsonb_to_record(_payout) AS p (
    id text, idempotency_key text, request_hash text, beneficiary_id text, bank_account_id text, amount_minor bigint,
    amount text, currency text, purpose_of_payment text, external_ref text, validator_strategy text,
    replaces_payout_id text, metadata jsonb, echo_differs boolean, echo_revision integer, routing integer,
    route_refusal text, routed_revision integer, routed_version integer, provider text, state text, decision jsonb
  );
  SELECT b.id, b.archived_at, b.compliance_status, b.reacknowledgment_required, b.enrollment_status,
    b.beneficiary_type, b.revision, b.screening, b.screened_at,
    command.legal_name(b.beneficiary_type, b.business_name, b.first_name, b.last_name) AS name
  INTO ben FROM public.beneficiary b WHERE b.tenant_id = _tenant AND b.id = input.beneficiary_id FOR SHARE;
  SELECT a.id, a.beneficiary_id, a.status, a.validation_status, a.rail_rejection_reason, a.currency, a.version,
    a.name_check, a.name_check_confirmed_at IS NOT NULL AS name_confirmed
  INTO acc FROM public.bank_account a WHERE a.tenant_id = _tenant AND a.id = input.bank_account_id FOR SHARE;
  SELECT g.version INTO current_routing FROM public.payout_routing g WHERE g.tenant_id = _tenant AND g.routes > 0;
  IF _sandbox THEN
    PERFORM 1 FROM public.funding_account f WHERE f.tenant_id = _tenant AND f.available_balance_minor > 0 LIMIT 1;
    funded := FOUND;
  END IF;
  SELECT b.distinct_approver INTO demanded FROM public.business b WHERE b.id = _business;
  SELECT a.version, a.rules, a.sums INTO policy FROM public.approval_policy a
  WHERE a.tenant_id = _tenant ORDER BY a.version DESC LIMIT 1;
  IF policy.rules IS NOT NULL AND ben.id IS NOT NULL AND acc.id IS NOT NULL THEN
    verdict := command.judge_payout(
      _tenant => _tenant, _rules => policy.rules, _sums => policy.sums, _distinct => demanded, _beneficiary => ben.id,
      _account => acc.id, _account_version => acc.version, _amount_minor => input.amount_minor,
      _currency => input.currency, _purpose => input.purpose_of_payment, _metadata => input.metadata, _actor => _actor,
      _provider => input.provider, _beside_payee => 0, _beside_all => 0, _itself => NULL
    );
    effect := verdict ->> 'effect';
  END IF;
  IF acc.name_check <> 'match' THEN
    SELECT command.name_check_obstacle(
      _check => acc.name_check, _confirmed => acc.name_confirmed, _close_match => s.close_match,
      _no_match => s.no_match, _not_possible => s.not_possible
    ) INTO name_obstacle FROM public.name_check_policy s WHERE s.tenant_id = _tenant;
  END IF;
  IF input.replaces_payout_id IS NULL THEN
    SELECT NULL::text AS state, false AS replaced, false AS contradicted INTO pred;
  ELSE
    examined := ops.is_contradicted(_tenant, input.replaces_payout_id);
    SELECT p.state, examined AS contradicted, EXISTS (
      SELECT 1 FROM public.payout s WHERE s.tenant_id = _tenant AND s.replaces_payout_id = p.id
    ) AS replaced
    INTO pred FROM public.payout p WHERE p.tenant_id = _tenant AND p.id = input.replaces_payout_id;
  END IF;

  refusal := command.first_refusal(
    _beneficiary => ben.id, _archived_at => ben.archived_at, _compliance_status => ben.compliance_status,
    _reacknowledgment_required => ben.reacknowledgment_required, _enrollment_status => ben.enrollment_status,
    _echo_differs => input.echo_differs, _account => acc.id, _account_owner => acc.beneficiary_id,
    _account_status => acc.status, _validation_status => acc.validation_status,
    _rail_rejection_reason => acc.rail_rejection_reason, _account_currency => acc.currency,
    _currency => input.currency, _route_refusal => input.route_refusal, _predecessor => input.replaces_payout_id,
    _predecessor_state => pred.state, _predecessor_contradicted => pred.contradicted,
    _predecessor_replaced => pred.replaced, _funded => funded, _state => input.state, _distinct_approver => demanded,
    _policy_effect => effect, _name_obstacle => name_obstacle
  );
  stale := coalesce(ben.revision <> input.echo_revision, false);
  unrouted := command.is_unrouted(
    _current => current_routing, _judged => input.routing, _revision => ben.revision,
    _judged_revision => input.routed_revision, _version => acc.version, _judged_version => input.routed_version
  );
  rail_rejection_reason := coalesce(acc.rail_rejection_reason, verdict ->> 'reason');
  passed := refusal IS NULL AND NOT stale AND NOT unrouted;
  IF passed AND NOT _dry_run THEN
    passed := false;
    INSERT INTO public.payout_idempotency AS i (tenant_id, idempotency_key, payout_id, request_hash, created_at)
    VALUES (_tenant, input.idempotency_key, input.id, decode(input.request_hash, 'hex'), at)
    ON CONFLICT (tenant_id, idempotency_key) DO UPDATE
      SET payout_id = excluded.payout_id, request_hash = excluded.request_hash, created_at = excluded.created_at
      WHERE i.created_at <= kept_since;
    claimed := FOUND;
  END IF;
  IF NOT claimed THEN
    SELECT i.payout_id, i.request_hash = decode(input.request_hash, 'hex') AS same INTO existing
    FROM public.payout_idempotency i
    WHERE i.tenant_id = _tenant AND i.idempotency_key = input.idempotency_key AND i.created_at > kept_since;
    existing_id := existing.payout_id;
    same_content := existing.same;
    RETURN NEXT;
    RETURN;
  END IF;

  IF ben.screening IS NOT NULL THEN
    held := command.screening_holds(
      _tenant => _tenant, _beneficiary => ben.id, _screening => ben.screening, _screened_at => ben.screened_at
    );
    stale := held;
  END IF;
  waits := held OR input.state = 'pending_approval' OR coalesce(effect = 'pass', false);
  updated_at := command.add_payout(
    _tenant => _tenant, _id => input.id, _beneficiary_id => input.beneficiary_id, _beneficiary_name => ben.name,
    _beneficiary_type => ben.beneficiary_type, _bank_account_id => input.bank_account_id,
    _bank_account_version => acc.version, _amount_minor => input.amount_minor, _amount => input.amount,
    _currency => input.currency, _purpose_of_payment => input.purpose_of_payment, _external_ref => input.external_ref,
    _idempotency_key => input.idempotency_key, _validator_strategy => input.validator_strategy,
    _replaces_payout_id => input.replaces_payout_id, _metadata => input.metadata,
    _state => CASE WHEN held THEN 'compliance_hold' WHEN waits THEN 'pending_approval' ELSE input.state END,
    _created_by => _actor,
    _approved_at => CASE WHEN NOT waits THEN at END, _distinct_approver => demanded
  );
  created_at := at::timestamptz(3);
  beneficiary_name := ben.name;
  beneficiary_type := ben.beneficiary_type;
  bank_account_version := acc.version;
  distinct_approver := demanded;
  metadata := input.metadata;
  IF effect IS NOT NULL THEN
    INSERT INTO public.payout_requirement (tenant_id, payout_id, round, cause, policy_version, rules, demands, actor)
    VALUES (
      _tenant, input.id, 1, 'created', policy.version, command.integers(verdict -> 'rules'), verdict -> 'demands', _actor
    );
    IF verdict @? '$.demands[*].expiresAfterHours ? (@ > 0)' THEN
      PERFORM command.await_expiry(_tenant => _tenant, _payout => input.id, _demands => verdict -> 'demands');
    END IF;
  END IF;
  IF held THEN
    RETURN NEXT;
    RETURN;
  END IF;
  IF effect = 'pass' AND name_obstacle IS NULL THEN
    updated_at := command.approve_by_policy(
      _tenant => _tenant, _payout => input.id, _version => policy.version, _rules => verdict -> 'rules',
      _given => input.decision
    );
    passed := true;
    RETURN NEXT;
    RETURN;
  END IF;
  IF input.decision IS NOT NULL THEN
    PERFORM command.record_decision(_tenant => _tenant, _payout => input.id, _decision => input.decision);
  END IF;
  IF input.state = 'approved' THEN
    INSERT INTO public.job_outbox (tenant_id, task, payload, job_key)
    VALUES (
      _tenant, 'disburse_payout',
      jsonb_build_object('tenantId', _tenant, 'payoutId', input.id)
        || jsonb_strip_nulls(jsonb_build_object('_trace', input.decision -> '_trace')),
      'disburse ' || input.id
    );
    PERFORM command.post_entries(
      _tenant => _tenant, _currency => input.currency, _from => 'new', _to => 'approved',
      _payouts => ARRAY[input.id], _seqs => ARRAY[1], _amounts => ARRAY[input.amount_minor]
    );
  END IF;
  RETURN NEXT;
END
$$;
