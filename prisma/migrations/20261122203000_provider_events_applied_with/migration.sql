-- Events that are stored together are applied by one job: that of the event which they name here. One that is closed
-- names none.
ALTER TABLE provider_event ADD COLUMN applied_with text;
CREATE INDEX provider_event_applied_with_idx ON provider_event (provider, applied_with) WHERE applied_with IS NOT NULL;
