-- Part of other commands: records events as command.record_events does, and gives them their ids. Theirs are made here,
-- so that a command costs nothing more where nobody asks for them. Returns whether it added a job.
CREATE OR REPLACE FUNCTION command.record_asked_events(
  _tenant text,
  _events jsonb[]
) RETURNS boolean
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  IF _events = '{}' THEN
    RETURN false;
  END IF;
  RETURN command.record_events(_tenant => _tenant, _events => ARRAY(
    SELECT e.event || jsonb_build_object(
      'id', 'evt_' || substr(command.entry_id(), 5), 'delivery_id', 'wdl_' || substr(command.entry_id(), 5)
    )
    FROM unnest(_events) WITH ORDINALITY AS e (event, place) ORDER BY e.place
  ));
END
$$;
