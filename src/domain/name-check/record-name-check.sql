-- Records what the bank of an account says of its holder's name, on the version that it was asked about or that was
-- paid, and on the account while it has that version. An answer to a question counts once, while the account waits for
-- it; what a bank says of a payment (`_attempt`) counts once for its code. Whoever was erased gets no row.
CREATE OR REPLACE FUNCTION command.record_name_check(
  _tenant text,
  _account text,
  _version integer,
  _id text,
  _result text,
  _source text,
  _code text,
  _name bytea, -- or NULL
  _attempt text -- or NULL
) RETURNS TABLE (recorded boolean)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  scoped CONSTANT text := set_config('app.tenant', _tenant, true);
  owner text;
  acc record;
BEGIN
  recorded := false;
  SELECT a.beneficiary_id INTO owner FROM public.bank_account a WHERE a.tenant_id = _tenant AND a.id = _account;
  PERFORM 1 FROM public.beneficiary b
  WHERE b.tenant_id = _tenant AND b.id = owner AND b.erased_at IS NULL FOR SHARE;
  IF FOUND THEN
    SELECT a.version, a.name_check INTO acc FROM public.bank_account a
    WHERE a.tenant_id = _tenant AND a.id = _account FOR NO KEY UPDATE;
    IF _attempt IS NOT NULL OR (acc.version = _version AND coalesce(acc.name_check, 'pending') = 'pending') THEN
      INSERT INTO public.name_check (
        tenant_id, id, bank_account_id, version, result, source, code, name_on_file_ciphertext, attempt_id
      )
      VALUES (_tenant, _id, _account, _version, _result, _source, _code, _name, _attempt)
      ON CONFLICT (tenant_id, attempt_id, code) DO NOTHING;
      recorded := FOUND;
    END IF;
    IF recorded AND acc.version = _version THEN
      UPDATE public.bank_account AS a SET name_check = _result, name_check_confirmed_at = NULL, updated_at = now()
      WHERE a.tenant_id = _tenant AND a.id = _account;
    END IF;
  END IF;
  RETURN NEXT;
END
$$;
