-- Counts a further call of an attempt, only while the key window is open by the database's clock and no person has
-- to look at the attempt. As for the first call, the beneficiary must not be suspended and must be on no list of
-- sanctions, and a payout that it replaces must certainly not have been paid. The number of calls separates two runs of one job: a run whose look-up
-- came before the other's call finds a higher number.
CREATE OR REPLACE FUNCTION command.count_attempt_call(
  _tenant text,
  _attempt text,
  _calls integer,
  _beneficiary text,
  _key_expires_at timestamptz
) RETURNS TABLE (
  window_open boolean,
  held boolean,
  attempt public.disbursement_attempt -- or NULL, where none was counted
)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  scoped CONSTANT text := set_config('app.tenant', _tenant, true);
  at timestamptz := now();
  last_moment timestamptz := at + interval '1 minute';
  predecessor text;
BEGIN
  SELECT b.compliance_status = 'suspended' OR coalesce(b.screening, 'clear') <> 'clear' INTO held FROM public.beneficiary b
  WHERE b.tenant_id = _tenant AND b.id = _beneficiary FOR SHARE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  SELECT p.replaces_payout_id INTO predecessor
  FROM public.disbursement_attempt a JOIN public.payout p ON p.tenant_id = a.tenant_id AND p.id = a.payout_id
  WHERE a.tenant_id = _tenant AND a.id = _attempt;
  held := held OR (predecessor IS NOT NULL AND ops.is_contradicted(_tenant, predecessor));
  window_open := _key_expires_at > last_moment;
  IF NOT held THEN
    UPDATE public.disbursement_attempt AS a SET calls = a.calls + 1, status = 'prepared', called_at = at
    WHERE a.tenant_id = _tenant AND a.id = _attempt AND a.calls = _calls AND a.status IN ('prepared', 'unknown')
      AND a.key_expires_at > last_moment AND NOT a.needs_operator
    RETURNING a.* INTO attempt;
  END IF;
  RETURN NEXT;
END
$$;
