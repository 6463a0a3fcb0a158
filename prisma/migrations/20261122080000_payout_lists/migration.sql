-- ── Lists of payouts by what people choose and sort by (docs/dashboards.md). ──

-- What a list chooses by, in one text: 'failed USD invalid_account simulator'. A tenant has few of them, so a
-- list by any choice merges the first rows of a few groups, each from one index, whatever was chosen and
-- however few rows match.
ALTER TABLE payout ADD COLUMN list_group text COLLATE "C" NOT NULL GENERATED ALWAYS AS (
  state || ' ' || currency || ' ' || coalesce(failure_code, '') || ' ' || coalesce(provider, '')
) STORED;

-- One index for each order. That of the creation holds what the figures add up.
CREATE INDEX payout_list_created_idx ON payout (tenant_id, list_group, created_at, id, amount_minor);
CREATE INDEX payout_list_updated_idx ON payout (tenant_id, list_group, updated_at, id);
CREATE INDEX payout_list_amount_idx ON payout (tenant_id, list_group, amount_minor, id);
-- Names in lower case by Unicode's rules, whatever the server's locale is. Their first 64 characters fit into
-- an index, however long a name is.
CREATE INDEX payout_list_payee_name_idx
  ON payout (tenant_id, list_group, left(lower(beneficiary_name COLLATE "pg_c_utf8"), 64) COLLATE "C", id);
CREATE INDEX payout_list_approved_idx ON payout (tenant_id, list_group, approved_at, id) WHERE approved_at IS NOT NULL;
CREATE INDEX payout_list_disbursed_idx ON payout (tenant_id, list_group, disbursed_at, id) WHERE disbursed_at IS NOT NULL;
CREATE INDEX payout_list_settled_idx ON payout (tenant_id, list_group, settled_at, id) WHERE settled_at IS NOT NULL;

-- The groups begin with the state, and hold the latest changes.
DROP INDEX payout_tenant_id_state_idx;
DROP INDEX payout_tenant_id_updated_at_idx;
