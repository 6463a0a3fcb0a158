-- Looks at a payout of which a step may have expired (restart-steps.sql), and notes when to look again: not before the
-- payout waits for an approval, and never once it cannot come to that any more. `expired` says whether it went back to its
-- first step. No row where another process looks at it already, or has just done so.
CREATE OR REPLACE FUNCTION command.expire_approval(
  _tenant text,
  _payout text,
  _business text
) RETURNS TABLE (
  expired boolean
)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  scoped CONSTANT text := set_config('app.tenant', _tenant, true);
  at timestamptz := now();
  found_state text;
  before integer;
  next_at timestamptz;
BEGIN
  SELECT p.state INTO found_state FROM public.payout p WHERE p.tenant_id = _tenant AND p.id = _payout FOR NO KEY UPDATE;
  PERFORM 1 FROM public.approval_expiry e WHERE e.tenant_id = _tenant AND e.payout_id = _payout AND e.due_at <= at;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  expired := false;
  IF found_state = 'pending_approval' THEN
    SELECT max(r.round) INTO before FROM public.payout_requirement r WHERE r.tenant_id = _tenant AND r.payout_id = _payout;
    next_at := command.restart_steps(_tenant => _tenant, _payout => _payout, _business => _business);
    SELECT max(r.round) > before INTO expired FROM public.payout_requirement r
    WHERE r.tenant_id = _tenant AND r.payout_id = _payout;
  ELSIF found_state IN ('compliance_hold', 'approved') THEN
    next_at := at + interval '1 hour';
  END IF;
  IF next_at IS NULL THEN
    DELETE FROM public.approval_expiry e WHERE e.tenant_id = _tenant AND e.payout_id = _payout;
  ELSE
    UPDATE public.approval_expiry e SET due_at = next_at WHERE e.tenant_id = _tenant AND e.payout_id = _payout;
  END IF;
  RETURN NEXT;
END
$$;
