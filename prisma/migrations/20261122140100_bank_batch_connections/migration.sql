-- Batches, what waits for them and what is numbered belong to a connection of the tenant.
ALTER TABLE bank_waiting ADD FOREIGN KEY (tenant_id, connection_id) REFERENCES bank_connection (tenant_id, id);
ALTER TABLE bank_sequence ADD FOREIGN KEY (tenant_id, connection_id) REFERENCES bank_connection (tenant_id, id);
ALTER TABLE bank_batch ADD FOREIGN KEY (tenant_id, connection_id) REFERENCES bank_connection (tenant_id, id);
