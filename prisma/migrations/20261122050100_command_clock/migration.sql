-- The clock for `payout.updated_at` (src/domain/payout/updated-since.ts): read by the statement that changes the
-- row, while that holds the lock of the table. It is clock_timestamp() under a name that is declared STABLE,
-- because Citus takes no VOLATILE function in an UPDATE; PostgreSQL calls it when the row is written all the same.
CREATE FUNCTION command.clock() RETURNS timestamptz
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN clock_timestamp();
END
$$;
