-- ── What payees tell about themselves, encrypted (docs/encryption.md). ──

-- The key of the hashes by which an encrypted value is found and is unique, itself encrypted under the
-- keyring. One row: a rotation of the keyring rewrites the key's ciphertext, and no hash changes.
CREATE TABLE lookup_key (
  id             text COLLATE "C" PRIMARY KEY,
  key_ciphertext bytea NOT NULL,
  created_at     timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT lookup_key_id_check CHECK (id = 'current')
);

-- A row that was written before holds its values in clear until the worker has carried them over: it fills
-- the ciphertext and empties the clear column in one statement. New values are never written in clear.
ALTER TABLE beneficiary
  ALTER COLUMN email DROP NOT NULL,
  ALTER COLUMN email_key DROP NOT NULL,
  ADD COLUMN email_ciphertext bytea,
  ADD COLUMN email_hash bytea,
  ADD COLUMN phone_ciphertext bytea,
  ADD COLUMN registration_number_ciphertext bytea,
  ADD COLUMN postal_address_ciphertext bytea,
  ADD COLUMN masked_bank_details_ciphertext bytea;
CREATE UNIQUE INDEX beneficiary_tenant_id_email_hash_key ON beneficiary (tenant_id, email_hash) WHERE archived_at IS NULL;

ALTER TABLE bank_account
  ALTER COLUMN account_holder_name DROP NOT NULL,
  ADD COLUMN account_holder_name_ciphertext bytea;
ALTER TABLE bank_account_version
  ALTER COLUMN account_holder_name DROP NOT NULL,
  ADD COLUMN account_holder_name_ciphertext bytea;

-- The rows that are not carried over yet, and those whose hash is to be made again: empty afterwards.
CREATE INDEX beneficiary_in_clear_idx ON beneficiary (tenant_id, id)
  WHERE email IS NOT NULL OR phone IS NOT NULL OR registration_number IS NOT NULL OR postal_address IS NOT NULL
    OR masked_bank_details IS NOT NULL OR (email_ciphertext IS NOT NULL AND email_hash IS NULL);
CREATE INDEX bank_account_in_clear_idx ON bank_account (tenant_id, id) WHERE account_holder_name IS NOT NULL;
CREATE INDEX bank_account_version_in_clear_idx ON bank_account_version (tenant_id, bank_account_id, version)
  WHERE account_holder_name IS NOT NULL;
