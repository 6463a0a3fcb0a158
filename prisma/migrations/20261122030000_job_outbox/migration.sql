-- Jobs that a tenant's command asked for, in the command's own transaction. The relay (ops.relay_jobs) moves
-- them to graphile-worker in batches after the commit. To add a job to graphile-worker notifies its workers,
-- and PostgreSQL lets one notifying transaction commit at a time; an INSERT here waits for nobody.
--
-- The time within the id is when the job was asked for: of two jobs with one key the later id counts. There is
-- no foreign key to tenant, whose lock each insert would take: the rows live for milliseconds.
CREATE TABLE job_outbox (
  tenant_id text COLLATE "C" NOT NULL,
  id        uuid NOT NULL DEFAULT uuidv7(),
  task      text NOT NULL,
  payload   jsonb NOT NULL,
  -- Null for as soon as possible.
  run_at    timestamptz,
  -- A second job with the same key replaces the first, unless that one runs already.
  job_key   text,
  -- Of the jobs that are due those with the smaller number run first; null for 0.
  priority  smallint,
  PRIMARY KEY (tenant_id, id),
  -- What graphile-worker refuses is refused here, in the command: in a batch of the relay it would hold up others.
  CONSTRAINT job_outbox_task_check CHECK (length(task) <= 128),
  CONSTRAINT job_outbox_job_key_check CHECK (length(job_key) BETWEEN 1 AND 512)
) WITH (
  -- Each row is deleted soon after it was inserted. A vacuum that waits for a fifth of the table leaves
  -- the relay to step over the dead ones.
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
  autovacuum_vacuum_insert_threshold = -1, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000000
);
