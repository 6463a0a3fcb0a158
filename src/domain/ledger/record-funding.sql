-- Books money that came in, went out or was taken as a fee, once for its source; `news` is false where the source
-- was booked before.
CREATE OR REPLACE FUNCTION command.record_funding(
  _tenant text,
  _kind text,
  _currency text,
  _amount bigint,
  _source text
) RETURNS TABLE (entry public.ledger_entry, news boolean)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  scoped CONSTANT text := set_config('app.tenant', _tenant, true);
  into_funds bigint := CASE _kind WHEN 'funding' THEN _amount ELSE -_amount END;
  into_fees bigint := CASE _kind WHEN 'fee' THEN _amount ELSE 0 END;
  debit text := CASE _kind WHEN 'funding' THEN 'funds' WHEN 'fee' THEN 'fees' ELSE 'external' END;
  credit text := CASE _kind WHEN 'funding' THEN 'external' ELSE 'funds' END;
  made text := command.entry_id();
  place smallint;
BEGIN
  SELECT b.slot INTO place FROM public.ledger_balance b
  WHERE b.tenant_id = _tenant AND b.currency = _currency AND b.slot = 0;
  IF NOT FOUND THEN
    PERFORM command.open_ledger(_tenant => _tenant, _currency => _currency);
  END IF;
  INSERT INTO public.ledger_entry AS e (
    tenant_id, id, kind, currency, amount_minor, debit_account, credit_account, source
  )
  VALUES (_tenant, made, _kind, _currency, _amount, debit, credit, _source)
  ON CONFLICT (tenant_id, source) WHERE source IS NOT NULL DO NOTHING
  RETURNING e.* INTO entry;
  news := FOUND;
  IF NOT news THEN
    SELECT e.* INTO entry FROM public.ledger_entry e WHERE e.tenant_id = _tenant AND e.source = _source;
    RETURN NEXT;
    RETURN;
  END IF;
  SELECT b.slot INTO place FROM public.ledger_balance b
  WHERE b.tenant_id = _tenant AND b.currency = _currency
  ORDER BY b.slot DESC LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
  UPDATE public.ledger_balance AS b SET
    funds_minor = b.funds_minor + into_funds,
    fees_minor = b.fees_minor + into_fees,
    external_minor = b.external_minor - into_funds - into_fees
  WHERE b.tenant_id = _tenant AND b.currency = _currency AND b.slot = coalesce(place, 0);
  RETURN NEXT;
END
$$;
