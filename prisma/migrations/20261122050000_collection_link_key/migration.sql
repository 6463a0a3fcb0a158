-- The key of a table that can be distributed begins with the tenant, and Citus holds uniqueness on one node
-- alone. The index still finds the tenant of a token. Two tokens of 256 random bits are never the same.
ALTER TABLE collection_link DROP CONSTRAINT collection_link_pkey, ADD PRIMARY KEY (tenant_id, token_hash);
CREATE INDEX collection_link_token_hash_idx ON collection_link (token_hash);
