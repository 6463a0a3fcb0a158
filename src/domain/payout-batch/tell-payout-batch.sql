-- Part of other commands: records an event on request of a batch of payouts. Returns whether it added a job.
CREATE OR REPLACE FUNCTION command.tell_payout_batch(
  _tenant text,
  _batch text,
  _type text
) RETURNS boolean
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  events jsonb[];
BEGIN
  IF command.asked_types(_tenant => _tenant, _types => ARRAY[_type]) = '{}' THEN
    RETURN false;
  END IF;
  events := ARRAY(
    SELECT jsonb_build_object('type', _type, 'subject_id', b.id, 'discriminator', '', 'data', jsonb_build_object(
      'payout_batch_id', b.id, 'row_count', b.row_count, 'status', split_part(_type, '.', 2)
    ))
    FROM public.payout_batch b WHERE b.tenant_id = _tenant AND b.id = _batch
  );
  RETURN command.record_asked_events(_tenant => _tenant, _events => events);
END
$$;
