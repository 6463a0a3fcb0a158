-- ── Webhook deliveries: found by their event's type, and sent again by the window. ──
-- Reads go on while the indexes are built, and what writes deliveries waits for them.

CREATE INDEX webhook_delivery_tenant_id_event_type_idx ON webhook_delivery (tenant_id, event_type, id);
-- And with a status: of the two either may be the rare one, which a plan for any value cannot know.
CREATE INDEX webhook_delivery_tenant_id_event_type_status_idx ON webhook_delivery (tenant_id, event_type, status, id);
-- Where a tenant's replay ends, so that the next one lines up behind it.
CREATE INDEX webhook_delivery_replay_idx ON webhook_delivery (tenant_id, replay_at)
  WHERE status = 'pending' AND replay_at IS NOT NULL;
