-- Locks rows and not the table: new deliveries are inserted meanwhile.
UPDATE webhook_delivery d SET event_type = e.type
FROM event e WHERE d.event_type = '' AND e.tenant_id = d.tenant_id AND e.id = d.event_id;
