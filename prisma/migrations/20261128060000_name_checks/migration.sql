-- ── Whether the bank of an account has its holder by the name that was given (src/domain/name-check). ──

-- What the latest check of the account's version says, beside what every gate locks anyway. NULL: nobody was asked.
ALTER TABLE bank_account
  ADD COLUMN name_check text COLLATE "C",
  -- When a person confirmed that the account is the payee's all the same. A new result, or new details, end it.
  ADD COLUMN name_check_confirmed_at timestamptz(3),
  ADD CONSTRAINT bank_account_name_check_check
    CHECK (name_check IN ('pending', 'match', 'close_match', 'no_match', 'not_possible')) NOT VALID;
ALTER TABLE bank_account VALIDATE CONSTRAINT bank_account_name_check_check;

-- What a business decides about it. Without a row nobody is asked.
CREATE TABLE name_check_policy (
  tenant_id    text COLLATE "C" NOT NULL REFERENCES tenant (id),
  -- Whether the bank of a new account is asked.
  asks         boolean NOT NULL,
  close_match  text COLLATE "C" NOT NULL CHECK (close_match IN ('ignore', 'show', 'confirm', 'block')),
  no_match     text COLLATE "C" NOT NULL CHECK (no_match IN ('ignore', 'show', 'confirm', 'block')),
  not_possible text COLLATE "C" NOT NULL CHECK (not_possible IN ('ignore', 'show', 'confirm', 'block')),
  revision     integer NOT NULL DEFAULT 1,
  updated_at   timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id)
);

-- Each answer about a version of an account.
CREATE TABLE name_check (
  tenant_id               text COLLATE "C" NOT NULL,
  id                      text COLLATE "C" NOT NULL,
  bank_account_id         text COLLATE "C" NOT NULL,
  version                 integer NOT NULL,
  result                  text COLLATE "C" NOT NULL CHECK (result IN ('match', 'close_match', 'no_match', 'not_possible')),
  -- The provider or the bank connection that answered.
  source                  text COLLATE "C" NOT NULL,
  -- Its own code.
  code                    text NOT NULL,
  -- The name that the bank has, where it tells it with a close match.
  name_on_file_ciphertext bytea,
  -- The attempt whose payment a bank answers for; NULL for the answer to a question.
  attempt_id              text COLLATE "C",
  -- Who confirmed the result, and why.
  confirmed_by            jsonb,
  confirmed_reason        text,
  confirmed_at            timestamptz(3),
  checked_at              timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT name_check_version_fkey FOREIGN KEY (tenant_id, bank_account_id, version)
    REFERENCES bank_account_version (tenant_id, bank_account_id, version),
  CHECK ((confirmed_by IS NULL) = (confirmed_at IS NULL))
);
CREATE INDEX name_check_account_idx ON name_check (tenant_id, bank_account_id, version, id);
-- A file of a bank that is read again says nothing new.
CREATE UNIQUE INDEX name_check_attempt_key ON name_check (tenant_id, attempt_id, code);

-- By which key a value is encrypted, so that the use of each key is counted by an index.
CREATE INDEX name_check_name_on_file_key_id_idx ON name_check (substring(name_on_file_ciphertext FROM 3 FOR get_byte(substring(name_on_file_ciphertext FROM 1 FOR 2) || '\x0000', 1)))
  WHERE name_on_file_ciphertext IS NOT NULL;
