-- Since when it is known that a bank said that money moved for this attempt. A refusal, before or after, contradicts it.
ALTER TABLE disbursement_attempt ADD COLUMN executed_told_at timestamptz(3);

-- The references by which the bank knows a movement, by their places. Two that differ in one place are two movements.
ALTER TABLE bank_line ADD COLUMN bank_names jsonb;
-- The beginning that the natural key would have without the bank's reference; null where it is that.
ALTER TABLE bank_line ADD COLUMN likeness text COLLATE "C";
CREATE INDEX bank_line_likeness_idx ON bank_line (tenant_id, connection_id, likeness) WHERE likeness IS NOT NULL;
-- The lines that name a payment without being matched with it.
CREATE INDEX bank_line_named_idx ON bank_line (tenant_id, named_attempt) WHERE named_attempt IS NOT NULL;
