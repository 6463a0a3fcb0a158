-- ── On Citus (docs/citus.md): what follows is made on the coordinator alone. ──
-- Operators and the service connect there. What the nodes need too, 18-distributed-functions.sql sends them.
-- Without Citus the setting means nothing.
SET LOCAL citus.enable_ddl_propagation = off;
