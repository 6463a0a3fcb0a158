-- ── On Citus (prisma/citus): which functions a node carries out whole. ──
-- A command is called with its tenant, and Citus hands it to the node that has the tenant's rows where it is the only
-- statement of its transaction. Functions that a command, or a statement on a tenant's table, calls are on every node.
-- Without Citus, or before the tables are distributed, nothing happens.
--
-- This comes before the operators' views are made: where one of them reads a table of the coordinator, Citus
-- refuses to send a function to the nodes that has a type in common with the view.

-- Whether the tables are distributed over the nodes of a Citus cluster. Names are not looked up before the extension
-- is there.
CREATE OR REPLACE FUNCTION ops.is_distributed() RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  distributed boolean := false;
BEGIN
  IF to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL THEN
    EXECUTE $find$
      SELECT EXISTS (SELECT 1 FROM pg_dist_partition WHERE logicalrelid = 'public.payout'::regclass AND partmethod = 'h')
    $find$ INTO distributed;
  END IF;
  RETURN distributed;
END
$$;

SET LOCAL citus.enable_ddl_propagation = on;

DO $$
DECLARE
  given record;
BEGIN
  IF NOT ops.is_distributed() THEN
    RETURN;
  END IF;
  SET LOCAL citus.multi_shard_modify_mode = 'sequential';

  -- The table of tenants is on the coordinator. It is asked once for each currency of a tenant.
  CREATE OR REPLACE FUNCTION command.is_sandbox(_tenant text) RETURNS boolean LANGUAGE plpgsql AS $sandbox$
  DECLARE
    told record;
  BEGIN
    SELECT c.success, c.result INTO told FROM run_command_on_coordinator(
      format('SELECT t.environment = ''sandbox'' FROM public.tenant t WHERE t.id = %L', _tenant)
    ) c;
    IF NOT told.success THEN
      RAISE EXCEPTION 'the coordinator does not answer: %', told.result USING ERRCODE = 'connection_failure';
    END IF;
    RETURN told.result::boolean;
  END
  $sandbox$;

  -- The place of an event among those of one millisecond (event.sequence). A sequence counts on each node by itself, and an
  -- event may be placed on the tenant's node or on the coordinator. So it is the time in microseconds, as `occurred_at`
  -- is the time, and within a transaction one more than the place before at least.
  CREATE OR REPLACE FUNCTION command.event_place() RETURNS bigint
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $place$
  DECLARE
    place bigint := greatest(
      (extract(epoch FROM clock_timestamp()) * 1000000)::bigint,
      nullif(current_setting('app.event_place', true), '')::bigint + 1
    );
  BEGIN
    PERFORM set_config('app.event_place', place::text, true);
    RETURN place;
  END
  $place$;

  FOR given IN
    SELECT p.oid::regprocedure AS function, p.proargnames[1] = '_tenant' AS of_tenant,
      CASE
        WHEN p.proname = 'add_payout' THEN 'force_generic_plan'
        WHEN p.proconfig::text LIKE '%plan_cache_mode%' THEN 'force_custom_plan'
      END AS plans
    FROM pg_proc p
    WHERE p.pronamespace = to_regnamespace('command')
      OR p.oid IN ('ops.is_contradicted(text,text)'::regprocedure, 'ops.bank_batch_by_hand(text,text[])'::regprocedure,
        'ops.debit_is_late(text)'::regprocedure, 'ops.debit_is_missing(text,text)'::regprocedure)
  LOOP
    IF given.plans IS NOT NULL THEN
      -- A plan for each call. Citus finds the node of a statement on several tables by its values. The plan of a
      -- statement on one table it could keep, but Citus 14 plans it again all the same and adds the plan to those that
      -- it has kept, tens of kB at each call, for as long as the connection lasts. It keeps none for an INSERT with a
      -- default that is clock_timestamp(), so add_payout has one plan, which is made once and costs less.
      EXECUTE format('ALTER FUNCTION %s SET plan_cache_mode = %s', given.function, given.plans);
    END IF;
    IF given.of_tenant THEN
      -- Within a transaction a command runs on the coordinator, and its statements on the node. A lock has to be on
      -- the node all the same, where other commands look for it.
      EXECUTE 'SELECT create_distributed_function($1, $2, colocate_with := $3, force_delegation := $4)'
        USING given.function, '_tenant', 'public.payout', given.function = 'command.lock_ledger(text)'::regprocedure;
    ELSE
      EXECUTE 'SELECT create_distributed_function($1)' USING given.function;
    END IF;
  END LOOP;

  IF NOT EXISTS (
    SELECT 1 FROM pg_attrdef d JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
    WHERE d.adrelid = 'public.event'::regclass AND a.attname = 'sequence'
      AND pg_get_expr(d.adbin, d.adrelid) = 'command.event_place()'
  ) THEN
    ALTER TABLE public.event ALTER COLUMN sequence SET DEFAULT command.event_place();
  END IF;
END
$$;

SET LOCAL citus.enable_ddl_propagation = off;
