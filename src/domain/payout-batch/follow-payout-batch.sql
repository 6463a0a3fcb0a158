-- Looks how far the payouts of a submitted batch are, all of which were made: notes and tells when none waits for a
-- decision any more, and when each of them has ended. Otherwise somebody looks again, the later the older the batch is.
-- `_waiting` are the states before a decision, `_unfinished` all before an end. Returns whether it added a job.
CREATE OR REPLACE FUNCTION command.follow_payout_batch(
  _tenant text,
  _batch text,
  _waiting text[],
  _unfinished text[]
) RETURNS TABLE (adds_job boolean)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  scoped CONSTANT text := set_config('app.tenant', _tenant, true);
  at timestamptz := now();
  known record;
  decided boolean := false;
  ended boolean;
  again timestamptz;
BEGIN
  SELECT b.approved_at, b.submitted_at INTO known FROM public.payout_batch b
  WHERE b.tenant_id = _tenant AND b.id = _batch AND b.work = 'follow' FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  IF known.approved_at IS NULL THEN
    PERFORM 1 FROM public.payout p
    WHERE p.tenant_id = _tenant AND p.batch_id = _batch AND p.state = ANY (_waiting) LIMIT 1;
    IF NOT FOUND THEN
      PERFORM 1 FROM public.payout p
      WHERE p.tenant_id = _tenant AND p.batch_id = _batch AND p.approved_at IS NOT NULL LIMIT 1;
      decided := FOUND;
    END IF;
  END IF;
  PERFORM 1 FROM public.payout p
  WHERE p.tenant_id = _tenant AND p.batch_id = _batch AND p.state = ANY (_unfinished) LIMIT 1;
  ended := NOT FOUND;
  again := at + least(greatest((at - known.submitted_at) / 20, interval '50 seconds'), interval '5 minutes');
  UPDATE public.payout_batch AS b SET
    approved_at = CASE WHEN decided THEN at ELSE b.approved_at END,
    state = CASE WHEN ended THEN 'completed' ELSE b.state END,
    completed_at = CASE WHEN ended THEN at END,
    work = CASE WHEN ended THEN NULL ELSE b.work END,
    look_at = CASE WHEN ended THEN NULL ELSE again END,
    updated_at = CASE WHEN decided OR ended THEN at ELSE b.updated_at END
  WHERE b.tenant_id = _tenant AND b.id = _batch;
  adds_job := decided AND command.tell_payout_batch(
    _tenant => _tenant, _batch => _batch, _type => 'payout_batch.approved'
  );
  adds_job := ended AND command.tell_payout_batch(
    _tenant => _tenant, _batch => _batch, _type => 'payout_batch.completed'
  ) OR adds_job;
  RETURN NEXT;
END
$$;
