-- Answers of banks that name no file and no payment of their connection: nothing moves for them, and a person has to
-- find out what they are.
CREATE TABLE bank_stray_answer (
  tenant_id           text COLLATE "C" NOT NULL,
  id                  text COLLATE "C" NOT NULL,
  connection_id       text COLLATE "C" NOT NULL,
  -- The file that told of it first, and its line in there.
  file_id             text COLLATE "C" NOT NULL,
  line                integer NOT NULL,
  -- What makes it the same answer in another file.
  natural_key         text COLLATE "C" NOT NULL,
  kind                text COLLATE "C" NOT NULL,
  -- What the bank says, in its codes.
  said                text NOT NULL,
  original_message_id text,
  original_batch_id   text,
  end_to_end_id       text,
  instruction_id      text,
  trace_number        text,
  amount_minor        bigint,
  currency            text COLLATE "C",
  status              text COLLATE "C" NOT NULL DEFAULT 'open',
  -- What a person found, and the line of ops.action_log that says why.
  explanation         text,
  action_id           uuid,
  created_at          timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT bank_stray_answer_file_fkey FOREIGN KEY (tenant_id, file_id) REFERENCES bank_file (tenant_id, id),
  CONSTRAINT bank_stray_answer_natural_key UNIQUE (tenant_id, connection_id, natural_key),
  CONSTRAINT bank_stray_answer_kind_check CHECK (kind IN ('message', 'batch', 'payment', 'return', 'change')),
  CONSTRAINT bank_stray_answer_amount_check CHECK ((amount_minor IS NULL) = (currency IS NULL)),
  CONSTRAINT bank_stray_answer_status_check CHECK (status IN ('open', 'explained')),
  CONSTRAINT bank_stray_answer_explained_check
    CHECK (status = 'open' OR (explanation IS NOT NULL AND action_id IS NOT NULL))
);
CREATE INDEX bank_stray_answer_open_idx ON bank_stray_answer (tenant_id, id) WHERE status = 'open';
