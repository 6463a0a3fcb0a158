-- ── Payees by a part of a name. ──

-- Payees of a tenant whose names have each word of a text in them: a word of one or two characters at the beginning of
-- one of theirs, a longer one anywhere. At most `_take` of them, in no order; none for a text without a letter or digit.
-- Row-level security would have PostgreSQL look at each payee of the tenant, since what compares arrays may leak, so
-- this runs with the rights of the owner, for the tenant of the transaction alone. The index is asked before the tenant's
-- other rows, whatever the statistics say of the tenant.
CREATE OR REPLACE FUNCTION ops.payees_named(_tenant text, _text text, _take integer, _active boolean) RETURNS TABLE (id text)
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 20 SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  words text[] := string_to_array(command.folded_name(_text), ' ');
  parts integer[];
BEGIN
  IF _take < 1 OR cardinality(words) = 0 OR _tenant IS DISTINCT FROM current_setting('app.tenant', true) THEN
    RETURN;
  END IF;
  parts := ARRAY(
    SELECT DISTINCT hashtext(_tenant || substr('  ' || w.word, n.at, 3))
    FROM unnest(words) AS w (word), generate_series(least(length(w.word), 3), length(w.word)) AS n (at)
  );
  RETURN QUERY SELECT f.id FROM (
    SELECT b.tenant_id, b.id, b.archived_at,
      ' ' || command.folded_name(command.payee_names(b.business_name, b.first_name, b.last_name, b.nickname)) AS names
    FROM public.beneficiary b
    WHERE command.name_parts(b.tenant_id, command.payee_names(b.business_name, b.first_name, b.last_name, b.nickname))
      @> parts
    OFFSET 0
  ) f
  WHERE f.tenant_id = _tenant AND (f.archived_at IS NULL OR NOT _active)
    AND NOT EXISTS (
      SELECT 1 FROM unnest(words) AS w (word)
      WHERE strpos(f.names, CASE WHEN length(w.word) < 3 THEN ' ' ELSE '' END || w.word) = 0
    )
  LIMIT _take;
END
$$;
