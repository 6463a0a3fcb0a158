-- ── Endpoints that fail now. ──

-- A row exists from an endpoint's first failed attempt until its next delivered one, so the table is as
-- small as the number of endpoints that fail, and who fails now is read without counting attempts.
CREATE TABLE webhook_endpoint_failure (
  tenant_id        text COLLATE "C" NOT NULL REFERENCES tenant (id),
  -- No foreign key: an attempt may end after its subscription was deleted, and is still recorded.
  subscription_id  text COLLATE "C" NOT NULL,
  failing_since    timestamptz(3) NOT NULL,
  failures         integer NOT NULL DEFAULT 1,
  last_failed_at   timestamptz(3) NOT NULL,
  -- Null where no answer came.
  last_status_code integer,
  last_error       text,
  PRIMARY KEY (tenant_id, subscription_id)
);

-- ── What the metrics read across tenants, each as a short range of an index. ──

CREATE INDEX payout_waiting_idx ON payout (state, updated_at, tenant_id, id)
  WHERE state IN ('pending_approval', 'compliance_hold');
CREATE INDEX webhook_delivery_dead_idx ON webhook_delivery (completed_at) WHERE status = 'dead';
