-- Adds rows to the draft of a batch of payouts, where it has all rows before the first of them and none after. No row
-- where it is no draft, has others, or would have more than `_most`.
CREATE OR REPLACE FUNCTION command.add_payout_batch_rows(
  _tenant text,
  _batch text,
  _first integer,
  _most integer,
  _actor jsonb,
  _rows jsonb
) RETURNS SETOF public.payout_batch
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  scoped CONSTANT text := set_config('app.tenant', _tenant, true);
  batch public.payout_batch;
  last integer := _first - 1 + jsonb_array_length(_rows);
BEGIN
  UPDATE public.payout_batch AS b SET row_count = last, revision = b.revision + 1, updated_at = command.clock()
  WHERE b.tenant_id = _tenant AND b.id = _batch AND b.state = 'draft' AND b.row_count = _first - 1 AND last <= _most
  RETURNING b.* INTO batch;
  IF FOUND THEN
    PERFORM command.keep_payout_batch_rows(_tenant => _tenant, _batch => _batch, _actor => _actor, _rows => _rows);
    RETURN NEXT batch;
  END IF;
END
$$;
