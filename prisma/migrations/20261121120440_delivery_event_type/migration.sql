-- ── Webhook deliveries: the event's type, and the time that a replay planned. ──
-- Processes of the release before go on while this and the next two migrations run. So the columns
-- come without a rewrite of the table, the rows are filled without a lock on it, and the indexes are
-- built without excluding readers: three transactions, each with one kind of lock. A delivery that such
-- a process plans afterwards has no type here: it is delivered as ever, and filters by type miss it.

-- The event's type beside its delivery: the list's filter finds rare types without reading every event.
-- And when a redelivery of a window planned it; null for all others, which go before it.
ALTER TABLE webhook_delivery
  ADD COLUMN event_type text NOT NULL DEFAULT '',
  ADD COLUMN replay_at timestamptz(3);
