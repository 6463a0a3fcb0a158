-- Makes the draft of a batch of payouts with its first rows, or gives the one that has the key already.
CREATE OR REPLACE FUNCTION command.create_payout_batch(
  _tenant text,
  _batch text,
  _name text,
  _key text,
  _request_hash bytea,
  _actor jsonb,
  _rows jsonb
) RETURNS TABLE (
  batch public.payout_batch,
  created boolean
)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  scoped CONSTANT text := set_config('app.tenant', _tenant, true);
BEGIN
  INSERT INTO public.payout_batch AS b (tenant_id, id, name, idempotency_key, request_hash, row_count, created_by)
  VALUES (_tenant, _batch, _name, _key, _request_hash, jsonb_array_length(_rows), _actor)
  ON CONFLICT (tenant_id, idempotency_key) DO NOTHING
  RETURNING b.* INTO batch;
  created := FOUND;
  IF created THEN
    PERFORM command.keep_payout_batch_rows(_tenant => _tenant, _batch => _batch, _actor => _actor, _rows => _rows);
  ELSE
    SELECT b.* INTO batch FROM public.payout_batch b WHERE b.tenant_id = _tenant AND b.idempotency_key = _key;
  END IF;
  RETURN NEXT;
END
$$;
