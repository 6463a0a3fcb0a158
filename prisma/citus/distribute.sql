-- Distributes a migrated database over the nodes of a Citus cluster, by tenant (docs/citus.md). Run it once,
-- as the role that owns the tables, while no API and no worker run:
--
--   psql --set ON_ERROR_STOP=1 --single-transaction --file prisma/citus/distribute.sql "$MIGRATION_DATABASE_URL"
--
-- A tenant's rows are on one node, whatever their table, so that its commands and their transactions touch
-- that node alone. Tables by which a tenant is found, those of the worker and those of operators stay on the
-- coordinator, except the two that a tenant's statements read: every node has a copy of those.

-- Foreign keys name tables that are not distributed yet, so they are taken off and put back. Two kinds stay
-- off. A tenant's row cannot refer to a table of the coordinator. And where one of those refers to a table with
-- copies, Citus would plan its statements too. Rows of business and tenant are never deleted.
-- All that follows is one transaction, in which Citus must not use several connections to a node.
SET LOCAL citus.multi_shard_modify_mode = 'sequential';

-- Views and functions go first: Citus would carry a view along with its table, and fails where another table of
-- the view stays on the coordinator. The next migration makes them again, the newest depend on the older ones.
DO $$
DECLARE
  made record;
BEGIN
  FOR made IN
    SELECT oid, 'VIEW ' || oid::regclass AS what FROM pg_class
    WHERE relnamespace IN ('ops'::regnamespace, 'across'::regnamespace) AND relkind = 'v'
    UNION ALL
    SELECT oid, 'FUNCTION ' || oid::regprocedure FROM pg_proc WHERE pronamespace = 'ops'::regnamespace
    ORDER BY oid DESC
  LOOP
    EXECUTE 'DROP ' || made.what;
  END LOOP;
END
$$;

CREATE TEMPORARY TABLE foreign_key ON COMMIT DROP AS
SELECT c.conname AS name, c.conrelid::regclass AS of, c.confrelid::regclass AS refers_to,
  pg_get_constraintdef(c.oid) AS definition
FROM pg_constraint c
WHERE c.contype = 'f' AND c.connamespace IN ('public'::regnamespace, 'ops'::regnamespace);

CREATE TEMPORARY TABLE copied ON COMMIT DROP AS
SELECT unnest(ARRAY['business', 'payout_permitted_transition']::regclass[]) AS name;

-- The tables of tenants: those whose primary key begins with the tenant.
CREATE TEMPORARY TABLE distributed ON COMMIT DROP AS
SELECT c.conrelid::regclass AS name
FROM pg_constraint c
JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
WHERE c.contype = 'p' AND c.connamespace = 'public'::regnamespace AND a.attname = 'tenant_id';

DO $$
DECLARE
  key record;
  given record;
  first regclass;
BEGIN
  FOR key IN SELECT * FROM foreign_key LOOP
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', key.of, key.name);
  END LOOP;
  FOR given IN SELECT name FROM copied LOOP
    PERFORM create_reference_table(given.name);
  END LOOP;
  FOR given IN SELECT name FROM distributed ORDER BY name::text LOOP
    IF first IS NULL THEN
      PERFORM create_distributed_table(given.name, 'tenant_id', colocate_with := 'none');
      first := given.name;
    ELSE
      PERFORM create_distributed_table(given.name, 'tenant_id', colocate_with := first::text);
    END IF;
  END LOOP;
  FOR key IN
    SELECT * FROM foreign_key k
    WHERE (k.of IN (SELECT name FROM distributed) AND k.refers_to IN (SELECT name FROM distributed UNION SELECT name FROM copied))
      OR (k.of NOT IN (SELECT name FROM distributed UNION SELECT name FROM copied)
        AND k.refers_to NOT IN (SELECT name FROM distributed UNION SELECT name FROM copied))
  LOOP
    EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %I %s', key.of, key.name, key.definition);
  END LOOP;
END
$$;

-- The next `migrate` makes the operators' views and the commands again, the latter on each node.
DELETE FROM schema_repeatable;
