-- Part of other commands: whether a tenant is a sandbox. On Citus, where a tenant's node has no table of tenants, it
-- is another function (18-distributed-functions.sql).
CREATE OR REPLACE FUNCTION command.is_sandbox(
  _tenant text
) RETURNS boolean
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  RETURN (SELECT t.environment = 'sandbox' FROM public.tenant t WHERE t.id = _tenant);
END
$$;
