-- Keeps the details of an account, which was just registered or changed, as the version that it has got, and records
-- the events on request. Where the bank is to be asked for the name, a job asks it.
CREATE OR REPLACE FUNCTION command.keep_bank_account_version(
  _tenant text,
  _account text,
  _version integer,
  _holder bytea,
  _currency text,
  _country text,
  _bank_name text, -- or NULL
  _account_type text, -- or NULL
  _identifiers bytea,
  _actor jsonb
) RETURNS TABLE (adds_job boolean)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  scoped CONSTANT text := set_config('app.tenant', _tenant, true);
  verified boolean;
  check_of_name text;
BEGIN
  INSERT INTO public.bank_account_version (
    tenant_id, bank_account_id, version, account_holder_name_ciphertext, currency, country, bank_name, account_type,
    identifiers_ciphertext, actor
  )
  VALUES (
    _tenant, _account, _version, _holder, _currency, _country, _bank_name, _account_type, _identifiers, _actor
  );
  SELECT a.status = 'verified', a.name_check INTO verified, check_of_name FROM public.bank_account a WHERE a.tenant_id = _tenant AND a.id = _account;
  adds_job := command.tell_bank_accounts(
    _tenant => _tenant, _accounts => ARRAY[_account],
    _type => CASE WHEN _version > 1 THEN 'bank_account.changed' WHEN verified THEN 'bank_account.verified' END
  );
  IF check_of_name = 'pending' THEN
    INSERT INTO public.job_outbox (tenant_id, task, payload, job_key)
    VALUES (
      _tenant, 'check_name',
      jsonb_build_object('tenantId', _tenant, 'bankAccountId', _account, 'version', _version, 'tries', 0),
      'name ' || _account
    );
    adds_job := true;
  END IF;
  RETURN NEXT;
END
$$;
