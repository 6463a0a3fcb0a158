-- ── Files that come from banks, what they say, and what it is matched with (docs/bank-reconciliation.md). ──

-- A file of a bank, stored once by its bytes for each connection. A row that is `arriving` is filled piece by
-- piece. Its hash is known at the end, and only then does the file count.
CREATE TABLE bank_file (
  tenant_id              text COLLATE "C" NOT NULL,
  id                     text COLLATE "C" NOT NULL,
  connection_id          text COLLATE "C" NOT NULL,
  name                   text NOT NULL,
  status                 text COLLATE "C" NOT NULL DEFAULT 'arriving',
  -- Of the bytes that the bank sent, in hexadecimal digits.
  sha256                 text COLLATE "C",
  size_bytes             bigint,
  chunks                 integer,
  content_key_ciphertext bytea NOT NULL,
  -- Such as `camt.053.001.08`, or `nacha`, and the bank's own id of the message.
  format                 text COLLATE "C",
  message_id             text,
  -- Why it cannot be read, by the names of docs/bank-reports.md, and where.
  problem                text COLLATE "C",
  problem_place          text,
  -- The operator who brought it; null for a file that the service fetched.
  taken_by               text,
  -- Counts the runs that read it. The reports of an earlier run count for nothing.
  reading                integer NOT NULL DEFAULT 0,
  received_at            timestamptz(3) NOT NULL DEFAULT now(),
  read_at                timestamptz(3),
  -- When everything that it says was matched and told to the payouts.
  applied_at             timestamptz(3),
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT bank_file_sha256_key UNIQUE (tenant_id, connection_id, sha256),
  CONSTRAINT bank_file_status_check CHECK (status IN ('arriving', 'received', 'read', 'unreadable')),
  CONSTRAINT bank_file_sha256_check CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  CONSTRAINT bank_file_whole_check
    CHECK (status = 'arriving' OR (sha256 IS NOT NULL AND size_bytes IS NOT NULL AND chunks IS NOT NULL)),
  CONSTRAINT bank_file_problem_check CHECK ((status = 'unreadable') = (problem IS NOT NULL))
);
CREATE INDEX bank_file_connection_idx ON bank_file (tenant_id, connection_id, id);
-- For the worker: files that are on the way, not read, or not applied are few.
CREATE INDEX bank_file_open_idx ON bank_file (received_at, tenant_id, id)
  WHERE status IN ('arriving', 'received') OR (status = 'read' AND applied_at IS NULL);
CREATE INDEX bank_file_unreadable_idx ON bank_file (tenant_id, id) WHERE status = 'unreadable';

CREATE TABLE bank_file_chunk (
  tenant_id text COLLATE "C" NOT NULL,
  file_id   text COLLATE "C" NOT NULL,
  seq       integer NOT NULL,
  content   bytea NOT NULL,
  PRIMARY KEY (tenant_id, file_id, seq),
  CONSTRAINT bank_file_chunk_file_fkey FOREIGN KEY (tenant_id, file_id) REFERENCES bank_file (tenant_id, id)
);
-- Ciphertext does not compress.
ALTER TABLE bank_file_chunk ALTER COLUMN content SET STORAGE EXTERNAL;

-- What one run has read of a file until now. Nothing of it counts before the run has read the end.
CREATE TABLE bank_report (
  tenant_id text COLLATE "C" NOT NULL,
  file_id   text COLLATE "C" NOT NULL,
  reading   integer NOT NULL,
  position  integer NOT NULL,
  kind      text COLLATE "C" NOT NULL,
  report    jsonb NOT NULL,
  PRIMARY KEY (tenant_id, file_id, reading, position),
  CONSTRAINT bank_report_file_fkey FOREIGN KEY (tenant_id, file_id) REFERENCES bank_file (tenant_id, id),
  CONSTRAINT bank_report_kind_check CHECK (kind IN ('statement', 'line', 'status', 'return', 'change'))
);

-- A statement or notification. `own` says whether it is of the connection's account: the lines of others are
-- not taken over.
CREATE TABLE bank_statement (
  tenant_id         text COLLATE "C" NOT NULL,
  file_id           text COLLATE "C" NOT NULL,
  number            integer NOT NULL,
  connection_id     text COLLATE "C" NOT NULL,
  kind              text COLLATE "C" NOT NULL,
  bank_id           text NOT NULL,
  own               boolean NOT NULL,
  currency          text COLLATE "C",
  page              integer,
  last_page         boolean,
  -- What the bank writes for a statement that it sends again.
  copy              text,
  opening_minor     bigint,
  closing_minor     bigint,
  -- `YYYY-MM-DD`, by the bank's calendar.
  closing_day       text COLLATE "C",
  entries           integer NOT NULL,
  -- What balances and entries differ by; zero where they add up, null where that cannot be told.
  unexplained_minor bigint,
  PRIMARY KEY (tenant_id, file_id, number),
  CONSTRAINT bank_statement_file_fkey FOREIGN KEY (tenant_id, file_id) REFERENCES bank_file (tenant_id, id),
  CONSTRAINT bank_statement_kind_check CHECK (kind IN ('statement', 'notification')),
  CONSTRAINT bank_statement_closing_day_check CHECK (closing_day ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$')
);
CREATE INDEX bank_statement_closing_idx ON bank_statement (tenant_id, connection_id, currency, closing_day DESC)
  WHERE own AND closing_minor IS NOT NULL;

-- A movement of the account, once, however often the bank tells of it.
CREATE TABLE bank_line (
  tenant_id        text COLLATE "C" NOT NULL,
  id               text COLLATE "C" NOT NULL,
  connection_id    text COLLATE "C" NOT NULL,
  -- The file that told of it first.
  file_id          text COLLATE "C" NOT NULL,
  -- What makes it the same line in another file.
  natural_key      text COLLATE "C" NOT NULL,
  direction        text COLLATE "C" NOT NULL,
  -- Null where the bank gives the amount of several payments together.
  amount_minor     bigint,
  currency         text COLLATE "C" NOT NULL,
  -- What was ordered, where the account is kept in another currency.
  ordered_minor    bigint,
  ordered_currency text COLLATE "C",
  reversal         boolean NOT NULL,
  is_fee           boolean NOT NULL,
  -- `YYYY-MM-DD`, by the bank's calendar.
  booked_on        text COLLATE "C",
  bank_reference   text,
  -- Such as `PMNT ICDT ESCT`.
  bank_code        text,
  end_to_end_id    text,
  instruction_id   text,
  trace_number     text,
  -- Of a batch that the bank booked as one line.
  batch_ids        text[],
  batch_count      integer,
  -- The code with which a payment came back.
  return_code      text,
  match            text COLLATE "C" NOT NULL DEFAULT 'open',
  -- Why nothing was matched, or what is wrong with it.
  doubt            text COLLATE "C",
  -- The payment that the line names, where it is not matched with it.
  named_attempt    text COLLATE "C",
  matched_at       timestamptz(3),
  -- Who matched or explained it by hand, and the line of ops.action_log that says why.
  explanation      text,
  action_id        uuid,
  created_at       timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT bank_line_file_fkey FOREIGN KEY (tenant_id, file_id) REFERENCES bank_file (tenant_id, id),
  CONSTRAINT bank_line_natural_key UNIQUE (tenant_id, connection_id, natural_key),
  CONSTRAINT bank_line_direction_check CHECK (direction IN ('credit', 'debit')),
  CONSTRAINT bank_line_amount_check CHECK (amount_minor >= 0),
  CONSTRAINT bank_line_booked_on_check CHECK (booked_on ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
  CONSTRAINT bank_line_match_check
    CHECK (match IN ('open', 'payout', 'return', 'fee', 'funding', 'unmatched', 'explained')),
  CONSTRAINT bank_line_doubt_check CHECK ((match = 'unmatched') = (doubt IS NOT NULL)),
  CONSTRAINT bank_line_explained_check CHECK (match <> 'explained' OR (explanation IS NOT NULL AND action_id IS NOT NULL))
);
CREATE INDEX bank_line_file_idx ON bank_line (tenant_id, file_id, id);
CREATE INDEX bank_line_open_idx ON bank_line (tenant_id, file_id, id) WHERE match = 'open';
CREATE INDEX bank_line_unmatched_idx ON bank_line (tenant_id, id) WHERE match = 'unmatched';
CREATE INDEX bank_line_list_idx ON bank_line (tenant_id, match, id);
CREATE INDEX bank_line_booked_idx ON bank_line (tenant_id, connection_id, booked_on);

-- Which line shows a payment's debit, and which its return. The key is what keeps a payment from being
-- matched twice; the state of the line keeps the line from it.
CREATE TABLE bank_match (
  tenant_id     text COLLATE "C" NOT NULL,
  attempt_id    text COLLATE "C" NOT NULL,
  kind          text COLLATE "C" NOT NULL,
  payout_id     text COLLATE "C" NOT NULL,
  connection_id text COLLATE "C" NOT NULL,
  line_id       text COLLATE "C" NOT NULL,
  amount_minor  bigint NOT NULL,
  currency      text COLLATE "C" NOT NULL,
  booked_on     text COLLATE "C" NOT NULL,
  -- A debit that is settled once it was not returned for the days of the connection.
  settles       boolean NOT NULL,
  matched_at    timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, attempt_id, kind),
  CONSTRAINT bank_match_kind_check CHECK (kind IN ('debit', 'return')),
  CONSTRAINT bank_match_line_fkey FOREIGN KEY (tenant_id, line_id) REFERENCES bank_line (tenant_id, id),
  CONSTRAINT bank_match_settles_check CHECK (kind = 'debit' OR NOT settles)
);
CREATE INDEX bank_match_line_idx ON bank_match (tenant_id, line_id, attempt_id);
CREATE INDEX bank_match_payout_idx ON bank_match (tenant_id, payout_id);
CREATE INDEX bank_match_settles_idx ON bank_match (tenant_id, connection_id, booked_on, attempt_id) WHERE settles;

-- What a bank in the United States says is right about a payee's account. A person of the business decides.
CREATE TABLE bank_account_proposal (
  tenant_id            text COLLATE "C" NOT NULL,
  id                   text COLLATE "C" NOT NULL,
  connection_id        text COLLATE "C" NOT NULL,
  file_id              text COLLATE "C" NOT NULL,
  -- The trace number of the notification: the same one again is the same proposal.
  trace_number         text COLLATE "C" NOT NULL,
  -- C01 to C14.
  code                 text COLLATE "C" NOT NULL,
  attempt_id           text COLLATE "C" NOT NULL,
  payout_id            text COLLATE "C" NOT NULL,
  beneficiary_id       text COLLATE "C" NOT NULL,
  bank_account_id      text COLLATE "C" NOT NULL,
  -- The version of the account that was paid, which is the one that the bank corrects.
  bank_account_version integer NOT NULL,
  -- The corrected details, as JSON, encrypted; emptied once somebody has decided.
  correction_ciphertext bytea,
  status               text COLLATE "C" NOT NULL DEFAULT 'open',
  created_at           timestamptz(3) NOT NULL DEFAULT now(),
  decided_at           timestamptz(3),
  decided_by           jsonb,
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT bank_account_proposal_key UNIQUE (tenant_id, connection_id, trace_number, code, attempt_id),
  CONSTRAINT bank_account_proposal_file_fkey FOREIGN KEY (tenant_id, file_id) REFERENCES bank_file (tenant_id, id),
  CONSTRAINT bank_account_proposal_status_check CHECK (status IN ('open', 'taken', 'declined')),
  CONSTRAINT bank_account_proposal_decided_check
    CHECK ((status = 'open') = (decided_at IS NULL) AND (status = 'open') = (decided_by IS NULL))
);
CREATE INDEX bank_account_proposal_status_idx ON bank_account_proposal (tenant_id, status, id);
CREATE INDEX bank_account_proposal_account_idx ON bank_account_proposal (tenant_id, bank_account_id, id);
