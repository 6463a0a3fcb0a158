-- Operators look through what was done for one business.
CREATE INDEX action_log_tenant_id_idx ON ops.action_log (tenant_id, id) WHERE tenant_id IS NOT NULL;
