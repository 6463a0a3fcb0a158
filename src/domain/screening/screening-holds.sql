-- Part of other commands, which create payouts: whether one is held, by what lists of sanctions say of its payee. A result
-- that is too old holds it too, and a job screens the payee again. A payee that was never screened holds nothing here:
-- until its result is there, nothing is handed over (prepare-attempts.sql). It is called only for a tenant that is
-- screened.
CREATE OR REPLACE FUNCTION command.screening_holds(
  _tenant text,
  _beneficiary text,
  _screening text,
  _screened_at timestamptz -- or NULL
) RETURNS boolean
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  too_old boolean;
BEGIN
  IF _screening <> 'clear' THEN
    RETURN _screening <> 'pending';
  END IF;
  SELECT greatest(_screened_at, s.confirmed_at) < now() - make_interval(days => s.max_age_days) INTO too_old
  FROM public.screening_policy s WHERE s.tenant_id = _tenant;
  IF too_old THEN
    INSERT INTO public.job_outbox (tenant_id, task, payload, job_key)
    VALUES (
      _tenant, 'screen_beneficiary', jsonb_build_object('tenantId', _tenant, 'beneficiaryId', _beneficiary),
      'screen ' || _beneficiary
    );
  END IF;
  RETURN coalesce(too_old, false);
END
$$;
