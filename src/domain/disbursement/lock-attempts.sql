-- Locks attempts, those that exist: each by its own look into the index, in the order of their ids. For one
-- condition on all ids PostgreSQL reads every attempt of a tenant that its statistics do not know, since it expects
-- to find none.
CREATE OR REPLACE FUNCTION command.lock_attempts(
  _tenant text,
  _attempts text[]
) RETURNS SETOF public.disbursement_attempt
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  scoped CONSTANT text := set_config('app.tenant', _tenant, true);
  wanted text;
  held public.disbursement_attempt;
BEGIN
  FOR wanted IN SELECT DISTINCT w.id FROM unnest(_attempts) AS w (id) ORDER BY w.id LOOP
    SELECT a.* INTO held FROM public.disbursement_attempt a
    WHERE a.tenant_id = _tenant AND a.id = wanted FOR NO KEY UPDATE;
    IF FOUND THEN
      RETURN NEXT held;
    END IF;
  END LOOP;
END
$$;
