-- Books the difference between a balance that somebody stated and the posted funds. It takes the lock of a change of
-- the mode: of two statements at once, the second compares itself with what the first booked.
CREATE OR REPLACE FUNCTION command.book_balance(
  _tenant text,
  _currency text,
  _balance bigint,
  _source text
) RETURNS TABLE (difference bigint)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  scoped CONSTANT text := set_config('app.tenant', _tenant, true);
BEGIN
  PERFORM 1 FROM command.lock_ledger(_tenant => _tenant);
  SELECT _balance - coalesce(sum(b.funds_minor), 0) INTO difference FROM public.ledger_balance b
  WHERE b.tenant_id = _tenant AND b.currency = _currency;
  IF difference <> 0 THEN
    PERFORM command.record_funding(
      _tenant => _tenant, _kind => CASE WHEN difference > 0 THEN 'funding' ELSE 'withdrawal' END,
      _currency => _currency, _amount => abs(difference), _source => _source
    );
  END IF;
  RETURN NEXT;
END
$$;
