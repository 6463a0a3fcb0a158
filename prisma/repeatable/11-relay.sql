-- ── The relay: moves jobs from the outbox to graphile-worker. ──
-- The service calls it (jobs/relay-batch.ts) with its own rights. What 10-service.sql says of its functions
-- holds here too: replaced and never dropped.

-- Adds jobs that were taken from the outbox to graphile-worker. `tries` is how often a job is tried. The names of
-- graphile-worker's types stay out of the declarations: its schema is made after this function.
CREATE OR REPLACE FUNCTION ops.add_relayed(given public.job_outbox[], tries integer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  taken public.job_outbox[];
  known text[];
  keys text[];
  direct integer;
BEGIN
  -- Jobs of the tenants in turn. No key twice: the last one counts.
  taken := ARRAY(
    SELECT ROW(j.*)::public.job_outbox FROM (
      SELECT DISTINCT ON (coalesce(t.job_key, t.id::text)) t.* FROM unnest(given) t
      ORDER BY coalesce(t.job_key, t.id::text), t.id DESC
    ) j
    ORDER BY row_number() OVER (PARTITION BY j.tenant_id ORDER BY j.id), j.id
  );
  -- A job whose key no other one has is added at once. add_jobs first looks for every key and for every task, and
  -- replaces what has the key, so it gets the others.
  known := ARRAY(SELECT k.identifier FROM graphile_worker._private_tasks k);
  WITH fresh AS (
    INSERT INTO graphile_worker._private_jobs (task_id, payload, run_at, max_attempts, key, priority)
    SELECT k.id, t.payload::json, coalesce(t.run_at, now()), tries, t.job_key, coalesce(t.priority, 0)
    FROM unnest(taken) WITH ORDINALITY t JOIN graphile_worker._private_tasks k ON k.identifier = t.task
    WHERE t.task = ANY (known)
    ORDER BY t.ordinality
    ON CONFLICT (key) DO NOTHING
    RETURNING key
  )
  SELECT count(*), array_agg(f.key) INTO direct, keys FROM fresh f;
  IF direct > 0 THEN
    PERFORM pg_notify('jobs:insert', json_build_object('r', random(), 'count', direct)::text);
  END IF;
  IF direct < cardinality(taken) THEN
    PERFORM graphile_worker.add_jobs(ARRAY(
      SELECT ROW(t.task, t.payload::json, NULL, t.run_at, tries, t.job_key, t.priority, NULL)::graphile_worker.job_spec
      FROM unnest(taken) WITH ORDINALITY t
      WHERE t.task <> ALL (known) OR t.job_key IS NOT NULL AND t.job_key NOT IN (
        SELECT a.key FROM unnest(keys) AS a (key) WHERE a.key IS NOT NULL
      )
      ORDER BY t.ordinality
    ));
  END IF;
END
$$;

-- Moves the jobs of the tenants that follow `after`, of `tenants` tenants at most and `share` jobs of each, so
-- that a tenant with very many jobs keeps no other waiting. Returns how many jobs it added, the tenant after which
-- to go on, null after the last one, and whether jobs that were added are still in the outbox: on Citus they are,
-- until ops.clear_outbox has taken them out (19-distributed-service.sql).
--
-- Taking and adding are one transaction: a crash loses no job and doubles none. Of one tenant one transaction
-- at a time moves jobs, since a job must not replace a later one with its key. Where it is `undoable`, the transaction
-- does not wait until its commit is on disk (src/db/lazily.ts).
--
-- The outbox and the queue are short and change all the time, so their statistics say little. Whatever these say,
-- rows are found by an index, since a scan of the whole table also reads what was deleted and is not cleaned up yet.
CREATE OR REPLACE FUNCTION ops.relay_batch(after text, tenants integer, share integer, tries integer, undoable boolean)
RETURNS TABLE (moved integer, last_tenant text, kept boolean)
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
  kept := false;
  IF moved > 0 THEN
    IF undoable THEN
      PERFORM set_config('synchronous_commit', 'off', true);
    END IF;
    PERFORM ops.add_relayed(taken, tries);
  END IF;
  RETURN NEXT;
END
$$;

-- For the version before, which calls it during a rolling deployment.
CREATE OR REPLACE FUNCTION ops.relay_jobs(after text, tenants integer, share integer, tries integer)
RETURNS TABLE (moved integer, last_tenant text)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN QUERY SELECT b.moved, b.last_tenant FROM ops.relay_batch(after, tenants, share, tries, false) b;
END
$$;

-- Takes jobs of one tenant that a relay has added out of the outbox, `most` at a time, where the outbox and the queue
-- are not on one node. Returns whether there are more.
--
-- Citus commits on the tenant's node first. A crash after that leaves a note of a job that is no longer in the
-- outbox, which the next call forgets.
CREATE OR REPLACE FUNCTION ops.clear_outbox(most integer) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  reached text[] := nullif(current_setting('app.reached', true), '')::text[];
  subject text := (SELECT r.tenant FROM public.relayed_job r WHERE reached IS NULL OR r.tenant = ANY (reached) LIMIT 1);
  moved uuid[];
BEGIN
  WITH gone AS (
    DELETE FROM public.relayed_job n WHERE n.id = ANY (ARRAY(
      SELECT r.id FROM public.relayed_job r WHERE r.tenant = subject ORDER BY r.id LIMIT most
    ))
    RETURNING n.id
  )
  SELECT array_agg(g.id) INTO moved FROM gone g;
  PERFORM set_config('app.tenant', subject, true);
  DELETE FROM public.job_outbox o WHERE o.tenant_id = subject AND o.id = ANY (moved);
  RETURN subject IS NOT NULL;
END
$$;
