-- Records what the transaction has just done to beneficiaries, each with a `transition_count` of one more, and the
-- events on request. It reads the rows, so it follows the statement that changed them.
CREATE OR REPLACE FUNCTION command.record_beneficiary_transitions(
  _tenant text,
  _beneficiaries text[],
  _kind text,
  _from text, -- or NULL
  _actor jsonb,
  _reason text, -- or NULL
  _fields text[]
) RETURNS TABLE (adds_job boolean)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  scoped CONSTANT text := set_config('app.tenant', _tenant, true);
BEGIN
  INSERT INTO public.beneficiary_transition (
    tenant_id, beneficiary_id, seq, kind, from_status, to_status, actor, reason, fields
  )
  SELECT b.tenant_id, b.id, b.transition_count, _kind, coalesce(_from, b.compliance_status),
    CASE WHEN _kind = 'archived' THEN 'archived' ELSE b.compliance_status END, _actor, _reason, _fields
  FROM public.beneficiary b WHERE b.tenant_id = _tenant AND b.id = ANY (_beneficiaries);
  adds_job := command.tell_beneficiaries(
    _tenant => _tenant, _beneficiaries => _beneficiaries, _kind => _kind, _fields => _fields
  );
  RETURN NEXT;
END
$$;
