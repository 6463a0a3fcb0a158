-- ── Batches: payouts that leave as files for banks (docs/bank-batches.md). ──

-- Approved payouts that wait for the next file of a connection. Until a file has a payout, it can be canceled
-- and held: the row is a note that finds it, and says nothing about it.
CREATE TABLE bank_waiting (
  tenant_id     text COLLATE "C" NOT NULL,
  payout_id     text COLLATE "C" NOT NULL,
  connection_id text COLLATE "C" NOT NULL,
  scheme        text COLLATE "C" NOT NULL,
  currency      text COLLATE "C" NOT NULL,
  since         timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, payout_id),
  CONSTRAINT bank_waiting_payout_fkey FOREIGN KEY (tenant_id, payout_id)
    REFERENCES payout (tenant_id, id) DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT bank_waiting_scheme_check
    CHECK (scheme IN ('sepa_credit_transfer', 'sepa_instant', 'uk_domestic', 'us_wire', 'cross_border', 'ach'))
);
CREATE INDEX bank_waiting_queue_idx
  ON bank_waiting (tenant_id, connection_id, scheme, currency, since, payout_id);

-- What a connection has numbered so far.
CREATE TABLE bank_sequence (
  tenant_id     text COLLATE "C" NOT NULL,
  connection_id text COLLATE "C" NOT NULL,
  -- Entries of Nacha files; a trace number holds the last seven digits.
  traces        bigint NOT NULL DEFAULT 0,
  -- Nacha files of `files_on` (`YYYY-MM-DD`, a day of the connection's wall clock): the modifier tells them apart.
  files_on      text COLLATE "C",
  files         integer NOT NULL DEFAULT 0,
  -- Why the latest try to close a batch made no file, in the service's words.
  problem       text,
  PRIMARY KEY (tenant_id, connection_id),
  FOREIGN KEY (tenant_id) REFERENCES tenant (id)
);

-- A file for a bank. Its bytes are fixed when the batch closes: every repetition sends these.
CREATE TABLE bank_batch (
  tenant_id              text COLLATE "C" NOT NULL,
  id                     text COLLATE "C" NOT NULL,
  connection_id          text COLLATE "C" NOT NULL,
  scheme                 text COLLATE "C" NOT NULL,
  currency               text COLLATE "C" NOT NULL,
  status                 text COLLATE "C" NOT NULL DEFAULT 'closed',
  -- Never used again at this bank.
  message_id             text COLLATE "C" NOT NULL,
  file_name              text COLLATE "C" NOT NULL,
  -- Of the bytes that the bank gets, in hexadecimal digits.
  sha256                 text COLLATE "C" NOT NULL,
  size_bytes             integer NOT NULL,
  content                bytea NOT NULL,
  content_key_ciphertext bytea NOT NULL,
  payment_count          integer NOT NULL,
  control_sum_minor      bigint NOT NULL,
  -- `YYYY-MM-DD`, a day of the bank's calendar.
  execution_date         text COLLATE "C" NOT NULL,
  closed_by              text COLLATE "C" NOT NULL,
  closed_at              timestamptz(3) NOT NULL DEFAULT now(),
  -- How often the file was brought to the bank under a temporary name. The number is part of that name.
  stagings               integer NOT NULL DEFAULT 0,
  -- When the file was about to get its own name at the bank.
  sending_at             timestamptz(3),
  sent_at                timestamptz(3),
  -- When it was recorded of every payment that the bank has it.
  taken_at               timestamptz(3),
  -- Why the latest try did not bring it there, in the service's words.
  problem                text,
  needs_operator         boolean NOT NULL DEFAULT false,
  -- By hand: the people who have had the file, and the one who recorded that it was uploaded.
  downloaded_by          text[] NOT NULL DEFAULT '{}',
  uploaded_by            text,
  -- Who found that the bank has not got the file: a second person has to agree before it is sent again.
  resend_asked_by        text,
  updated_at             timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id) REFERENCES tenant (id),
  CONSTRAINT bank_batch_message_id_key UNIQUE (tenant_id, connection_id, message_id),
  CONSTRAINT bank_batch_file_name_key UNIQUE (tenant_id, connection_id, file_name),
  CONSTRAINT bank_batch_scheme_check
    CHECK (scheme IN ('sepa_credit_transfer', 'sepa_instant', 'uk_domestic', 'us_wire', 'cross_border', 'ach')),
  CONSTRAINT bank_batch_status_check CHECK (status IN ('closed', 'sending', 'sent', 'unknown', 'rejected')),
  CONSTRAINT bank_batch_closed_by_check CHECK (closed_by IN ('cut_off', 'full', 'request')),
  CONSTRAINT bank_batch_message_id_check CHECK (length(message_id) BETWEEN 1 AND 35),
  CONSTRAINT bank_batch_execution_date_check CHECK (execution_date ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
  CONSTRAINT bank_batch_sha256_check CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  CONSTRAINT bank_batch_count_check CHECK (payment_count > 0 AND control_sum_minor > 0 AND size_bytes > 0),
  CONSTRAINT bank_batch_sent_check CHECK (sent_at IS NOT NULL OR status <> 'sent'),
  CONSTRAINT bank_batch_two_people_check
    CHECK (uploaded_by IS NULL OR (cardinality(downloaded_by) > 0 AND uploaded_by <> ALL (downloaded_by)))
);
-- Ciphertext does not compress. It is stored out of line, so that reading the other columns is cheap.
ALTER TABLE bank_batch ALTER COLUMN content SET STORAGE EXTERNAL;
CREATE INDEX bank_batch_connection_idx ON bank_batch (tenant_id, connection_id, id);
-- For the worker and operators: files that are not at their bank yet are few.
CREATE INDEX bank_batch_open_idx ON bank_batch (tenant_id, id) WHERE taken_at IS NULL AND status <> 'rejected';

-- The payments of a file. No attempt is in two files, and a payout has one live attempt.
CREATE TABLE bank_payment (
  tenant_id      text COLLATE "C" NOT NULL,
  attempt_id     text COLLATE "C" NOT NULL,
  batch_id       text COLLATE "C" NOT NULL,
  -- From 1, in the order of the file.
  position       integer NOT NULL,
  payout_id      text COLLATE "C" NOT NULL,
  connection_id  text COLLATE "C" NOT NULL,
  -- As written in the file: the payout's reference, the attempt's, and a UUID that follows the payment.
  end_to_end_id  text COLLATE "C" NOT NULL,
  instruction_id text COLLATE "C" NOT NULL,
  uetr           text COLLATE "C",
  -- Of a Nacha entry: the only reference that a return has.
  trace_number   text COLLATE "C",
  PRIMARY KEY (tenant_id, attempt_id),
  CONSTRAINT bank_payment_position_key UNIQUE (tenant_id, batch_id, position),
  CONSTRAINT bank_payment_batch_fkey FOREIGN KEY (tenant_id, batch_id)
    REFERENCES bank_batch (tenant_id, id) DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT bank_payment_attempt_fkey FOREIGN KEY (tenant_id, attempt_id)
    REFERENCES disbursement_attempt (tenant_id, id) DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT bank_payment_payout_fkey FOREIGN KEY (tenant_id, payout_id)
    REFERENCES payout (tenant_id, id) DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT bank_payment_trace_check CHECK (trace_number IS NULL OR trace_number ~ '^[0-9]{15}$')
);
CREATE INDEX bank_payment_payout_idx ON bank_payment (tenant_id, payout_id, attempt_id);
CREATE INDEX bank_payment_trace_idx ON bank_payment (tenant_id, connection_id, trace_number)
  WHERE trace_number IS NOT NULL;
