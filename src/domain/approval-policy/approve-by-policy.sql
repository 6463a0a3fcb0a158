-- Part of other commands: approves a new payout that its policy lets pass, with a transition and a decision that name the
-- version and the rules, and the job that disburses it. Gives the payout's `updated_at`. `_given` is the decision of a payout
-- that its caller wants approved at once; otherwise the policy's own has the payout's id behind another prefix, since it is
-- the only one.
CREATE OR REPLACE FUNCTION command.approve_by_policy(
  _tenant text,
  _payout text,
  _version integer,
  _rules jsonb,
  _given jsonb
) RETURNS timestamptz
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  at timestamptz := now();
  policy CONSTANT jsonb := '{"type": "system", "name": "approval_policy"}';
  why text := format('Approved by version %s of the approval policy, by rule %s.', _version,
    array_to_string(ARRAY(SELECT jsonb_array_elements_text(_rules)), ', '));
  changed record;
BEGIN
  UPDATE public.payout AS p SET state = 'approved', transition_count = 2, approved_at = at, updated_at = command.clock()
  WHERE p.tenant_id = _tenant AND p.id = _payout
  RETURNING p.updated_at, p.currency, p.amount_minor INTO changed;
  INSERT INTO public.payout_transition (tenant_id, payout_id, seq, previous_seq, from_state, to_state, actor, reason)
  VALUES (_tenant, _payout, 2, 1, 'pending_approval', 'approved', policy, why);
  PERFORM command.tell_payouts(_tenant => _tenant, _payouts => ARRAY[_payout], _created => false);
  PERFORM command.record_decision(_tenant => _tenant, _payout => _payout, _decision =>
    coalesce(_given, jsonb_build_object(
      'id', 'dec_' || substr(_payout, 5), 'decision_id', upper(substr(_payout, 5)), 'request_hash', repeat('0', 64),
      'status', 'approved', 'evaluated_by', policy, 'submitted_by', policy, 'reasons', jsonb_build_array(
        jsonb_build_object('code', 'POLICY_APPROVAL', 'message', why, 'details', jsonb_build_object('rules', _rules))
      )
    )) || jsonb_build_object('policy_version', _version::text));
  INSERT INTO public.job_outbox (tenant_id, task, payload, job_key)
  VALUES (
    _tenant, 'disburse_payout',
    jsonb_build_object('tenantId', _tenant, 'payoutId', _payout)
      || jsonb_strip_nulls(jsonb_build_object('_trace', _given -> '_trace')),
    'disburse ' || _payout
  );
  PERFORM command.post_entries(
    _tenant => _tenant, _currency => changed.currency, _from => 'pending_approval', _to => 'approved',
    _payouts => ARRAY[_payout], _seqs => ARRAY[2], _amounts => ARRAY[changed.amount_minor]
  );
  RETURN changed.updated_at;
END
$$;
