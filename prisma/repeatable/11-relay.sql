-- ── The relay: moves jobs from the outbox to graphile-worker. ──
-- The service calls it (jobs/relay-batch.ts) with its own rights. What 10-service.sql says of its functions
-- holds here too: replaced and never dropped.

-- Moves the jobs of the tenants that follow `after`, of `tenants` tenants at most and `share` jobs of each, so
-- that a tenant with very many jobs keeps no other waiting. Returns how many jobs it took from the outbox, and
-- the tenant after which to go on; null after the last one. `tries` is how often a job is tried.
--
-- Taking and adding are one transaction: a crash loses no job and doubles none. Of one tenant one transaction
-- at a time moves jobs, since a job must not replace a later one with its key. The names of graphile-worker's
-- types stay out of the declarations: its schema is made after this function.
--
-- The outbox and the queue are short and change all the time, so their statistics say little. Whatever these say,
-- rows are found by an index, since a scan of the whole table also reads what was deleted and is not cleaned up yet.
CREATE OR REPLACE FUNCTION ops.relay_jobs(after text, tenants integer, share integer, tries integer)
RETURNS TABLE (moved integer, last_tenant text)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
AS $$
#variable_conflict use_variable
DECLARE
  part public.job_outbox[];
  taken public.job_outbox[] := '{}';
BEGIN
  last_tenant := coalesce(after, '');
  FOR turn IN 1 .. tenants LOOP
    last_tenant := (
      SELECT o.tenant_id FROM across.job_outbox o WHERE o.tenant_id > last_tenant ORDER BY o.tenant_id, o.id LIMIT 1
    );
    EXIT WHEN last_tenant IS NULL;
    PERFORM set_config('app.tenant', last_tenant, true);
    CONTINUE WHEN NOT pg_try_advisory_xact_lock(hashtextextended('job_outbox ' || last_tenant, 0));
    WITH gone AS (
      DELETE FROM public.job_outbox o WHERE o.tenant_id = last_tenant AND o.id = ANY (ARRAY(
        SELECT i.id FROM public.job_outbox i WHERE i.tenant_id = last_tenant ORDER BY i.id LIMIT share
      ))
      RETURNING o.*
    )
    SELECT array_agg(g) INTO part FROM gone g;
    taken := taken || part;
  END LOOP;
  moved := cardinality(taken);
  IF moved > 0 THEN
    PERFORM graphile_worker.add_jobs(ARRAY(
      SELECT ROW(j.task, j.payload::json, NULL, j.run_at, tries, j.job_key, j.priority, NULL)::graphile_worker.job_spec
      FROM (
        SELECT k.*, row_number() OVER (PARTITION BY k.tenant_id ORDER BY k.id) AS place FROM (
          -- add_jobs takes no key twice, and the last one counts.
          SELECT DISTINCT ON (coalesce(t.job_key, t.id::text)) t.* FROM unnest(taken) t
          ORDER BY coalesce(t.job_key, t.id::text), t.id DESC
        ) k
      ) j
      ORDER BY j.place, j.id
    ));
  END IF;
  RETURN NEXT;
END
$$;
