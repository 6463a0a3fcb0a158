-- What a business knows a payee and a bank account by in its own books, and what it keeps beside them. A reference is
-- one payee's, or one account's, until the payee is archived: its accounts' references are freed with it.
ALTER TABLE beneficiary ADD COLUMN external_ref text COLLATE "C", ADD COLUMN metadata jsonb;
CREATE UNIQUE INDEX beneficiary_tenant_id_external_ref_key ON beneficiary (tenant_id, external_ref)
  WHERE external_ref IS NOT NULL AND archived_at IS NULL;

ALTER TABLE bank_account
  ADD COLUMN external_ref text COLLATE "C",
  ADD COLUMN metadata jsonb,
  ADD COLUMN external_ref_freed boolean NOT NULL DEFAULT false;
CREATE UNIQUE INDEX bank_account_tenant_id_external_ref_key ON bank_account (tenant_id, external_ref)
  WHERE external_ref IS NOT NULL AND NOT external_ref_freed;

-- A poller reads changes in the order of `updated_at`, so that is the time of the statement that made the change, and
-- not of the beginning of its transaction (prisma/repeatable/14-horizon.sql).
ALTER TABLE beneficiary ALTER COLUMN updated_at SET DEFAULT clock_timestamp();
ALTER TABLE bank_account ALTER COLUMN updated_at SET DEFAULT clock_timestamp();
CREATE INDEX beneficiary_changes_idx ON beneficiary (tenant_id, list_group, updated_at, id);
CREATE INDEX bank_account_changes_idx ON bank_account (tenant_id, updated_at, id);
