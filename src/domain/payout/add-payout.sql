-- Part of other commands: inserts a payout with its first transition, and gives its `updated_at`. A function of its
-- own, because these two statements are planned once on Citus too (18-distributed-functions.sql).
CREATE OR REPLACE FUNCTION command.add_payout(
  _tenant text,
  _id text,
  _beneficiary_id text,
  _beneficiary_name text,
  _beneficiary_type text,
  _bank_account_id text,
  _bank_account_version integer,
  _amount_minor bigint,
  _amount text,
  _currency text,
  _purpose_of_payment text,
  _external_ref text,
  _idempotency_key text,
  _validator_strategy text,
  _replaces_payout_id text,
  _metadata jsonb,
  _state text,
  _created_by jsonb,
  _approved_at timestamptz,
  _distinct_approver boolean
) RETURNS timestamptz
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  changed_at timestamptz;
BEGIN
  INSERT INTO public.payout AS p (
    tenant_id, transition_count, id, beneficiary_id, beneficiary_name, beneficiary_type, bank_account_id,
    bank_account_version, amount_minor, amount, currency, purpose_of_payment, external_ref, idempotency_key,
    validator_strategy, replaces_payout_id, metadata, state, created_by, approved_at, distinct_approver
  )
  VALUES (
    _tenant, 1, _id, _beneficiary_id, _beneficiary_name, _beneficiary_type, _bank_account_id,
    _bank_account_version, _amount_minor, _amount, _currency, _purpose_of_payment, _external_ref, _idempotency_key,
    _validator_strategy, _replaces_payout_id, _metadata, _state, _created_by, _approved_at, _distinct_approver
  )
  RETURNING p.updated_at INTO changed_at;
  -- Only the screening of its payee holds a payout from the start.
  INSERT INTO public.payout_transition (tenant_id, payout_id, seq, from_state, to_state, actor, cause)
  VALUES (
    _tenant, _id, 1, 'new', _state, _created_by, CASE WHEN _state = 'compliance_hold' THEN 'screening' END
  );
  PERFORM command.tell_payouts(_tenant => _tenant, _payouts => ARRAY[_id], _created => true);
  RETURN changed_at;
END
$$;
