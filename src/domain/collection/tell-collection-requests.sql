-- Part of other commands: records an event on request of collection requests. Returns whether it added a job.
CREATE OR REPLACE FUNCTION command.tell_collection_requests(
  _tenant text,
  _requests uuid[],
  _type text
) RETURNS boolean
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  events jsonb[];
BEGIN
  IF _requests = '{}' OR command.asked_types(_tenant => _tenant, _types => ARRAY[_type]) = '{}' THEN
    RETURN false;
  END IF;
  events := ARRAY(
    SELECT jsonb_build_object('type', _type, 'subject_id', r.id, 'discriminator', '', 'data', jsonb_build_object(
      'collection_request_id', r.id, 'beneficiary_id', r.beneficiary_id, 'scope', r.scope, 'status', r.status
    ))
    FROM public.collection_request r WHERE r.tenant_id = _tenant AND r.id = ANY (_requests) ORDER BY r.id
  );
  RETURN command.record_asked_events(_tenant => _tenant, _events => events);
END
$$;
