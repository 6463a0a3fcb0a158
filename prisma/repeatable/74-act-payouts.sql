-- ── Orders about payouts, which the worker carries out (src/domain/operator), and findings. ──

CREATE FUNCTION ops.locked_attempt(payout text) RETURNS TABLE (
  tenant_id text, state text, attempt_id text, status text, needs_operator boolean, provider_payout_id text
)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  place record;
BEGIN
  place := ops.required('payout', payout, 'The id of a payout begins with pay_; ops.find(id) tells what another id is.');
  -- An attempt with an unknown outcome comes first, then the live attempt, then the latest.
  RETURN QUERY
  SELECT place.tenant_id, p.state, a.id::text, a.status, a.needs_operator, a.provider_payout_id
  FROM public.payout p
  JOIN public.disbursement_attempt a ON a.tenant_id = p.tenant_id AND a.payout_id = p.id
  WHERE p.tenant_id = place.tenant_id AND p.id = payout AND (a.id = p.live_attempt_id OR a.needs_operator)
  ORDER BY (a.status = 'unknown' OR a.needs_operator) DESC, a.id IS NOT DISTINCT FROM p.live_attempt_id DESC, a.number DESC
  LIMIT 1 FOR NO KEY UPDATE OF a;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'The payout % is %, and none of its attempts is open.', payout, place.state
      USING ERRCODE = 'object_not_in_prerequisite_state', HINT = format('SELECT * FROM ops.timeline(%L);', payout);
  END IF;
END
$$;

CREATE FUNCTION ops.order_payout(
  action text, payout text, tenant text, detail jsonb, why text, run_at timestamptz DEFAULT now(),
  who text DEFAULT session_user
) RETURNS uuid
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  order_id uuid := ops.record(action, tenant, payout, why, detail, 1, who);
BEGIN
  PERFORM ops.add_job(ops.known_task(action), tenant, payout, NULL, jsonb_build_object('actionId', order_id), run_at);
  RETURN order_id;
END
$$;

CREATE FUNCTION ops.look_up_payout(payout text, reason text) RETURNS uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  why text := ops.checked_reason(reason);
  held record;
BEGIN
  SELECT * INTO held FROM ops.locked_attempt(payout);
  RETURN ops.order_payout('look_up_payout', payout, held.tenant_id, '{}', why);
END
$$;
COMMENT ON FUNCTION ops.look_up_payout(text, text) IS
  'Has the worker ask the provider about a payout now. Returns the id of a line of ops.action_log; its outcome is the answer.';

CREATE FUNCTION ops.resolve_payout(payout text, outcome text, provider_payout_id text, evidence text, reason text) RETURNS uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  why text := ops.checked_reason(reason);
  named text := nullif(btrim(provider_payout_id), '');
  shown text := nullif(btrim(evidence), '');
  target text := CASE $2 WHEN 'paid' THEN 'disbursed' WHEN 'not_paid' THEN 'failed' END;
  held record;
  waiting record;
BEGIN
  IF target IS NULL THEN
    RAISE EXCEPTION 'There is no outcome %.', coalesce(quote_literal($2), 'without a name')
      USING ERRCODE = 'invalid_parameter_value', HINT = 'Outcomes: paid, not_paid.';
  END IF;
  IF shown IS NULL OR length(shown) > 1000 OR length(named) > 255 THEN
    RAISE EXCEPTION 'Say what the provider showed or said, in 1,000 characters at most.'
      USING ERRCODE = 'invalid_parameter_value', HINT = 'evidence => ''ticket 4711: the provider''''s ledger has no such payment''.';
  END IF;
  SELECT * INTO held FROM ops.locked_attempt(payout);
  IF NOT (held.status = 'unknown' OR held.needs_operator OR ops.debit_is_missing(held.tenant_id, held.attempt_id)) THEN
    RAISE EXCEPTION 'The outcome of the payout % is not open: its attempt is %.', payout, held.status
      USING ERRCODE = 'object_not_in_prerequisite_state', HINT = format('SELECT ops.look_up_payout(%L, %L);', payout, why);
  END IF;
  IF target = 'disbursed' AND coalesce(named, held.provider_payout_id) IS NULL THEN
    RAISE EXCEPTION 'paid needs the id of the payment at the provider.'
      USING ERRCODE = 'invalid_parameter_value', HINT = 'Give provider_payout_id.';
  END IF;
  -- A payout in another final state does not move; only the mark of its attempt is removed.
  IF NOT held.needs_operator AND NOT EXISTS (
    SELECT 1 FROM public.payout_permitted_transition t WHERE t.from_state = held.state AND t.to_state = target
  ) THEN
    RAISE EXCEPTION 'The payout % is % and cannot become %.', payout, held.state, target
      USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  SELECT l.who, l.at INTO waiting FROM ops.waiting_resolution(payout) l;
  IF FOUND THEN
    RAISE EXCEPTION 'A resolution ordered by % at % still waits for the worker or for a second person.', waiting.who, waiting.at
      USING ERRCODE = 'object_in_use', HINT = format('SELECT * FROM ops.action_log WHERE subject_id = %L ORDER BY at DESC;', payout);
  END IF;
  RETURN ops.order_payout('resolve_payout', payout, held.tenant_id,
    jsonb_build_object('outcome', $2, 'provider_payout_id', named, 'evidence', shown), why);
END
$$;
COMMENT ON FUNCTION ops.resolve_payout(text, text, text, text, text) IS
  'Has the worker record an unknown outcome as paid or not_paid, after asking the provider once more. Returns the id of a line of ops.action_log; its outcome is the result.';

-- The order, locked until the transaction ends; an exception if it is none that waits.
CREATE FUNCTION ops.locked_resolution(order_id uuid) RETURNS TABLE (tenant_id text, payout_id text, who text)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY SELECT l.tenant_id::text, l.subject_id::text, l.who FROM ops.action_log l
  WHERE l.id = order_id AND l.action = 'resolve_payout' AND l.outcome IS NULL FOR UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'There is no resolution % that waits.', coalesce(order_id::text, 'without an id')
      USING ERRCODE = 'no_data_found', HINT = 'SELECT * FROM ops.resolutions_to_confirm;';
  END IF;
END
$$;

CREATE FUNCTION ops.confirm_resolution(order_id uuid, reason text) RETURNS uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_variable
DECLARE
  why text := ops.checked_reason(reason);
  held record;
BEGIN
  SELECT * INTO held FROM ops.locked_resolution(order_id);
  IF ops.person_of(held.who) = ops.person_of(session_user) THEN
    RAISE EXCEPTION 'You ordered this resolution yourself, and a second person has to confirm it.'
      USING ERRCODE = 'insufficient_privilege', HINT = 'To take it back: SELECT ops.decline_resolution(…).';
  END IF;
  INSERT INTO ops.order_confirmation AS o (action_id, answer, answered_at, answered_by)
  VALUES (order_id, 'confirmed', now(), session_user)
  ON CONFLICT (action_id) DO UPDATE SET answer = excluded.answer, answered_at = excluded.answered_at, answered_by = excluded.answered_by
  WHERE o.answer IS NULL;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'The resolution % was confirmed before.', order_id USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  PERFORM ops.record('confirm_resolution', held.tenant_id, held.payout_id, why, jsonb_build_object('order', order_id), 1);
  PERFORM ops.add_job(ops.known_task('resolve_payout'), held.tenant_id, held.payout_id, NULL,
    jsonb_build_object('actionId', order_id), now());
  RETURN order_id;
END
$$;
COMMENT ON FUNCTION ops.confirm_resolution(uuid, text) IS
  'Confirms a line of ops.resolutions_to_confirm that another person ordered; the worker then carries it out. Returns the order''s id in ops.action_log.';

CREATE FUNCTION ops.decline_resolution(order_id uuid, reason text) RETURNS uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_variable
DECLARE
  why text := ops.checked_reason(reason);
  held record;
BEGIN
  SELECT * INTO held FROM ops.locked_resolution(order_id);
  INSERT INTO ops.order_confirmation AS o (action_id, answer, answered_at, answered_by)
  VALUES (order_id, 'declined', now(), session_user)
  ON CONFLICT (action_id) DO UPDATE SET answer = excluded.answer, answered_at = excluded.answered_at, answered_by = excluded.answered_by
  WHERE o.answer IS NULL;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'The resolution % was confirmed, and the worker carries it out.', order_id
      USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  UPDATE ops.action_log l SET outcome = 'declined', outcome_at = now() WHERE l.id = order_id;
  PERFORM ops.record('decline_resolution', held.tenant_id, held.payout_id, why, jsonb_build_object('order', order_id), 1);
  RETURN order_id;
END
$$;
COMMENT ON FUNCTION ops.decline_resolution(uuid, text) IS
  'Ends a resolution that waits, without an effect: a second person does not confirm it, or whoever ordered it takes it back.';

CREATE FUNCTION ops.examine_contradiction(contradiction uuid, finding text, evidence text, reason text)
RETURNS TABLE (action_id uuid, payout_id text, left_open bigint, note text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  tenants text[] := ARRAY(SELECT t.id FROM public.tenant t);
  why text := ops.checked_reason(reason);
  shown text := nullif(btrim(evidence), '');
  held record;
  line uuid;
BEGIN
  IF finding IS NULL OR finding NOT IN ('as_recorded', 'paid_otherwise') THEN
    RAISE EXCEPTION 'There is no finding %.', coalesce(quote_literal(finding), 'without a name')
      USING ERRCODE = 'invalid_parameter_value',
        HINT = 'as_recorded: the payout shows what happened to the money, and can be replaced if its state permits. paid_otherwise: money moved that the payout does not show; it can never be replaced.';
  END IF;
  IF shown IS NULL OR length(shown) > 1000 THEN
    RAISE EXCEPTION 'Say what the provider showed or said, in 1,000 characters at most.'
      USING ERRCODE = 'invalid_parameter_value', HINT = 'evidence => ''ticket 4711: the provider''''s ledger has one payment''.';
  END IF;
  SELECT c.* INTO held FROM public.provider_contradiction c WHERE c.tenant_id = ANY (tenants) AND c.id = contradiction;
  IF held.id IS NULL THEN
    RAISE EXCEPTION 'There is no contradiction %.', coalesce(contradiction::text, 'without an id')
      USING ERRCODE = 'no_data_found', HINT = 'SELECT * FROM ops.contradictions WHERE finding IS NULL;';
  END IF;
  line := ops.record('examine_contradiction', held.tenant_id, coalesce(held.payout_id, held.subject_id), why,
    jsonb_build_object('contradiction', contradiction, 'kind', held.kind, 'finding', finding, 'evidence', shown), 1);
  IF NOT ops.note_finding(held.tenant_id, contradiction, finding, line) THEN
    RAISE EXCEPTION 'The contradiction % was examined before.', contradiction
      USING ERRCODE = 'object_not_in_prerequisite_state',
        HINT = format('SELECT * FROM ops.contradictions WHERE contradiction_id = %L;', contradiction);
  END IF;
  RETURN QUERY SELECT line, held.payout_id::text, o.waiting,
    CASE WHEN o.waiting > 0 THEN 'Other contradictions of the same attempt or enrollment are still open.' END
  FROM (SELECT count(*) AS waiting FROM public.provider_contradiction c
    WHERE c.tenant_id = held.tenant_id AND c.subject_id = held.subject_id AND c.finding IS NULL) o;
END
$$;
COMMENT ON FUNCTION ops.examine_contradiction(uuid, text, text, text) IS
  'Records the finding for a line of ops.contradictions: as_recorded, after which the payout can be replaced if its state permits, or paid_otherwise, after which it can never be replaced.';

-- A change is confirmed over GraphQL alone: what it holds is encrypted, and no SQL opens it.
CREATE FUNCTION ops.decline_change(change text, reason text) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_variable
DECLARE
  why text := ops.checked_reason(reason);
  held record;
BEGIN
  SELECT c.tenant_id, c.status, c.kind, c.subject_id INTO held FROM public.proposed_change c
  WHERE c.id = change AND c.kind NOT IN ('webhook_address', 'approval_policy', 'approval_group', 'approval_role') FOR UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'There is no proposed change %.', coalesce(quote_literal(change), 'without an id')
      USING ERRCODE = 'no_data_found', HINT = 'SELECT * FROM ops.changes_to_confirm;';
  END IF;
  IF held.status <> 'waiting' THEN
    RAISE EXCEPTION 'The change % is % already.', change, held.status USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  UPDATE public.proposed_change c SET status = 'declined', answered_by = session_user, answered_at = now(), payload_ciphertext = NULL
  WHERE c.tenant_id = held.tenant_id AND c.id = change;
  -- The file that waited with it is kept, and nothing that it says counts.
  UPDATE public.bank_file f SET status = 'dismissed', explanation = why
  WHERE held.kind = 'bank_file_take' AND f.tenant_id = held.tenant_id AND f.id = held.subject_id AND f.status = 'waiting';
  PERFORM ops.record('decline_change', held.tenant_id, change, why,
    jsonb_build_object('kind', held.kind, 'subject', held.subject_id), 1);
  RETURN change;
END
$$;
COMMENT ON FUNCTION ops.decline_change(text, text) IS
  'Ends a line of ops.changes_to_confirm without an effect. Whoever proposed it may do so, too.';
