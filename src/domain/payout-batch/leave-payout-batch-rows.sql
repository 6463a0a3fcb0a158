-- Leaves rows of a draft out, or takes them in again. Each row was judged by itself, so what was found stays valid. No row
-- where the batch is no draft or has fewer rows.
CREATE OR REPLACE FUNCTION command.leave_payout_batch_rows(
  _tenant text,
  _batch text,
  _rows integer[],
  _left_out boolean
) RETURNS SETOF public.payout_batch
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  scoped CONSTANT text := set_config('app.tenant', _tenant, true);
  batch public.payout_batch;
  last integer := (SELECT max(g.n) FROM unnest(_rows) AS g (n));
BEGIN
  UPDATE public.payout_batch AS b SET
    revision = b.revision + 1,
    checked_revision = CASE WHEN b.checked_revision = b.revision THEN b.revision + 1 ELSE b.checked_revision END,
    updated_at = command.clock()
  WHERE b.tenant_id = _tenant AND b.id = _batch AND b.state = 'draft' AND b.row_count >= last
  RETURNING b.* INTO batch;
  IF FOUND THEN
    UPDATE public.payout_batch_row AS r SET left_out = _left_out
    WHERE r.tenant_id = _tenant AND r.batch_id = _batch AND r.n = ANY (_rows) AND r.left_out <> _left_out;
    RETURN NEXT batch;
  END IF;
END
$$;
