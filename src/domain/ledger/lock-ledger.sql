-- The lock of a tenant's books, until the transaction ends. Citus takes it on the tenant's node, wherever its caller
-- runs, so it is called as an item of FROM.
CREATE OR REPLACE FUNCTION command.lock_ledger(
  _tenant text
) RETURNS boolean
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  scoped CONSTANT text := set_config('app.tenant', _tenant, true);
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('ledger ' || _tenant, 0));
  RETURN true;
END
$$;
