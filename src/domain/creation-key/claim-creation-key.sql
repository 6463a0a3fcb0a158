-- Claims the idempotency key of a create for `_key_hours` by the database's clock: `resource_id` is `_resource` then.
-- Otherwise it is what the key made before, and `is_same` says whether with this content. Of callers with one key at
-- once, the claim makes the others wait for the first.
CREATE OR REPLACE FUNCTION command.claim_creation_key(
  _tenant text,
  _operation text,
  _key text,
  _resource text,
  _hash bytea,
  _key_hours integer
) RETURNS TABLE (resource_id text, is_same boolean)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  scoped CONSTANT text := set_config('app.tenant', _tenant, true);
  at timestamptz := now();
  kept_since timestamptz(3) := at - make_interval(hours => _key_hours);
BEGIN
  INSERT INTO public.creation_key AS k (tenant_id, operation, idempotency_key, resource_id, request_hash, created_at)
  VALUES (_tenant, _operation, _key, _resource, _hash, at)
  ON CONFLICT (tenant_id, operation, idempotency_key) DO UPDATE
    SET resource_id = excluded.resource_id, request_hash = excluded.request_hash, created_at = excluded.created_at
    WHERE k.created_at <= kept_since;
  SELECT k.resource_id, k.request_hash = _hash INTO resource_id, is_same FROM public.creation_key k
  WHERE k.tenant_id = _tenant AND k.operation = _operation AND k.idempotency_key = _key;
  RETURN NEXT;
END
$$;
