-- Gives of payouts that can be approved what an approval would be about, as SHA-256 over the text that a passkey would sign
-- of it, without a time: amount, payee, account with its version and details, and the version of the policy. Payouts that
-- wait for no approval, or whose account changed since their creation, are left out.
CREATE OR REPLACE FUNCTION command.approval_digests(
  _tenant text,
  _payouts text[],
  _business text
) RETURNS TABLE (
  payout text,
  digest text,
  amount_minor bigint,
  currency text
)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  scoped CONSTANT text := set_config('app.tenant', _tenant, true);
  one record;
BEGIN
  FOR one IN
    SELECT p.id, p.amount_minor, p.currency FROM public.payout p
    WHERE p.tenant_id = _tenant AND p.id = ANY (_payouts) AND p.state = 'pending_approval' ORDER BY p.id
  LOOP
    digest := command.approval_digest(_tenant => _tenant, _payout => one.id, _business => _business);
    IF digest IS NOT NULL THEN
      payout := one.id;
      amount_minor := one.amount_minor;
      currency := one.currency;
      RETURN NEXT;
    END IF;
  END LOOP;
END
$$;
