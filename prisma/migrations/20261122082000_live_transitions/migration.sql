-- When a transition was recorded, by the clock at that moment. The transaction holds the lock on its payout by
-- then, so the transitions of one payout are dated in their order, which `occurred_at`, the start of the
-- transaction, is not. A stream of transitions is read by it (src/domain/payout/live). Null for those of before
-- this migration, which no stream tells.
ALTER TABLE payout_transition ADD COLUMN recorded_at timestamptz(3);
ALTER TABLE payout_transition ALTER COLUMN recorded_at SET DEFAULT clock_timestamp();
CREATE INDEX payout_transition_recorded_at_idx ON payout_transition (tenant_id, recorded_at)
  WHERE recorded_at IS NOT NULL;
