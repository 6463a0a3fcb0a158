-- On Citus a tenant's outbox is on another node than graphile-worker's tables, and their two transactions do not
-- commit together. A job is first added and noted here, in one transaction of the coordinator, and taken from the
-- outbox afterwards (ops.relay_batch, ops.clear_outbox). Whoever finds it in both places knows that it was added.
-- Elsewhere the table stays empty.
CREATE TABLE relayed_job (
  -- The id of the row in the outbox.
  id     uuid PRIMARY KEY,
  -- Whose outbox. It is no tenant_id, since these rows are where the queue is and not where the tenant's are.
  tenant text COLLATE "C" NOT NULL
);
