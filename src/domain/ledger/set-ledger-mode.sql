-- Changes a tenant's mode and books its opening balances. The locks of all slots wait for every posting under way,
-- and the next posting sees the new mode. Slot 0 is locked last (post-entries.sql). A posting that goes on to the
-- first payout of a currency waits for the change, which waits for it. The change gives up before PostgreSQL ends
-- one of the two (`deadlock_timeout` is a second), so that it is never the posting, and its caller repeats it.
-- `ready` is false, and nothing changes, while payouts from before the ledger are not booked yet.
CREATE OR REPLACE FUNCTION command.set_ledger_mode(
  _tenant text,
  _mode text,
  _openings jsonb,
  _source text
) RETURNS TABLE (ready boolean)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  scoped CONSTANT text := set_config('app.tenant', _tenant, true);
  at timestamptz := now();
  opening record;
  patience CONSTANT text := set_config('lock_timeout', '400ms', true);
BEGIN
  PERFORM 1 FROM command.lock_ledger(_tenant => _tenant);
  ready := NOT EXISTS (SELECT 1 FROM public.ledger_carry_over c WHERE c.tenant_id = _tenant);
  IF NOT ready THEN
    RETURN NEXT;
    RETURN;
  END IF;
  FOR opening IN
    SELECT o.currency FROM jsonb_to_recordset(_openings) AS o (currency text) ORDER BY o.currency
  LOOP
    PERFORM command.open_ledger(_tenant => _tenant, _currency => opening.currency);
  END LOOP;
  PERFORM 1 FROM public.ledger_balance b WHERE b.tenant_id = _tenant
  ORDER BY b.currency, b.slot DESC FOR NO KEY UPDATE;
  INSERT INTO public.ledger_mode AS m (tenant_id, mode, changed_at) VALUES (_tenant, _mode, at)
  ON CONFLICT (tenant_id) DO UPDATE SET mode = excluded.mode, changed_at = excluded.changed_at;
  UPDATE public.ledger_balance AS b SET enforced = _mode = 'enforced' WHERE b.tenant_id = _tenant;
  FOR opening IN
    SELECT o.currency, o.amount_minor
    FROM jsonb_to_recordset(_openings) AS o (currency text, amount_minor bigint) ORDER BY o.currency
  LOOP
    PERFORM command.book_balance(
      _tenant => _tenant, _currency => opening.currency, _balance => opening.amount_minor,
      _source => _source || ' ' || opening.currency
    );
  END LOOP;
  RETURN NEXT;
END
$$;
