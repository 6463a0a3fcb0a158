-- By what people look for a payee: the legal name, the family name and the nickname, each by its beginning. They are
-- columns and no expressions for the reason of payout.beneficiary_name_key, and made like it.
ALTER TABLE beneficiary
  ADD COLUMN name_key text COLLATE "C" GENERATED ALWAYS AS (
    left(lower(coalesce(business_name, first_name || ' ' || last_name) COLLATE "pg_c_utf8"), 64)
  ) STORED,
  ADD COLUMN last_name_key text COLLATE "C" GENERATED ALWAYS AS (
    left(lower(last_name COLLATE "pg_c_utf8"), 64)
  ) STORED,
  ADD COLUMN nickname_key text COLLATE "C" GENERATED ALWAYS AS (
    left(lower(nickname COLLATE "pg_c_utf8"), 64)
  ) STORED;
CREATE INDEX beneficiary_name_key_idx ON beneficiary (tenant_id, name_key, id) WHERE archived_at IS NULL;
CREATE INDEX beneficiary_last_name_key_idx ON beneficiary (tenant_id, last_name_key, id) WHERE archived_at IS NULL;
CREATE INDEX beneficiary_nickname_key_idx ON beneficiary (tenant_id, nickname_key, id) WHERE archived_at IS NULL;
