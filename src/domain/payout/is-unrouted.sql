-- Part of other commands: whether a payout is still to be judged by the tenant's routes, since they or what they
-- judge by have changed. `_current` is NULL where the tenant has no routes, and the deployment's provider pays
-- everything.
CREATE OR REPLACE FUNCTION command.is_unrouted(
  _current integer,
  _judged integer,
  _revision integer,
  _judged_revision integer,
  _version integer,
  _judged_version integer
) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
  SELECT _current IS DISTINCT FROM _judged OR (_current IS NOT NULL AND (
    _revision IS DISTINCT FROM _judged_revision OR _version IS DISTINCT FROM _judged_version
  ))
$$;
