-- ── Taking what one works on, so that a second operator sees it. ──

CREATE FUNCTION ops.take(subject text, note text, from_other boolean DEFAULT false) RETURNS TABLE (subject_id text, taken_by text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_variable
DECLARE
  why text := ops.checked_reason(note);
  named text := btrim(subject, E' \t\r\n');
  place record;
  unknown boolean;
  tenant text;
BEGIN
  SELECT l.* INTO place FROM ops.locate(named) l LIMIT 1;
  tenant := place.tenant_id;
  unknown := place IS NULL;
  IF unknown AND NOT EXISTS (SELECT 1 FROM public.provider_contradiction c WHERE c.id::text = named)
    AND NOT EXISTS (SELECT 1 FROM graphile_worker._private_jobs j WHERE j.id::text = named)
  THEN
    RAISE EXCEPTION 'There is nothing with the id %.', coalesce(quote_literal(named), 'that is not given')
      USING ERRCODE = 'no_data_found', HINT = 'Give the id of a payout, a delivery, a contradiction …, or the number of a job.';
  END IF;
  INSERT INTO ops.taken AS t (subject_id, who, note) VALUES (named, session_user, why)
  ON CONFLICT ON CONSTRAINT taken_pkey DO UPDATE SET who = excluded.who, note = excluded.note, at = excluded.at
  WHERE t.who = excluded.who OR from_other;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'It is taken by %.', ops.taken_by(named)
      USING ERRCODE = 'object_in_use', HINT = 'Talk to them, or give from_other => true.';
  END IF;
  PERFORM ops.record('take', tenant, named, why, CASE WHEN from_other THEN '{"from_other": true}'::jsonb ELSE '{}' END, 1);
  RETURN QUERY SELECT named, ops.taken_by(named);
END
$$;
COMMENT ON FUNCTION ops.take(text, text, boolean) IS
  'Marks an id as what you work on, with a note; the views show it in taken_by. Refused while somebody else has it, without from_other => true.';

CREATE FUNCTION ops.release(subject text, note text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  why text := ops.checked_reason(note);
  named text := btrim(subject, E' \t\r\n');
BEGIN
  DELETE FROM ops.taken t WHERE t.subject_id = named;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM ops.record('release', NULL, named, why, '{}', 1);
  RETURN true;
END
$$;
COMMENT ON FUNCTION ops.release(text, text) IS 'Ends what ops.take began, for yourself or a colleague. False if nobody had it.';
