-- Part of other commands: why an account's payouts are not approved, by what its bank says of the name and what the
-- business decided about that; NULL for nothing. While the answer is awaited, nothing is approved of a business that
-- wants any answer to stop it.
CREATE OR REPLACE FUNCTION command.name_check_obstacle(
  _check text, -- or NULL
  _confirmed boolean,
  _close_match text, -- or NULL
  _no_match text, -- or NULL
  _not_possible text -- or NULL
) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN _check IS NULL OR _check = 'match' THEN NULL
    WHEN _check = 'pending' THEN
      CASE WHEN ARRAY[_close_match, _no_match, _not_possible] && ARRAY['confirm', 'block'] THEN 'name_check_pending' END
    ELSE CASE CASE _check WHEN 'close_match' THEN _close_match WHEN 'no_match' THEN _no_match ELSE _not_possible END
      WHEN 'block' THEN 'name_check_blocked'
      WHEN 'confirm' THEN CASE WHEN NOT _confirmed THEN 'name_check_unconfirmed' END
    END
  END
$$;
