-- Records a decision that moves nothing. No row for a payout in another state; no decision in it when the payout has
-- a hundred already, so that an agent that never ends fills no table.
CREATE OR REPLACE FUNCTION command.review_payout(
  _tenant text,
  _payout text,
  _states text[],
  _decision jsonb
) RETURNS TABLE (
  payout public.payout,
  decision public.payout_decision -- or NULL
)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  scoped CONSTANT text := set_config('app.tenant', _tenant, true);
  known bigint;
BEGIN
  SELECT p.* INTO payout FROM public.payout p WHERE p.tenant_id = _tenant AND p.id = _payout FOR SHARE;
  IF NOT FOUND OR payout.state <> ALL (_states) THEN
    RETURN;
  END IF;
  SELECT count(*) INTO known FROM public.payout_decision e
  WHERE e.tenant_id = _tenant AND e.payout_id = _payout;
  IF known < 100 THEN
    decision := command.record_decision(_tenant => _tenant, _payout => _payout, _decision => _decision);
  END IF;
  RETURN NEXT;
END
$$;
