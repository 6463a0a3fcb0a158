-- ── Any part of a payee's name, and the last characters of an account (docs/dashboards.md, "A search"). ──

-- A name as it is looked for: lower case, without accents, its words with one space between them. 'Müller-Łoś' is
-- 'muller los', whatever the server's locale is. An index holds what this and the next two functions answer, so none of
-- them ever answers otherwise: a change makes another function and another index.
CREATE FUNCTION command.folded_name(name text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN btrim(regexp_replace(
  regexp_replace(
    normalize(
      replace(replace(replace(replace(
        translate(lower(left(name, 600) COLLATE "pg_c_utf8"), 'øłđðħı', 'olddhi'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
      NFKD
    ),
    '[\u0300-\u036f]', '', 'g'
  ),
  '[^[:alnum:]]+', ' ', 'g'
));

-- All that a payee is called, in one text.
CREATE FUNCTION command.payee_names(business_name text, first_name text, last_name text, nickname text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN coalesce(business_name, '') || ' ' || coalesce(first_name, '') || ' ' || coalesce(last_name, '') || ' '
  || coalesce(nickname, '');

-- The three characters from each place, where a word begins with two spaces before it. Each stands with its tenant for a
-- number, so that a tenant's names are looked for among its own, and an entry has four bytes however long the id of a
-- tenant is. Two that have the same number cost a look at the row.
CREATE FUNCTION command.name_parts(tenant text, names text) RETURNS integer[]
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 10000 AS $$
DECLARE
  padded text := '  ' || replace(command.folded_name(names), ' ', '  ');
  parts integer[] := '{}';
BEGIN
  FOR place IN 1 .. length(padded) - 2 LOOP
    parts := parts || hashtext(tenant || substr(padded, place, 3));
  END LOOP;
  RETURN parts;
END
$$;

-- It is kept up at once, since what waits to be added is read by each search. A payee has some twenty entries.
CREATE INDEX beneficiary_name_parts_idx ON beneficiary USING gin (
  command.name_parts(tenant_id, command.payee_names(business_name, first_name, last_name, nickname))
) WITH (fastupdate = off);

CREATE INDEX bank_account_last4_idx ON bank_account (tenant_id, last4, id);
