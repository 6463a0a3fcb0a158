-- Tries rules on a payout that nobody has created: what they would demand of it at this moment. No row for an unknown payee,
-- and for an account that is not theirs.
CREATE OR REPLACE FUNCTION command.try_payout(
  _tenant text,
  _business text,
  _rules jsonb,
  _sums jsonb,
  _beneficiary text,
  _account text,
  _amount_minor bigint,
  _currency text,
  _purpose text,
  _metadata jsonb, -- or NULL
  _actor jsonb,
  _provider text -- or NULL
) RETURNS TABLE (
  verdict jsonb,
  payee_editor text, -- or NULL
  account_changer text -- or NULL
)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  scoped CONSTANT text := set_config('app.tenant', _tenant, true);
  demanded boolean;
  current_version integer;
BEGIN
  SELECT b.distinct_approver INTO demanded FROM public.business b WHERE b.id = _business;
  SELECT a.version, v.actor ->> 'user_id', b.edited_by INTO current_version, account_changer, payee_editor
  FROM public.bank_account a
  JOIN public.beneficiary b ON b.tenant_id = _tenant AND b.id = a.beneficiary_id
  JOIN public.bank_account_version v ON v.tenant_id = _tenant AND v.bank_account_id = a.id AND v.version = a.version
  WHERE a.tenant_id = _tenant AND a.id = _account AND a.beneficiary_id = _beneficiary;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  verdict := command.judge_payout(
    _tenant => _tenant, _rules => _rules, _sums => _sums, _distinct => demanded, _beneficiary => _beneficiary,
    _account => _account, _account_version => current_version, _amount_minor => _amount_minor, _currency => _currency,
    _purpose => _purpose, _metadata => _metadata, _actor => _actor, _provider => _provider, _beside_payee => 0,
    _beside_all => 0, _itself => NULL
  );
  RETURN NEXT;
END
$$;
