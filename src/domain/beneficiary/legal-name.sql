-- Part of other commands: the name under which a payee is paid.
CREATE OR REPLACE FUNCTION command.legal_name(
  _beneficiary_type text,
  _business_name text,
  _first_name text,
  _last_name text
) RETURNS text
LANGUAGE sql STABLE AS $$
  SELECT CASE _beneficiary_type
    WHEN 'business' THEN coalesce(_business_name, '')
    ELSE concat_ws(' ', nullif(_first_name, ''), nullif(_last_name, ''))
  END
$$;
