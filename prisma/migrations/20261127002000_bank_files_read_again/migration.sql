-- What a file said counts while it is read once more, and afterwards where that reading fails.
ALTER TABLE bank_file ADD COLUMN counted_before boolean NOT NULL DEFAULT false;
-- Files with statements of accounts that the connection did not have are few.
CREATE INDEX bank_statement_stray_idx ON bank_statement (tenant_id, connection_id, file_id) WHERE NOT own;
