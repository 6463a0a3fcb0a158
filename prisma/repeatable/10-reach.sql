-- ── Which tenants can be reached (src/db/reach.ts). ──
-- The service calls it with its own rights. What 10-service.sql says of its functions holds here too: replaced and
-- never dropped. On Citus 19-distributed-service.sql replaces it.

-- The nodes that do not answer, and the tenants of the others where there are such nodes. One PostgreSQL has all
-- tenants, and who reads this has reached it.
CREATE OR REPLACE FUNCTION ops.reach() RETURNS TABLE (silent text[], tenants text[])
LANGUAGE sql IMMUTABLE
BEGIN ATOMIC
  SELECT '{}'::text[], NULL::text[];
END;
