-- Submits a draft, as the revision that was checked: from now on a job makes its payouts. No row where it is no draft, was
-- changed since, has nothing to pay, or has a row that is not in order.
CREATE OR REPLACE FUNCTION command.submit_payout_batch(
  _tenant text,
  _batch text,
  _revision integer,
  _actor jsonb
) RETURNS SETOF public.payout_batch
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  scoped CONSTANT text := set_config('app.tenant', _tenant, true);
  batch public.payout_batch;
  at timestamptz := now();
BEGIN
  UPDATE public.payout_batch AS b SET
    state = 'submitted', submitted_by = _actor, submitted_at = at, work = 'make', look_at = at, updated_at = command.clock()
  WHERE b.tenant_id = _tenant AND b.id = _batch AND b.state = 'draft' AND b.revision = _revision
    AND b.checked_revision = _revision
  RETURNING b.* INTO batch;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  PERFORM 1 FROM public.payout_batch_row r
  WHERE r.tenant_id = _tenant AND r.batch_id = _batch AND NOT r.left_out AND r.status IS DISTINCT FROM 'ready' LIMIT 1;
  IF NOT FOUND THEN
    PERFORM 1 FROM public.payout_batch_row r
    WHERE r.tenant_id = _tenant AND r.batch_id = _batch AND NOT r.left_out LIMIT 1;
    IF FOUND THEN
      INSERT INTO public.job_outbox (tenant_id, task, payload, job_key)
      VALUES (
        _tenant, 'carry_payout_batch', jsonb_build_object('tenantId', _tenant, 'payoutBatchId', _batch),
        'carry_payout_batch ' || _batch
      );
      PERFORM command.tell_payout_batch(_tenant => _tenant, _batch => _batch, _type => 'payout_batch.submitted');
      RETURN NEXT batch;
      RETURN;
    END IF;
  END IF;
  RAISE EXCEPTION 'a row of the batch is not in order' USING ERRCODE = 'PO004';
END
$$;
