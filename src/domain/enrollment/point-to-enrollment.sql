-- Makes a verified enrollment the one that the beneficiary's status shows, and records the events on request. No row
-- where it is that already.
CREATE OR REPLACE FUNCTION command.point_to_enrollment(
  _tenant text,
  _enrollment text
) RETURNS TABLE (adds_job boolean)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  scoped CONSTANT text := set_config('app.tenant', _tenant, true);
  payee text;
BEGIN
  UPDATE public.beneficiary AS b SET
    enrollment_status = 'verified', enrolled_bank_account_id = e.bank_account_id,
    revision = b.revision + 1, updated_at = command.clock()
  FROM public.enrollment e
  WHERE e.tenant_id = _tenant AND e.id = _enrollment AND e.status = 'verified'
    AND b.tenant_id = _tenant AND b.id = e.beneficiary_id
    AND (b.enrollment_status, b.enrolled_bank_account_id) IS DISTINCT FROM ('verified', e.bank_account_id)
  RETURNING b.id INTO payee;
  IF FOUND THEN
    adds_job := command.tell_beneficiaries(
      _tenant => _tenant, _beneficiaries => ARRAY[payee], _kind => NULL, _fields => '{}'
    );
    RETURN NEXT;
  END IF;
END
$$;
