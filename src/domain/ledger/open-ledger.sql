-- Part of other commands: opens the accounts of a currency. A change of the mode takes the same lock, so that a
-- currency that is opened at that moment has the new mode. A balance has sixteen slots: as many postings of a tenant
-- in a currency can be under way at once.
CREATE OR REPLACE FUNCTION command.open_ledger(
  _tenant text,
  _currency text
) RETURNS void
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  sandbox boolean;
  enforces boolean;
BEGIN
  PERFORM 1 FROM command.lock_ledger(_tenant => _tenant);
  sandbox := command.is_sandbox(_tenant => _tenant);
  SELECT coalesce(bool_or(m.mode = 'enforced'), false) INTO enforces
  FROM public.ledger_mode m WHERE m.tenant_id = _tenant;
  INSERT INTO public.ledger_account (tenant_id, currency, name)
  SELECT _tenant, _currency, a.name
  FROM unnest(ARRAY['funds', 'in_transit', 'paid', 'fees', 'external']) AS a (name) ORDER BY a.name
  ON CONFLICT (tenant_id, currency, name) DO NOTHING;
  INSERT INTO public.ledger_balance (tenant_id, currency, slot, draws_on, enforced)
  SELECT _tenant, _currency, s.slot, CASE WHEN sandbox THEN 'external' ELSE 'funds' END, enforces
  FROM generate_series(0, 15) AS s (slot) ORDER BY s.slot
  ON CONFLICT (tenant_id, currency, slot) DO NOTHING;
END
$$;
