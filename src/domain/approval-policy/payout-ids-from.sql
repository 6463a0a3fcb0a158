-- Part of other commands: gives a text that sorts before the id of each payout that was made at that time or later. The first
-- ten characters of an id are its time in milliseconds (src/values/ids.ts).
CREATE OR REPLACE FUNCTION command.payout_ids_from(
  _at timestamptz
) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
  SELECT 'pay_' || string_agg(
    substr('0123456789abcdefghjkmnpqrstvwxyz', 1 + ((floor(extract(epoch FROM _at) * 1000)::bigint >> (45 - 5 * place)) & 31)::integer, 1),
    '' ORDER BY place
  )
  FROM generate_series(0, 9) place
$$;
