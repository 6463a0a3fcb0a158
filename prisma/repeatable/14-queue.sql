-- ── The queue: which jobs the slots of a worker take next. ──
-- The service calls it (jobs/queue-statements.ts) with its own rights. What 10-service.sql says of its functions
-- holds here too: replaced and never dropped.

-- Locks jobs of these tasks that are due, the most urgent first, and returns their ids; at most `most`, and none
-- that another transaction holds. Jobs of a named queue are left out.
--
-- It reads along the index of jobs that wait, in its order. Where the statistics are older than a backlog,
-- PostgreSQL expects a handful of jobs, and each worker would read and sort the whole backlog for each few jobs
-- that it takes. A scan in order also drops the index entries of ended jobs, of which the next one is spared.
CREATE OR REPLACE FUNCTION ops.due_jobs(tasks integer[], most integer) RETURNS SETOF bigint
LANGUAGE plpgsql ROWS 10 SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_generic_plan SET enable_sort = off SET enable_bitmapscan = off SET enable_seqscan = off
AS $$
BEGIN
  RETURN QUERY
    SELECT j.id FROM graphile_worker._private_jobs j
    WHERE j.is_available AND j.run_at <= now() AND j.task_id = ANY (tasks) AND j.job_queue_id IS NULL
    ORDER BY j.priority, j.run_at LIMIT most FOR UPDATE SKIP LOCKED;
END
$$;
