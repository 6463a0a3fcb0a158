-- The idempotency key of a request that creates something other than a payout, for as long as IDEMPOTENCY_HOURS. The hash
-- is keyed, since what it is made of is mostly personal data. A resource may be of several tables and may be deleted, so
-- nothing refers to it.
CREATE TABLE creation_key (
  tenant_id       text COLLATE "C" NOT NULL,
  operation       text COLLATE "C" NOT NULL,
  idempotency_key text COLLATE "C" NOT NULL,
  resource_id     text COLLATE "C" NOT NULL,
  request_hash    bytea NOT NULL,
  created_at      timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, operation, idempotency_key)
);
CREATE INDEX creation_key_tenant_id_created_at_idx ON creation_key (tenant_id, created_at);
