-- ── The horizon: the time before which every change of a payout, a payee or an account, and every event, is visible
-- to a poller. ──
-- The service calls it (src/domain/horizon.ts) with its own rights. What 10-service.sql says of its functions
-- holds here too: replaced and never dropped. On Citus 19-distributed-service.sql replaces it.

-- A change is dated before its commit and visible after it, so a poller that went past the date of an open transaction
-- would never see its changes.
--
-- Whoever writes a row in PostgreSQL holds ROW EXCLUSIVE on its table from before the statement until the
-- transaction ends: the service, an operator's function, a migration, a person. Every writer of an event takes
-- `recorded_at` from the clock within its statement. Every writer of a payout, a payee or an account
-- takes `updated_at` from the clock within that statement, and `recorded_at` of its transition after it. So a
-- session that does not hold the lock at this moment dates its changes later, and a session that holds it
-- dated none before the start of its transaction. Transactions that only read do not hold the lock, however long they
-- are open.
--
-- pg_locks shows the lock to every role, but only the members of a role see when its transactions began.
-- If a writer hides that, nothing is shown until it has ended. A session that shows its state but no start
-- of a transaction starts it after this statement. The tenth of a second covers the rounding to
-- milliseconds and a clock that is set back a little.
--
-- It has no settings of its own, so that PostgreSQL plans it as a part of the statement that calls it.
CREATE OR REPLACE FUNCTION ops.changes_horizon() RETURNS TABLE (at timestamptz)
LANGUAGE sql STABLE
BEGIN ATOMIC
  SELECT least(now(), min(CASE
    WHEN s.xact_start IS NOT NULL THEN s.xact_start
    WHEN s.state <> 'disabled' THEN now()
    ELSE '-infinity'
  END)) - interval '100 milliseconds'
  FROM pg_locks l LEFT JOIN pg_stat_activity s ON s.pid = l.pid
  WHERE l.locktype = 'relation' AND l.mode = 'RowExclusiveLock' AND l.granted
    AND l.relation IN (
      'public.payout'::regclass, 'public.event'::regclass, 'public.beneficiary'::regclass,
      'public.bank_account'::regclass
    )
    AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database());
END;
