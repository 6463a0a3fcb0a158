-- Part of other commands: gives the numbers of a list of JSON, in its order.
CREATE OR REPLACE FUNCTION command.integers(
  _list jsonb
) RETURNS integer[]
LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(array_agg(e.value::integer ORDER BY e.ordinality), '{}')
  FROM jsonb_array_elements_text(_list) WITH ORDINALITY e
$$;
