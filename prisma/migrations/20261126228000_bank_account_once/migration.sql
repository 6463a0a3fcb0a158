-- A keyed hash of what makes a bank account the one that it is: a beneficiary has each account once. Null for
-- accounts that a release without it registered, which are compared by what they hold.
ALTER TABLE bank_account ADD COLUMN details_hash bytea;

CREATE UNIQUE INDEX bank_account_tenant_id_beneficiary_id_details_hash_key
  ON bank_account (tenant_id, beneficiary_id, details_hash);
