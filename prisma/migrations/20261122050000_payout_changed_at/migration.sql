-- When a payout changed is read from the clock by the statement that changes it, which holds the table's
-- lock by then: pollers of changes rely on that order (src/domain/payout/updated-since.ts).
ALTER TABLE payout ALTER COLUMN updated_at SET DEFAULT clock_timestamp();
