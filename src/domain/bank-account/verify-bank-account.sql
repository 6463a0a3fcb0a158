-- Verifies one account that is pending although its owner is compliant; the owner is locked as for a registration. No
-- row when any of that is not so.
CREATE OR REPLACE FUNCTION command.verify_bank_account(
  _tenant text,
  _beneficiary text,
  _account text
) RETURNS SETOF public.bank_account
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  scoped CONSTANT text := set_config('app.tenant', _tenant, true);
  verified public.bank_account;
BEGIN
  PERFORM 1 FROM public.beneficiary b
  WHERE b.tenant_id = _tenant AND b.id = _beneficiary AND b.archived_at IS NULL AND b.compliance_status = 'compliant'
  FOR SHARE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  UPDATE public.bank_account AS a SET status = 'verified', updated_at = command.clock()
  WHERE a.tenant_id = _tenant AND a.id = _account AND a.beneficiary_id = _beneficiary
    AND a.status = 'pending_verification'
  RETURNING a.* INTO verified;
  IF FOUND THEN
    PERFORM command.tell_bank_accounts(
      _tenant => _tenant, _accounts => ARRAY[_account], _type => 'bank_account.verified'
    );
    RETURN NEXT verified;
  END IF;
END
$$;
