-- ── Files for banks (src/domain/bank-batch): what operators can have done, and say. ──

CREATE FUNCTION ops.close_bank_batches(connection text, reason text) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  why text := ops.checked_reason(reason);
  place record;
BEGIN
  place := ops.required('bank connection', connection, 'SELECT * FROM ops.bank_queues;');
  IF place.state <> 'active' THEN
    RAISE EXCEPTION 'The bank connection % is %, and makes no files.', connection, place.state
      USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  PERFORM ops.record('close_bank_batches', place.tenant_id, connection, why, '{}', 1);
  RETURN ops.add_job(ops.known_task('close_bank_batch'), place.tenant_id, connection, connection, '{"onRequest": true}', now());
END
$$;
COMMENT ON FUNCTION ops.close_bank_batches(text, text) IS
  'Has the worker make files of everything that waits for a bank connection now, before the cut-off. Returns the number of the job.';

-- Notes what the caller did or found out, with its line of the log and the job that goes on.
CREATE FUNCTION ops.act_on_bank_batch(batch text, act text, detail jsonb, why text) RETURNS text
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  place record;
  noted text;
BEGIN
  place := ops.required('bank batch', batch, 'SELECT * FROM ops.bank_batches;');
  noted := ops.note_bank_batch(place.tenant_id, batch, act, session_user);
  IF noted = 'own' THEN
    RAISE EXCEPTION 'You downloaded this file, and a second person has to say that it was uploaded.'
      USING ERRCODE = 'insufficient_privilege';
  ELSIF noted = 'refused' THEN
    RAISE EXCEPTION '%', ops.bank_batch_refusal(place.tenant_id, batch, act)
      USING ERRCODE = 'object_not_in_prerequisite_state',
        HINT = format('SELECT status, problem, next_step FROM ops.bank_batches WHERE batch_id = %L;', batch);
  END IF;
  PERFORM ops.record('bank_batch_' || act, place.tenant_id, batch, why, detail, 1);
  IF noted = 'done' THEN
    PERFORM ops.add_job(ops.known_task('send_bank_batch'), place.tenant_id, batch, batch, '{}', now());
  END IF;
  RETURN noted;
END
$$;

CREATE FUNCTION ops.record_bank_upload(batch text, reason text) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN ops.act_on_bank_batch(batch, 'upload', '{}', ops.checked_reason(reason));
END
$$;
COMMENT ON FUNCTION ops.record_bank_upload(text, text) IS
  'Says that a file that another person downloaded was uploaded at the bank. Its payouts then count as handed over.';

CREATE FUNCTION ops.resolve_bank_batch(batch text, outcome text, evidence text, reason text) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  why text := ops.checked_reason(reason);
  shown text := nullif(btrim(evidence), '');
BEGIN
  IF $2 IS NULL OR $2 NOT IN ('sent', 'not_sent') THEN
    RAISE EXCEPTION 'There is no outcome %.', coalesce(quote_literal($2), 'without a name')
      USING ERRCODE = 'invalid_parameter_value', HINT = 'Outcomes: sent, not_sent.';
  END IF;
  IF shown IS NULL OR length(shown) > 1000 THEN
    RAISE EXCEPTION 'Say what the bank showed or said, in 1,000 characters at most.'
      USING ERRCODE = 'invalid_parameter_value', HINT = 'evidence => ''ticket 4711: the portal lists no file of this name''.';
  END IF;
  RETURN ops.act_on_bank_batch(batch, $2, jsonb_build_object('evidence', shown), why);
END
$$;
COMMENT ON FUNCTION ops.resolve_bank_batch(text, text, text, text) IS
  'Says whether the bank has a file of which nobody knows. After not_sent of two people the same bytes are sent again: asked is the answer to the first, done to the second.';
