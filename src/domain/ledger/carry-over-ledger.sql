-- Books the missing entries of the next payouts of a tenant that moved before the ledger was there, and notes how
-- far it came. After the last of them it books the balance that was reported. It compares transitions with entries,
-- so it books nothing twice, whatever moves meanwhile.
CREATE OR REPLACE FUNCTION command.carry_over_ledger(
  _tenant text,
  _count integer
) RETURNS TABLE (booked integer, finished boolean)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  scoped CONSTANT text := set_config('app.tenant', _tenant, true);
  passed text;
  last_payout text;
  missing record;
  account record;
BEGIN
  booked := 0;
  SELECT c.payout_id INTO passed FROM public.ledger_carry_over c WHERE c.tenant_id = _tenant FOR UPDATE;
  finished := NOT FOUND;
  IF finished THEN
    RETURN NEXT;
    RETURN;
  END IF;
  SELECT max(n.id) INTO last_payout FROM (
    SELECT p.id FROM public.payout p WHERE p.tenant_id = _tenant AND p.id > passed ORDER BY p.id LIMIT _count
  ) n;
  IF last_payout IS NULL THEN
    SELECT f.currency, f.available_balance_minor INTO account FROM public.funding_account f
    WHERE f.tenant_id = _tenant FOR NO KEY UPDATE;
    IF FOUND THEN
      PERFORM command.book_balance(
        _tenant => _tenant, _currency => account.currency, _balance => account.available_balance_minor,
        _source => 'carry over'
      );
    END IF;
    DELETE FROM public.ledger_carry_over AS c WHERE c.tenant_id = _tenant;
    finished := true;
    RETURN NEXT;
    RETURN;
  END IF;
  FOR missing IN
    SELECT p.currency, t.from_state, t.to_state, array_agg(p.id) AS ids, array_agg(t.seq) AS seqs,
      array_agg(p.amount_minor) AS amounts
    FROM public.payout p
    JOIN public.payout_transition t ON t.tenant_id = _tenant AND t.payout_id = p.id
    WHERE p.tenant_id = _tenant AND p.id > passed AND p.id <= last_payout
      AND NOT EXISTS (
        SELECT 1 FROM public.ledger_entry e
        WHERE e.tenant_id = _tenant AND e.payout_id = p.id AND e.transition_seq = t.seq
      )
    GROUP BY p.currency, t.from_state, t.to_state ORDER BY p.currency
  LOOP
    CONTINUE WHEN NOT EXISTS (
      SELECT 1 FROM command.posting(_from => missing.from_state, _to => missing.to_state)
    );
    booked := booked + cardinality(missing.ids);
    PERFORM command.post_entries(
      _tenant => _tenant, _currency => missing.currency, _from => missing.from_state, _to => missing.to_state,
      _payouts => missing.ids, _seqs => missing.seqs, _amounts => missing.amounts
    );
  END LOOP;
  UPDATE public.ledger_carry_over AS c SET payout_id = last_payout WHERE c.tenant_id = _tenant;
  RETURN NEXT;
END
$$;
