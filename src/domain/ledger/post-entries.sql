-- Part of other commands: posts the entries of payouts that make the same transition in one currency, as one change
-- of the balance; nothing for a transition that has no entry. So an entry is written in the transaction that moves
-- its payout, and by nothing else (docs/ledger.md). Raises PO002 for approvals that an enforced tenant has too
-- little for; its DETAIL is JSON of what is missing.
--
-- A balance is the sum of its slots. A posting takes the highest slot that no other transaction has locked, so
-- postings do not wait for each other, in whatever order a transaction posts to several currencies. Only an approval
-- of an enforced tenant waits: it takes slot 0 of the currency and no other. It then sees what every approval before
-- it reserved. Other postings take slot 0 only when all others are taken: a transaction that has it, and waits for a
-- payout that is being approved, would wait for an approval that waits for it. Whoever locks all slots of a currency
-- takes slot 0 last.
CREATE OR REPLACE FUNCTION command.post_entries(
  _tenant text,
  _currency text,
  _from text,
  _to text,
  _payouts text[],
  _seqs integer[],
  _amounts bigint[]
) RETURNS void
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  posting record;
  total bigint := 0;
  amount bigint;
  ids text[] := '{}';
  free_slot smallint;
  place record;
  left_over bigint;
BEGIN
  SELECT p.* INTO posting FROM command.posting(_from => _from, _to => _to) AS p;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  FOREACH amount IN ARRAY _amounts LOOP
    total := total + amount;
    ids := ids || command.entry_id();
  END LOOP;

  SELECT b.slot INTO free_slot FROM public.ledger_balance b
  WHERE b.tenant_id = _tenant AND b.currency = _currency AND (b.slot = 0 OR posting.kind <> 'hold' OR NOT b.enforced)
  ORDER BY b.slot DESC LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
  -- Without a free slot, every one that it may take is taken, or the currency is new.
  FOR try IN 1..2 LOOP
    UPDATE public.ledger_balance AS b SET
      held_minor = b.held_minor + posting.held * total,
      funds_minor = b.funds_minor + CASE b.draws_on WHEN 'funds' THEN posting.drawn * total ELSE 0 END,
      external_minor = b.external_minor + CASE b.draws_on WHEN 'external' THEN posting.drawn * total ELSE 0 END,
      in_transit_minor = b.in_transit_minor + posting.in_transit * total,
      paid_minor = b.paid_minor + posting.paid * total
    WHERE b.tenant_id = _tenant AND b.currency = _currency AND b.slot = coalesce(free_slot, 0)
    RETURNING b.draws_on, b.enforced INTO place;
    EXIT WHEN FOUND;
    PERFORM command.open_ledger(_tenant => _tenant, _currency => _currency);
  END LOOP;
  IF place.enforced AND posting.kind = 'hold' THEN
    SELECT sum(b.funds_minor - b.held_minor) INTO left_over FROM public.ledger_balance b
    WHERE b.tenant_id = _tenant AND b.currency = _currency;
    IF left_over < 0 THEN
      RAISE EXCEPTION 'less is available than the approval needs' USING ERRCODE = 'PO002',
        DETAIL = jsonb_build_object(
          'currency', _currency, 'available_minor', left_over + total, 'shortfall_minor', -left_over
        );
    END IF;
  END IF;

  INSERT INTO public.ledger_entry (
    tenant_id, id, kind, currency, amount_minor, debit_account, credit_account, payout_id, transition_seq
  )
  SELECT _tenant, e.id, posting.kind, _currency, e.amount,
    CASE posting.debit WHEN 'drawn' THEN place.draws_on ELSE posting.debit END,
    CASE posting.credit WHEN 'drawn' THEN place.draws_on ELSE posting.credit END, e.payout, e.seq
  FROM unnest(ids, _payouts, _seqs, _amounts) AS e (id, payout, seq, amount);
END
$$;
