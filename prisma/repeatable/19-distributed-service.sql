-- ── On Citus (prisma/citus): functions of the service that are others there. ──
-- Without Citus, or before the tables are distributed, nothing happens.

DO $$
BEGIN
  IF NOT ops.is_distributed() THEN
    RETURN;
  END IF;

  -- Adds the jobs of the tenants that follow `after`, as 11-relay.sql says. They stay in the outbox, since the
  -- tenant's node and the coordinator do not commit together: a crash between the two would lose or double them.
  -- A note of what was added is part of the transaction that adds it, and a job with a note is not added again. It is
  -- read before the outbox: once a note is gone, its job is no longer there.
  CREATE OR REPLACE FUNCTION ops.relay_batch(after text, tenants integer, share integer, tries integer)
  RETURNS TABLE (moved integer, last_tenant text, kept boolean)
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $relay$
  #variable_conflict use_variable
  DECLARE
    names text[];
    free text[];
    noted uuid[];
    job public.job_outbox;
    taken public.job_outbox[] := '{}';
  BEGIN
    names := ARRAY(
      SELECT DISTINCT o.tenant_id FROM across.job_outbox o WHERE o.tenant_id > coalesce(after, '') ORDER BY o.tenant_id LIMIT tenants
    );
    last_tenant := CASE WHEN cardinality(names) = tenants THEN names[tenants] END;
    free := ARRAY(
      SELECT n.name FROM unnest(names) AS n (name) WHERE pg_try_advisory_xact_lock(hashtextextended('job_outbox ' || n.name, 0))
    );
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
    moved := cardinality(taken);
    IF moved > 0 THEN
      INSERT INTO public.relayed_job (id, tenant) SELECT t.id, t.tenant_id FROM unnest(taken) t;
      PERFORM ops.add_relayed(taken, tries);
    END IF;
    kept := EXISTS (SELECT 1 FROM public.relayed_job);
    RETURN NEXT;
  END
  $relay$;
END
$$;
