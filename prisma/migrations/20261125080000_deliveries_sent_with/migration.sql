-- Deliveries of one transaction may share a job, which has the key 'with ' and this id. It counts until the delivery's
-- time changes: from then on the delivery has a job of its own.
ALTER TABLE webhook_delivery ADD COLUMN sent_with text COLLATE "C";
