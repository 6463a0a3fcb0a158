-- A payout that was created while its business demanded a distinct approver demands one for good.
ALTER TABLE payout ADD COLUMN distinct_approver boolean NOT NULL DEFAULT false;

-- Who submitted a decision, beside whom it names. Null for what was recorded before this column.
ALTER TABLE payout_decision ADD COLUMN submitted_by jsonb;
