-- What a list of beneficiaries chooses by, as `payout.list_group` is for payouts: 'compliant person verified'.
ALTER TABLE beneficiary ADD COLUMN list_group text COLLATE "C" NOT NULL GENERATED ALWAYS AS (
  compliance_status || ' ' || beneficiary_type || ' ' || coalesce(enrollment_status, '')
) STORED;
CREATE INDEX beneficiary_list_idx ON beneficiary (tenant_id, list_group, id) WHERE archived_at IS NULL;
