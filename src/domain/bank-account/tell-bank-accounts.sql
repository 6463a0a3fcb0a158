-- Part of other commands: records an event on request of bank accounts, and what follows for their owners' standing.
-- `_type` is NULL where only the standing can have changed. Returns whether it added a job.
CREATE OR REPLACE FUNCTION command.tell_bank_accounts(
  _tenant text,
  _accounts text[],
  _type text -- or NULL
) RETURNS boolean
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  adds_job boolean := false;
  events jsonb[];
  owners text[] := ARRAY(
    SELECT a.beneficiary_id FROM public.bank_account a WHERE a.tenant_id = _tenant AND a.id = ANY (_accounts)
  );
BEGIN
  IF _type = ANY (command.asked_types(_tenant => _tenant, _types => ARRAY[_type])) THEN
    events := ARRAY(
      SELECT jsonb_build_object('type', _type, 'subject_id', a.id, 'discriminator', '', 'data', jsonb_build_object(
        'bank_account_id', a.id, 'beneficiary_id', a.beneficiary_id, 'country', a.country, 'currency', a.currency,
        'version', a.version, 'status', a.status, 'validation_status', a.validation_status
      ))
      FROM public.bank_account a WHERE a.tenant_id = _tenant AND a.id = ANY (_accounts) ORDER BY a.id
    );
    adds_job := command.record_asked_events(_tenant => _tenant, _events => events);
  END IF;
  RETURN command.tell_beneficiaries(
    _tenant => _tenant, _beneficiaries => owners, _kind => NULL, _fields => '{}'
  ) OR adds_job;
END
$$;
