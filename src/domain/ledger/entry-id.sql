-- Part of other commands: the id of a new entry of the ledger, a TypeID as `newId` makes them (src/values/ids.ts).
-- Its digits are one expression of 130 bits, which costs a third of a loop over them.
CREATE OR REPLACE FUNCTION command.entry_id() RETURNS text
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  alphabet text := '0123456789abcdefghjkmnpqrstvwxyz';
  bits bit(130) := B'00' || ('x' || replace(uuidv7()::text, '-', ''))::bit(128);
BEGIN
  RETURN 'ent_' || substr(alphabet, substring(bits FROM 1 FOR 5)::integer + 1, 1)
    || substr(alphabet, substring(bits FROM 6 FOR 5)::integer + 1, 1)
    || substr(alphabet, substring(bits FROM 11 FOR 5)::integer + 1, 1)
    || substr(alphabet, substring(bits FROM 16 FOR 5)::integer + 1, 1)
    || substr(alphabet, substring(bits FROM 21 FOR 5)::integer + 1, 1)
    || substr(alphabet, substring(bits FROM 26 FOR 5)::integer + 1, 1)
    || substr(alphabet, substring(bits FROM 31 FOR 5)::integer + 1, 1)
    || substr(alphabet, substring(bits FROM 36 FOR 5)::integer + 1, 1)
    || substr(alphabet, substring(bits FROM 41 FOR 5)::integer + 1, 1)
    || substr(alphabet, substring(bits FROM 46 FOR 5)::integer + 1, 1)
    || substr(alphabet, substring(bits FROM 51 FOR 5)::integer + 1, 1)
    || substr(alphabet, substring(bits FROM 56 FOR 5)::integer + 1, 1)
    || substr(alphabet, substring(bits FROM 61 FOR 5)::integer + 1, 1)
    || substr(alphabet, substring(bits FROM 66 FOR 5)::integer + 1, 1)
    || substr(alphabet, substring(bits FROM 71 FOR 5)::integer + 1, 1)
    || substr(alphabet, substring(bits FROM 76 FOR 5)::integer + 1, 1)
    || substr(alphabet, substring(bits FROM 81 FOR 5)::integer + 1, 1)
    || substr(alphabet, substring(bits FROM 86 FOR 5)::integer + 1, 1)
    || substr(alphabet, substring(bits FROM 91 FOR 5)::integer + 1, 1)
    || substr(alphabet, substring(bits FROM 96 FOR 5)::integer + 1, 1)
    || substr(alphabet, substring(bits FROM 101 FOR 5)::integer + 1, 1)
    || substr(alphabet, substring(bits FROM 106 FOR 5)::integer + 1, 1)
    || substr(alphabet, substring(bits FROM 111 FOR 5)::integer + 1, 1)
    || substr(alphabet, substring(bits FROM 116 FOR 5)::integer + 1, 1)
    || substr(alphabet, substring(bits FROM 121 FOR 5)::integer + 1, 1)
    || substr(alphabet, substring(bits FROM 126 FOR 5)::integer + 1, 1);
END
$$;
