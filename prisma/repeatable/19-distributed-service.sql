-- ── On Citus (prisma/citus): functions of the service that are others there. ──
-- Without Citus, or before the tables are distributed, nothing happens.

DO $$
BEGIN
  IF NOT ops.is_distributed() THEN
    RETURN;
  END IF;

  -- As 10-reach.sql says. Nobody waits long for a node that is gone without a trace: it is asked again and again.
  CREATE OR REPLACE FUNCTION ops.reach() RETURNS TABLE (silent text[], tenants text[])
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET citus.node_connection_timeout = 2000 AS $reach$
  #variable_conflict use_variable
  DECLARE
    groups integer[];
  BEGIN
    SELECT array_agg(c.nodename || ':' || c.nodeport), array_agg(n.groupid)
    INTO silent, groups
    FROM run_command_on_workers('SELECT 1') c
    JOIN pg_dist_node n ON n.nodename = c.nodename AND n.nodeport = c.nodeport
    WHERE NOT c.success;
    IF silent IS NULL THEN
      silent := '{}';
    ELSE
      tenants := ARRAY(
        SELECT t.id FROM public.tenant t
        JOIN pg_dist_placement p ON p.shardid = get_shard_id_for_distribution_column('public.payout', t.id)
        WHERE p.groupid <> ALL (groups)
      );
    END IF;
    RETURN NEXT;
  END
  $reach$;

  -- Adds the jobs of the tenants that follow `after`, as 11-relay.sql says. They stay in the outbox, since the
  -- tenant's node and the coordinator do not commit together: a crash between the two would lose or double them.
  -- A note of what was added is part of the transaction that adds it, and a job with a note is not added again. It is
  -- read before the outbox: once a note is gone, its job is no longer there. Whatever the caller says, it waits for its
  -- commit: the tenant's node forgets the job for good.
  --
  -- Here and in ops.clear_outbox the transaction may name the tenants that are reached, where a node does not answer.
  CREATE OR REPLACE FUNCTION ops.relay_batch(after text, tenants integer, share integer, tries integer, undoable boolean)
  RETURNS TABLE (moved integer, last_tenant text, kept boolean)
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $relay$
  #variable_conflict use_variable
  DECLARE
    reached text[] := nullif(current_setting('app.reached', true), '')::text[];
    names text[] := '{}';
    free text[];
    noted uuid[];
    job public.job_outbox;
    taken public.job_outbox[] := '{}';
  BEGIN
    -- Citus asks the nodes of the tenants that a statement names, and all nodes where it names none.
    IF reached IS NULL THEN
      names := ARRAY(
        SELECT DISTINCT o.tenant_id FROM across.job_outbox o
        WHERE o.tenant_id > coalesce(after, '') ORDER BY o.tenant_id LIMIT tenants
      );
    ELSIF cardinality(reached) > 0 THEN
      names := ARRAY(
        SELECT DISTINCT o.tenant_id FROM across.job_outbox o
        WHERE o.tenant_id > coalesce(after, '') AND o.tenant_id = ANY (reached) ORDER BY o.tenant_id LIMIT tenants
      );
    END IF;
    last_tenant := CASE WHEN cardinality(names) = tenants THEN names[tenants] END;
    free := ARRAY(
      SELECT n.name FROM unnest(names) AS n (name) WHERE pg_try_advisory_xact_lock(hashtextextended('job_outbox ' || n.name, 0))
    );
    IF cardinality(free) > 0 THEN
      noted := ARRAY(SELECT r.id FROM public.relayed_job r WHERE r.tenant = ANY (free));
      FOR job IN
        SELECT n.tenant_id, n.id, n.task, n.payload, n.run_at, n.job_key, n.priority FROM (
          SELECT o.*, row_number() OVER (PARTITION BY o.tenant_id ORDER BY o.id) AS place
          FROM public.job_outbox o WHERE o.tenant_id = ANY (free) AND o.id <> ALL (noted)
        ) n
        WHERE n.place <= share
      LOOP
        taken := taken || job;
      END LOOP;
    END IF;
    moved := cardinality(taken);
    IF moved > 0 THEN
      INSERT INTO public.relayed_job (id, tenant) SELECT t.id, t.tenant_id FROM unnest(taken) t;
      PERFORM ops.add_relayed(taken, tries);
    END IF;
    kept := EXISTS (SELECT 1 FROM public.relayed_job r WHERE reached IS NULL OR r.tenant = ANY (reached));
    RETURN NEXT;
  END
  $relay$;

  -- The horizon of the node that runs it, as 14-horizon.sql says. A statement that Citus sends to a node locks the
  -- part of the table that it touches (payout_102008), and a command the table too. A transaction that is prepared
  -- there has no session, and nothing is shown until Citus has ended it.
  CREATE OR REPLACE FUNCTION command.node_horizon() RETURNS timestamptz
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $horizon$
  BEGIN
    RETURN (
      SELECT least(now(), min(CASE
        WHEN s.xact_start IS NOT NULL THEN s.xact_start
        WHEN s.state <> 'disabled' THEN now()
        ELSE '-infinity'
      END)) - interval '100 milliseconds'
      FROM pg_locks l LEFT JOIN pg_stat_activity s ON s.pid = l.pid
      WHERE l.locktype = 'relation' AND l.mode = 'RowExclusiveLock' AND l.granted
        AND l.relation IN (
          SELECT c.oid FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relname ~ '^(payout|event|beneficiary|bank_account)(_[0-9]+)?$'
        )
        AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())
    );
  END
  $horizon$;

  -- The earliest horizon of all nodes, each by its own clock. The coordinator is first: a transaction that has ended
  -- there and not yet on another node is then seen on that one.
  CREATE OR REPLACE FUNCTION ops.changes_horizon() RETURNS TABLE (at timestamptz)
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $horizon$
  DECLARE
    node record;
  BEGIN
    at := command.node_horizon();
    FOR node IN SELECT * FROM run_command_on_workers('SELECT command.node_horizon()') LOOP
      IF NOT node.success THEN
        RAISE EXCEPTION 'node % does not answer: %', node.nodename, node.result USING ERRCODE = 'connection_failure';
      END IF;
      at := least(at, node.result::timestamptz);
    END LOOP;
    RETURN NEXT;
  END
  $horizon$;

  SET LOCAL citus.enable_ddl_propagation = on;
  PERFORM create_distributed_function('command.node_horizon()'::regprocedure);
  SET LOCAL citus.enable_ddl_propagation = off;
END
$$;
