-- ── On Citus (prisma/citus): which functions a node carries out whole. ──
-- A command is called with its tenant, and Citus hands it to the node that has the tenant's rows. Functions that
-- a command, or a statement on a tenant's table, calls are on every node. Without Citus, or before the tables are distributed, nothing happens.

DO $$
DECLARE
  given record;
BEGIN
  IF to_regclass('pg_catalog.pg_dist_partition') IS NULL THEN
    RETURN;
  END IF;
  -- The name is not looked up before the extension is there.
  EXECUTE $find$
    SELECT 1 FROM pg_dist_partition WHERE logicalrelid = 'public.payout'::regclass AND partmethod = 'h'
  $find$ INTO given;
  IF given IS NULL THEN
    RETURN;
  END IF;
  SET LOCAL citus.multi_shard_modify_mode = 'sequential';
  FOR given IN
    SELECT p.oid::regprocedure AS function, p.proargnames[1] = '_tenant' AS of_tenant
    FROM pg_proc p
    WHERE p.pronamespace = to_regnamespace('command')
      OR p.oid IN ('ops.is_contradicted(text,text)'::regprocedure, 'ops.bank_batch_by_hand(text,text[])'::regprocedure,
        'ops.debit_is_late(text)'::regprocedure, 'ops.debit_is_missing(text,text)'::regprocedure)
  LOOP
    IF given.of_tenant THEN
      EXECUTE 'SELECT create_distributed_function($1, $2, colocate_with := $3)'
        USING given.function, '_tenant', 'public.payout';
    ELSE
      EXECUTE 'SELECT create_distributed_function($1)' USING given.function;
    END IF;
  END LOOP;
END
$$;
