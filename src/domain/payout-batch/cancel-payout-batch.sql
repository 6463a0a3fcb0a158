-- Cancels a batch that is a draft or submitted. No payout is made of it from now on, and a job cancels those that were made
-- and have not left. Whoever makes some at this moment holds the row's lock until they can be seen. No row in another state.
CREATE OR REPLACE FUNCTION command.cancel_payout_batch(
  _tenant text,
  _batch text,
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
    state = 'canceled', canceled_by = _actor, canceled_at = at, updated_at = command.clock(),
    work = CASE WHEN b.state = 'submitted' THEN 'cancel' END,
    look_at = CASE WHEN b.state = 'submitted' THEN at END
  WHERE b.tenant_id = _tenant AND b.id = _batch AND b.state IN ('draft', 'submitted')
  RETURNING b.* INTO batch;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  IF batch.work = 'cancel' THEN
    INSERT INTO public.job_outbox (tenant_id, task, payload, job_key)
    VALUES (
      _tenant, 'carry_payout_batch', jsonb_build_object('tenantId', _tenant, 'payoutBatchId', _batch),
      'carry_payout_batch ' || _batch
    );
  END IF;
  RETURN NEXT batch;
END
$$;
