-- What the latest look for a connection's incoming files came to. Apart from the connection, whose row whoever makes a
-- file locks. A look that finds the same as the one before writes nothing.
CREATE TABLE bank_fetch (
  tenant_id     text COLLATE "C" NOT NULL,
  connection_id text COLLATE "C" NOT NULL,
  -- When a look succeeded; at most some minutes before the latest that did.
  fetched_at    timestamptz(3),
  -- Why the latest look failed, in the service's words, and since when every one has.
  problem       text,
  problem_since timestamptz(3),
  PRIMARY KEY (tenant_id, connection_id),
  FOREIGN KEY (tenant_id) REFERENCES tenant (id),
  FOREIGN KEY (tenant_id, connection_id) REFERENCES bank_connection (tenant_id, id),
  CONSTRAINT bank_fetch_problem_check CHECK ((problem IS NULL) = (problem_since IS NULL))
);
