-- Records an event on request of a payee whose screening found hits, or has none any more. It reads the row, so it
-- follows the statement that changed it.
CREATE OR REPLACE FUNCTION command.tell_screening(
  _tenant text,
  _beneficiary text,
  _type text,
  _tail jsonb
) RETURNS TABLE (adds_job boolean)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  scoped CONSTANT text := set_config('app.tenant', _tenant, true);
BEGIN
  adds_job := false;
  IF _type = ANY (command.asked_types(_tenant => _tenant, _types => ARRAY[_type])) THEN
    adds_job := command.record_asked_events(_tenant => _tenant, _events => ARRAY(
      SELECT jsonb_build_object('type', _type, 'subject_id', b.id, 'discriminator', '', 'data', jsonb_build_object(
        'beneficiary_id', b.id, 'beneficiary_type', b.beneficiary_type, 'compliance_status', b.compliance_status,
        'enrollment_status', b.enrollment_status, 'collection_status', b.collection_status
      ) || _tail)
      FROM public.beneficiary b WHERE b.tenant_id = _tenant AND b.id = _beneficiary
    ));
  END IF;
  RETURN NEXT;
END
$$;
