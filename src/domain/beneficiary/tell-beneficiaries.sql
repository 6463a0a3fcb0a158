-- Part of other commands: records the events on request of payees to whom something has just happened. `_kind` is the
-- kind of their transition, or NULL where only an account or an enrollment changed. Whether a payee became ready, or
-- needs something, follows from the event that told it last. The lock makes two transactions that change one payee's
-- accounts look one after the other. It is taken after the payee's row. Returns whether it added a job.
CREATE OR REPLACE FUNCTION command.tell_beneficiaries(
  _tenant text,
  _beneficiaries text[],
  _kind text, -- or NULL
  _fields text[]
) RETURNS boolean
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  standings CONSTANT text[] := ARRAY['beneficiary.ready', 'beneficiary.action_required'];
  asked text[] := command.asked_types(_tenant => _tenant, _types => ARRAY[
    'beneficiary.created', 'beneficiary.changed', 'beneficiary.suspended', 'beneficiary.archived'
  ] || standings);
  told text := 'beneficiary.' || CASE WHEN _kind = 'registered' THEN 'created'
    WHEN _kind IN ('suspended', 'archived') THEN _kind ELSE 'changed' END;
  payee record;
  about jsonb;
  standing text;
  last text;
  events jsonb[] := '{}';
BEGIN
  IF asked = '{}' THEN
    RETURN false;
  END IF;
  FOR payee IN
    SELECT b.id, b.beneficiary_type, b.compliance_status, b.enrollment_status, b.collection_status
    FROM public.beneficiary b WHERE b.tenant_id = _tenant AND b.id = ANY (_beneficiaries) ORDER BY b.id
  LOOP
    about := jsonb_build_object(
      'beneficiary_id', payee.id, 'beneficiary_type', payee.beneficiary_type,
      'compliance_status', payee.compliance_status, 'enrollment_status', payee.enrollment_status,
      'collection_status', payee.collection_status
    );
    IF _kind IS NOT NULL AND told = ANY (asked) THEN
      events := events || jsonb_build_object(
        'type', told, 'subject_id', payee.id, 'discriminator', '',
        'data', about || CASE WHEN told = 'beneficiary.changed'
          THEN jsonb_build_object('change', _kind, 'changed_fields', _fields) ELSE '{}' END
      );
    END IF;
    IF asked && standings AND _kind IS DISTINCT FROM 'registered' THEN
      PERFORM pg_advisory_xact_lock(hashtextextended(_tenant || payee.id, 0));
      standing := 'beneficiary.' || command.beneficiary_standing(
        _tenant => _tenant, _beneficiary => payee.id,
        _verifies => coalesce(_kind IN ('acknowledged', 'reinstated'), false)
      );
      SELECT e.type INTO last FROM public.event e
      WHERE e.tenant_id = _tenant AND e.subject_id = payee.id AND e.type = ANY (standings)
      ORDER BY e.sequence DESC LIMIT 1;
      -- Of the two both are recorded, or the second time that a payee becomes ready would look like the first.
      IF standing IS NOT NULL AND (last IS DISTINCT FROM standing OR _kind IN ('acknowledged', 'reinstated')) THEN
        events := events || jsonb_build_object(
          'type', standing, 'subject_id', payee.id, 'discriminator', '', 'data', about
        );
      END IF;
    END IF;
  END LOOP;
  RETURN command.record_asked_events(_tenant => _tenant, _events => events);
END
$$;
