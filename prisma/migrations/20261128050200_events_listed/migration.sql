-- When an event was written, by the clock of the statement that wrote it: the order in which a poller reads events, as
-- that of a payout's changes (prisma/repeatable/14-horizon.sql). Those that are there get the time of this migration,
-- so among them the order is that of their ids.
ALTER TABLE event ADD COLUMN recorded_at timestamptz(3) NOT NULL DEFAULT now();
ALTER TABLE event ALTER COLUMN recorded_at SET DEFAULT clock_timestamp();
CREATE INDEX event_tenant_id_type_recorded_at_id_idx ON event (tenant_id, type, recorded_at, id);
