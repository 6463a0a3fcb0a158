-- ── An id that an operator named. ──

-- The line of ops.action_log by which an operator named the provider's payment. Null where the provider
-- named it, and from when it named another one: then provider_payout_id is the provider's own.
ALTER TABLE disbursement_attempt ADD COLUMN named_by uuid;

-- ── Operators who work together. ──

-- A resolution that waits for a second person, and the answer. The worker adds the row when it finds an order
-- that needs one, or the second person does who is faster.
CREATE TABLE ops.order_confirmation (
  -- The line of ops.action_log that is the order.
  action_id   uuid PRIMARY KEY REFERENCES ops.action_log (id),
  asked_at    timestamptz(3) NOT NULL DEFAULT now(),
  answer      text,
  answered_at timestamptz(3),
  -- A login role, or the id of an operator's key.
  answered_by text,
  CONSTRAINT order_confirmation_answer_check CHECK (answer IN ('confirmed', 'declined')),
  CONSTRAINT order_confirmation_answered_check
    CHECK ((answer IS NULL) = (answered_at IS NULL) AND (answer IS NULL) = (answered_by IS NULL))
);
CREATE INDEX order_confirmation_open_idx ON ops.order_confirmation (asked_at) WHERE answer IS NULL;

-- What an operator works on, so that a second one sees it.
CREATE TABLE ops.taken (
  -- The id of a payout, a delivery, a contradiction …, or the number of a job.
  subject_id text COLLATE "C" PRIMARY KEY,
  who        text NOT NULL DEFAULT session_user,
  note       text NOT NULL,
  at         timestamptz(3) NOT NULL DEFAULT now()
);
