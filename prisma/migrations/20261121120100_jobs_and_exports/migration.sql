-- ── What the worker did: graphile-worker forgets a job that has ended. ──

CREATE TABLE job_run (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  job_id       bigint NOT NULL,
  task         text NOT NULL,
  tenant_id    text COLLATE "C",
  -- What the job is about: the id of the payout, delivery, enrollment …
  subject_id   text COLLATE "C",
  attempt      integer NOT NULL,
  max_attempts integer NOT NULL,
  outcome      text NOT NULL,
  error        text,
  worker_id    text COLLATE "C",
  run_at       timestamptz(3) NOT NULL,
  started_at   timestamptz(3) NOT NULL,
  ended_at     timestamptz(3) NOT NULL,
  CONSTRAINT job_run_outcome_check CHECK (outcome IN ('succeeded', 'failed', 'canceled'))
);
CREATE INDEX job_run_ended_at_idx ON job_run (ended_at);
CREATE INDEX job_run_subject_id_idx ON job_run (subject_id, id) WHERE subject_id IS NOT NULL;

-- A task that no worker takes up, on every worker within seconds.
CREATE TABLE paused_task (
  task      text PRIMARY KEY,
  paused_by text NOT NULL,
  reason    text NOT NULL,
  paused_at timestamptz(3) NOT NULL DEFAULT now()
);

-- Told with each heartbeat: the state of the worker's circuit to each provider, and how soon the next
-- one follows; a worker of the release before tells neither.
ALTER TABLE worker_heartbeat
  ADD COLUMN circuits jsonb NOT NULL DEFAULT '{}',
  ADD COLUMN beat_ms  integer NOT NULL DEFAULT 5000;

-- ── Exports that a job writes (decisions 10). ──

CREATE TABLE export_schedule (
  tenant_id   text COLLATE "C" NOT NULL REFERENCES tenant (id),
  id          uuid NOT NULL DEFAULT uuidv7(),
  kind        text NOT NULL,
  -- As the query parameters of the export's endpoint, for example {"state": ["settled"]}.
  filter      jsonb NOT NULL DEFAULT '{}',
  every       interval NOT NULL,
  next_run_at timestamptz(3) NOT NULL,
  created_by  text NOT NULL,
  created_at  timestamptz(3) NOT NULL DEFAULT now(),
  ended_at    timestamptz(3),
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT export_schedule_kind_check CHECK (kind IN ('transactions', 'beneficiaries')),
  -- Each step leads on: an interval such as '1 month -29 days' is none for a calendar.
  CONSTRAINT export_schedule_every_check CHECK (
    every BETWEEN interval '1 hour' AND interval '10 years'
    AND least(
      extract(year FROM every), extract(month FROM every), extract(day FROM every),
      extract(hour FROM every), extract(minute FROM every), extract(second FROM every)
    ) >= 0
  )
);
-- For the job that starts what is due, which looks across tenants.
CREATE INDEX export_schedule_due_idx ON export_schedule (next_run_at) WHERE ended_at IS NULL;

CREATE TABLE export (
  tenant_id    text COLLATE "C" NOT NULL REFERENCES tenant (id),
  id           text COLLATE "C" NOT NULL,
  kind         text NOT NULL,
  filter       jsonb NOT NULL DEFAULT '{}',
  filename     text NOT NULL,
  status       text NOT NULL DEFAULT 'pending',
  -- Which run of the job wrote the chunks: one that died left chunks of an older generation.
  generation   integer NOT NULL DEFAULT 0,
  row_count    bigint NOT NULL DEFAULT 0,
  byte_count   bigint NOT NULL DEFAULT 0,
  error        text,
  schedule_id  uuid,
  requested_by jsonb NOT NULL,
  created_at   timestamptz(3) NOT NULL DEFAULT now(),
  started_at   timestamptz(3),
  completed_at timestamptz(3),
  expires_at   timestamptz(3),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, schedule_id) REFERENCES export_schedule (tenant_id, id),
  CONSTRAINT export_kind_check CHECK (kind IN ('transactions', 'beneficiaries')),
  CONSTRAINT export_status_check CHECK (status IN ('pending', 'running', 'completed', 'failed', 'expired'))
);
-- For the jobs that look across tenants: for what has expired, and for what stands still.
CREATE INDEX export_expiry_idx ON export (expires_at) WHERE status = 'completed';
CREATE INDEX export_live_idx ON export (tenant_id, created_at) WHERE status IN ('pending', 'running');

-- The file in pieces of 1 MiB, so that a range of it is found by its numbers alone.
CREATE TABLE export_chunk (
  tenant_id  text COLLATE "C" NOT NULL,
  export_id  text COLLATE "C" NOT NULL,
  generation integer NOT NULL,
  seq        integer NOT NULL,
  content    bytea NOT NULL,
  PRIMARY KEY (tenant_id, export_id, generation, seq),
  FOREIGN KEY (tenant_id, export_id) REFERENCES export (tenant_id, id)
);
-- Not compressed by the server: its compression is slower than the COPY that fills the pieces.
ALTER TABLE export_chunk ALTER COLUMN content SET STORAGE EXTERNAL;

-- ── Retention: what a job deletes must be found without reading everything. ──
CREATE INDEX provider_event_closed_idx ON provider_event (received_at) WHERE status <> 'received';
