-- Verifies the accounts that waited for their owner's compliance, and tells their ids.
CREATE OR REPLACE FUNCTION command.verify_bank_accounts(
  _tenant text,
  _beneficiary text
) RETURNS TABLE (verified text)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  scoped CONSTANT text := set_config('app.tenant', _tenant, true);
  accounts text[] := '{}';
BEGIN
  FOR verified IN
    UPDATE public.bank_account AS a SET status = 'verified', updated_at = command.clock()
    WHERE a.tenant_id = _tenant AND a.beneficiary_id = _beneficiary AND a.status = 'pending_verification'
    RETURNING a.id
  LOOP
    accounts := accounts || verified;
    RETURN NEXT;
  END LOOP;
  IF accounts <> '{}' THEN
    PERFORM command.tell_bank_accounts(
      _tenant => _tenant, _accounts => accounts, _type => 'bank_account.verified'
    );
  END IF;
END
$$;
