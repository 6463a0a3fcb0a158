-- The name that lists sort payouts by, as a column. PostgreSQL compares by an index only what cannot leak a row
-- that the row security hides, and takes the functions of an expression for leaks, but not a comparison of columns.
ALTER TABLE payout ADD COLUMN beneficiary_name_key text COLLATE "C" NOT NULL GENERATED ALWAYS AS (
  left(lower(beneficiary_name COLLATE "pg_c_utf8"), 64)
) STORED;
CREATE INDEX payout_list_name_key_idx ON payout (tenant_id, list_group, beneficiary_name_key, id);
DROP INDEX payout_list_payee_name_idx;
