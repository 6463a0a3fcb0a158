-- ── On Citus (prisma/citus): how operators read what the nodes hold. ──
-- Without Citus, or before the tables are distributed, nothing happens.

DO $$
DECLARE
  given record;
  before text;
BEGIN
  IF NOT ops.is_distributed() THEN
    RETURN;
  END IF;
  -- Citus finds the nodes of a statement by its values, so it makes a plan for each call.
  FOR given IN
    SELECT p.oid::regprocedure AS function FROM pg_proc p
    WHERE p.pronamespace = 'ops'::regnamespace AND p.proname IN ('explain_payouts', 'find_stuck_payouts')
  LOOP
    EXECUTE format('ALTER FUNCTION %s RESET plan_cache_mode', given.function);
  END LOOP;

  -- The job stays in the outbox of the tenant's node, which does not commit together with the coordinator. It is noted
  -- as one that a relay has added, in the transaction that adds the job of the operator. So no relay adds it, and the
  -- next one takes it out. The lock is that of a relay, which may be adding it at this moment.
  CREATE OR REPLACE FUNCTION ops.drop_waiting(tenant text, waits_as text) RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $drop$
  #variable_conflict use_variable
  DECLARE
    waiting uuid[];
  BEGIN
    IF tenant IS NULL OR waits_as IS NULL THEN
      RETURN;
    END IF;
    PERFORM pg_advisory_xact_lock(hashtextextended('job_outbox ' || tenant, 0));
    waiting := ARRAY(SELECT o.id FROM public.job_outbox o WHERE o.tenant_id = tenant AND o.job_key = waits_as);
    INSERT INTO public.relayed_job (id, tenant) SELECT w.id, tenant FROM unnest(waiting) AS w (id)
    ON CONFLICT DO NOTHING;
  END
  $drop$;

  -- Texts that are made on the node of the rows.
  FOR given IN
    SELECT p.oid::regprocedure AS function FROM pg_proc p
    WHERE p.pronamespace = 'ops'::regnamespace AND p.proname IN (
      'span_text', 'taken_line', 'without_addresses', 'one_line', 'actor_text', 'bank_batch_step')
  LOOP
    SET LOCAL citus.enable_ddl_propagation = on;
    PERFORM create_distributed_function(given.function);
    SET LOCAL citus.enable_ddl_propagation = off;
  END LOOP;

  -- Operators have no rights on the nodes, and log in at the coordinator alone. So what a view reads of tenants is read with
  -- the rights of its owner, by a function. Definitions name the schema of all but the system's own tables then.
  before := current_setting('search_path');
  PERFORM set_config('search_path', 'pg_catalog', true);
  FOR given IN
    SELECT DISTINCT c.oid, c.relname AS name, pg_get_viewdef(c.oid) AS definition
    FROM pg_class c
    JOIN pg_rewrite w ON w.ev_class = c.oid
    JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = w.oid AND d.refclassid = 'pg_class'::regclass
    JOIN pg_dist_partition p ON p.logicalrelid = d.refobjid
    WHERE c.relnamespace = 'ops'::regnamespace AND c.relkind = 'v'
    ORDER BY c.oid DESC
  LOOP
    EXECUTE format(
      'CREATE FUNCTION ops.%I() RETURNS TABLE (%s) LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
       AS %L',
      'rows_of_' || given.name,
      (SELECT string_agg(format('%I %s', a.attname, format_type(a.atttypid, a.atttypmod)), ', ' ORDER BY a.attnum)
       FROM pg_attribute a WHERE a.attrelid = given.oid AND a.attnum > 0),
      format(E'#variable_conflict use_column\nBEGIN RETURN QUERY %s END', given.definition));
    EXECUTE format('CREATE OR REPLACE VIEW ops.%I AS SELECT %s FROM ops.%I() r', given.name,
      (SELECT string_agg(format('r.%I::%s %s AS %I', a.attname, format_type(a.atttypid, a.atttypmod),
         'COLLATE ' || nullif(a.attcollation, t.typcollation)::regcollation, a.attname), ', ' ORDER BY a.attnum)
       FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid WHERE a.attrelid = given.oid AND a.attnum > 0),
      'rows_of_' || given.name);
    EXECUTE format('GRANT EXECUTE ON FUNCTION ops.%I() TO ops_read', 'rows_of_' || given.name);
  END LOOP;
  PERFORM set_config('search_path', before, true);
END
$$;
