-- One index answers each list of entries: a list of several kinds merges them, each from its place in the
-- index, so that a posting writes no second index of the time. The few entries of a payout are found by
-- ledger_entry_transition_key.
CREATE INDEX ledger_entry_kind_idx ON ledger_entry (tenant_id, kind, recorded_at, id);
DROP INDEX ledger_entry_recorded_idx;

-- The entries can be exported.
ALTER TABLE export DROP CONSTRAINT export_kind_check,
  ADD CONSTRAINT export_kind_check CHECK (kind IN ('transactions', 'beneficiaries', 'ledger_entries'));
ALTER TABLE export_schedule DROP CONSTRAINT export_schedule_kind_check,
  ADD CONSTRAINT export_schedule_kind_check CHECK (kind IN ('transactions', 'beneficiaries', 'ledger_entries'));
