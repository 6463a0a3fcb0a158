-- Accounts of a connection beside its first one, each in a currency of its own: what is shown of them, and their
-- identifiers.
ALTER TABLE bank_connection
  ADD COLUMN further_accounts jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN further_accounts_ciphertext bytea,
  -- Kinds of files that the bank sends too and that nobody needs here.
  ADD COLUMN expected_formats text[] NOT NULL DEFAULT '{}';

-- The currency of the account that a movement is of; null for the connection's first account.
ALTER TABLE bank_line ADD COLUMN account_currency text COLLATE "C";

-- A statement of an account that the connection does not have, or not in that currency, waits for a person.
ALTER TABLE bank_stray_answer
  DROP CONSTRAINT bank_stray_answer_kind_check,
  ADD CONSTRAINT bank_stray_answer_kind_check CHECK (
    kind IN ('message', 'batch', 'payment', 'return', 'change', 'other_account', 'account_currency')
  );

-- A file of another kind that nobody needs leaves the desk: by the connection, or by a person and the line of
-- ops.action_log that says why.
ALTER TABLE bank_file
  ADD COLUMN explanation text,
  ADD COLUMN action_id uuid,
  DROP CONSTRAINT bank_file_status_check,
  ADD CONSTRAINT bank_file_status_check
    CHECK (status IN ('arriving', 'received', 'read', 'unreadable', 'dismissed')),
  DROP CONSTRAINT bank_file_problem_check,
  ADD CONSTRAINT bank_file_problem_check CHECK ((status IN ('unreadable', 'dismissed')) = (problem IS NOT NULL));
