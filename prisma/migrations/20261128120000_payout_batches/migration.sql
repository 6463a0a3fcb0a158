-- Rows of payments that are checked as a whole and submitted as one thing (src/domain/payout-batch). A file for a bank is
-- another thing: bank_batch.
CREATE TABLE payout_batch (
  tenant_id        text COLLATE "C" NOT NULL REFERENCES tenant (id),
  id               text COLLATE "C" NOT NULL,
  name             text NOT NULL,
  idempotency_key  text COLLATE "C" NOT NULL,
  request_hash     bytea NOT NULL,
  state            text COLLATE "C" NOT NULL DEFAULT 'draft'
    CHECK (state IN ('draft', 'submitted', 'completed', 'canceled')),
  row_count        integer NOT NULL CHECK (row_count >= 0),
  -- Counts the changes of the rows of a draft, and which of them was checked whole.
  revision         integer NOT NULL DEFAULT 1,
  checked_revision integer,
  checked_at       timestamptz(3),
  created_by       jsonb NOT NULL,
  created_at       timestamptz(3) NOT NULL DEFAULT now(),
  submitted_by     jsonb,
  submitted_at     timestamptz(3),
  -- When each row had its payout or the reason why it has none.
  made_at          timestamptz(3),
  approved_at      timestamptz(3),
  completed_at     timestamptz(3),
  canceled_by      jsonb,
  canceled_at      timestamptz(3),
  updated_at       timestamptz(3) NOT NULL DEFAULT now(),
  -- What a job has still to do, and from when on. NULL: nothing.
  work             text COLLATE "C" CHECK (work IN ('make', 'follow', 'cancel')),
  look_at          timestamptz(3),
  PRIMARY KEY (tenant_id, id),
  CHECK ((work IS NULL) = (look_at IS NULL)),
  CHECK (state <> 'draft' OR work IS NULL),
  CHECK ((state = 'canceled') = (canceled_at IS NOT NULL))
);
CREATE UNIQUE INDEX payout_batch_idempotency_key ON payout_batch (tenant_id, idempotency_key);
CREATE INDEX payout_batch_work_idx ON payout_batch (look_at) WHERE work IS NOT NULL;

-- What was given for each payout, and what was last found out about it.
CREATE TABLE payout_batch_row (
  tenant_id          text COLLATE "C" NOT NULL,
  batch_id           text COLLATE "C" NOT NULL,
  n                  integer NOT NULL CHECK (n > 0),
  beneficiary_id     text COLLATE "C" NOT NULL,
  bank_account_id    text COLLATE "C" NOT NULL,
  -- As it was given; and as minor units, where it is an amount of them.
  amount_given       text NOT NULL,
  amount_minor       bigint,
  currency           text COLLATE "C" NOT NULL,
  purpose_of_payment text,
  external_ref       text,
  metadata           jsonb,
  added_by           jsonb NOT NULL,
  left_out           boolean NOT NULL DEFAULT false,
  -- NULL: not looked at yet. `failed`: no payout could be made of it. `made` is written after its payout, which is what counts.
  status             text COLLATE "C" CHECK (status IN ('ready', 'wrong', 'failed', 'made')),
  error              jsonb,
  -- Who would pay it, as the routes stood.
  provider           text COLLATE "C",
  PRIMARY KEY (tenant_id, batch_id, n),
  CONSTRAINT payout_batch_row_batch_fkey FOREIGN KEY (tenant_id, batch_id) REFERENCES payout_batch (tenant_id, id)
    DEFERRABLE INITIALLY DEFERRED,
  CHECK ((error IS NOT NULL) = (status IS NOT NULL AND status IN ('wrong', 'failed')))
);

-- A row has one payout at most, however often it is made.
ALTER TABLE payout
  ADD COLUMN batch_id text COLLATE "C",
  ADD COLUMN batch_row integer,
  ADD CONSTRAINT payout_batch_check CHECK ((batch_id IS NULL) = (batch_row IS NULL)) NOT VALID,
  ADD CONSTRAINT payout_batch_row_fkey FOREIGN KEY (tenant_id, batch_id, batch_row)
    REFERENCES payout_batch_row (tenant_id, batch_id, n) DEFERRABLE INITIALLY DEFERRED NOT VALID;
ALTER TABLE payout VALIDATE CONSTRAINT payout_batch_check;
ALTER TABLE payout VALIDATE CONSTRAINT payout_batch_row_fkey;
CREATE UNIQUE INDEX payout_batch_row_key ON payout (tenant_id, batch_id, batch_row) WHERE batch_id IS NOT NULL;
