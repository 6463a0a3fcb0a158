-- ── What operators do about movements at banks (src/domain/operator/bank-desk.ts). ──

-- The line, locked until the transaction ends; an exception where it is not open.
CREATE FUNCTION ops.locked_bank_line(line text) RETURNS public.bank_line
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  place record;
  held public.bank_line;
BEGIN
  place := ops.required('bank line', line, 'SELECT * FROM ops.bank_unmatched_lines;');
  SELECT l.* INTO held FROM public.bank_line l WHERE l.tenant_id = place.tenant_id AND l.id = line FOR NO KEY UPDATE;
  IF held.match <> 'unmatched' THEN
    RAISE EXCEPTION 'The line % is %.', line, held.match USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  RETURN held;
END
$$;

CREATE FUNCTION ops.match_bank_line(line text, payout_or_batch text, reason text) RETURNS uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  why text := ops.checked_reason(reason);
  held public.bank_line;
  place record;
  order_id uuid;
BEGIN
  held := ops.locked_bank_line(line);
  SELECT l.* INTO place FROM ops.locate(payout_or_batch) l
  WHERE l.kind IN ('payout', 'bank batch') AND l.tenant_id = held.tenant_id;
  IF place IS NULL THEN
    RAISE EXCEPTION 'The business has no payout or batch %.', coalesce(quote_literal(payout_or_batch), 'without an id')
      USING ERRCODE = 'no_data_found';
  END IF;
  order_id := ops.record('match_bank_line', held.tenant_id, line, why,
    jsonb_build_object('subject', payout_or_batch), 1);
  PERFORM ops.add_job(ops.known_task('match_bank_line'), held.tenant_id, line, NULL,
    jsonb_build_object('actionId', order_id), now());
  RETURN order_id;
END
$$;
COMMENT ON FUNCTION ops.match_bank_line(text, text, text) IS
  'Has the worker match a line of ops.bank_unmatched_lines with the payment of a payout, or with a batch as a whole. Returns the id of a line of ops.action_log; its outcome is done, or what refuses it; proposed where the match waits for a second operator (ops.changes_to_confirm), and proposed_already where another match of the line does.';

-- What a person says of something at the desk; an exception where it is nothing or too long.
CREATE FUNCTION ops.checked_explanation(explanation text) RETURNS text
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF coalesce(btrim(explanation), '') = '' OR length(btrim(explanation)) > 1000 THEN
    RAISE EXCEPTION 'Say what it is, in 1,000 characters at most.' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  RETURN btrim(explanation);
END
$$;

CREATE FUNCTION ops.explain_bank_line(line text, explanation text, reason text) RETURNS uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_variable
DECLARE
  why text := ops.checked_reason(reason);
  said text := ops.checked_explanation(explanation);
  held public.bank_line;
  order_id uuid;
BEGIN
  held := ops.locked_bank_line(line);
  order_id := ops.record('explain_bank_line', held.tenant_id, line, why, jsonb_build_object('explanation', said), 1);
  UPDATE public.bank_line AS l SET match = 'explained', doubt = NULL, explanation = said, action_id = order_id
  WHERE l.tenant_id = held.tenant_id AND l.id = line;
  RETURN order_id;
END
$$;
COMMENT ON FUNCTION ops.explain_bank_line(text, text, text) IS
  'Notes what a line of ops.bank_unmatched_lines is; it moves nothing and leaves the desk. Returns the id of a line of ops.action_log.';

CREATE FUNCTION ops.explain_bank_answer(answer text, explanation text, reason text) RETURNS uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_variable
DECLARE
  why text := ops.checked_reason(reason);
  said text := ops.checked_explanation(explanation);
  place record;
  held text;
  order_id uuid;
BEGIN
  place := ops.required('bank answer', answer, 'SELECT * FROM ops.bank_stray_answers;');
  SELECT s.status INTO held FROM public.bank_stray_answer s
  WHERE s.tenant_id = place.tenant_id AND s.id = answer FOR NO KEY UPDATE;
  IF held <> 'open' THEN
    RAISE EXCEPTION 'The answer % is %.', answer, held USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  order_id := ops.record('explain_bank_answer', place.tenant_id, answer, why, jsonb_build_object('explanation', said), 1);
  UPDATE public.bank_stray_answer AS s SET status = 'explained', explanation = said, action_id = order_id
  WHERE s.tenant_id = place.tenant_id AND s.id = answer;
  RETURN order_id;
END
$$;
COMMENT ON FUNCTION ops.explain_bank_answer(text, text, text) IS
  'Notes what an answer of ops.bank_stray_answers is; it moves nothing and leaves the desk. Returns the id of a line of ops.action_log.';

CREATE FUNCTION ops.dismiss_bank_file(file text, explanation text, reason text) RETURNS uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_variable
DECLARE
  why text := ops.checked_reason(reason);
  said text := ops.checked_explanation(explanation);
  place record;
  held text;
  order_id uuid;
BEGIN
  place := ops.required('bank file', file, 'SELECT * FROM ops.bank_files WHERE status = ''unreadable'';');
  SELECT f.status INTO held FROM public.bank_file f
  WHERE f.tenant_id = place.tenant_id AND f.id = file FOR NO KEY UPDATE;
  IF held <> 'unreadable' THEN
    RAISE EXCEPTION 'The file % is %.', file, held USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  order_id := ops.record('dismiss_bank_file', place.tenant_id, file, why, jsonb_build_object('explanation', said), 1);
  UPDATE public.bank_file AS f SET status = 'dismissed', explanation = said, action_id = order_id
  WHERE f.tenant_id = place.tenant_id AND f.id = file;
  RETURN order_id;
END
$$;
COMMENT ON FUNCTION ops.dismiss_bank_file(text, text, text) IS
  'Takes a file of ops.bank_files off the desk that is unreadable and that nobody needs, such as a PDF; it is kept. Returns the id of a line of ops.action_log.';

CREATE FUNCTION ops.read_bank_file_again(file text, reason text) RETURNS uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  why text := ops.checked_reason(reason);
  place record;
  line uuid;
  alike text[];
  again text;
BEGIN
  place := ops.required('bank file', file, 'SELECT * FROM ops.bank_files WHERE status = ''unreadable'';');
  IF NOT ops.reopen_bank_file(place.tenant_id, file) THEN
    RAISE EXCEPTION 'The file % is neither one that cannot be read nor one with a statement of another account.', file USING ERRCODE = 'object_not_in_prerequisite_state',
      HINT = format('SELECT status, next_step FROM ops.bank_files WHERE file_id = %L;', file);
  END IF;
  SELECT array_agg(l.id) INTO alike FROM ops.reopen_bank_files_like(place.tenant_id, file) AS l (id);
  line := ops.record('read_bank_file_again', place.tenant_id, file, why, jsonb_build_object('further_files', to_jsonb(alike)),
    1 + coalesce(cardinality(alike), 0));
  FOREACH again IN ARRAY file || coalesce(alike, '{}') LOOP
    PERFORM ops.add_job(ops.known_task('read_bank_file'), place.tenant_id, again, again, '{}', now());
  END LOOP;
  RETURN line;
END
$$;
COMMENT ON FUNCTION ops.read_bank_file_again(text, text) IS
  'Has the worker read a file of ops.bank_files once more: one that is unreadable, after what stopped it was mended, or one with a statement of an account that the connection has since, together with the other files of the connection that have such statements in its currency. Returns the id of a line of ops.action_log.';
