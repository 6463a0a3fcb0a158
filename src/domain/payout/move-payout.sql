-- Moves a payout by one transition, with its record, its event and the event's delivery, the decision that moves it,
-- and the jobs that follow. It names the prior states and the preconditions of permitted.ts, so it does not touch a
-- payout that does not meet them: no row then.
--
-- An approval needs the version of the bank account that the payout was created with: if the details changed since,
-- the approver would decide on others than the preparer gave. A change after the approval redirects nothing. A
-- replacement is not approved while its predecessor may have been paid after all, and no payout while its payee may be
-- on a list of sanctions, or while what the bank says of the holder's name stops it (name-check-obstacle.sql).
--
-- `_approver` is the user who approves, whatever key or membership they use. They are refused when they created the
-- payout, and a distinct approver was demanded at its creation or their business demands one at this moment.
-- Where a policy demands approvals, the approval is counted (count-approval.sql). While it is not the last one that is
-- missing, its decision is all that is written, and the row is the payout as it stays.
-- A decision that `expects` a digest is about the payout as it was when its maker saw it (approval-digests.sql): another
-- one by now is not approved.
-- `_held_by_attempt` and `_held_for_cause` must stand in the payout's latest record: the hold is theirs. A provider
-- has one rail reference for a disbursement. Should it name two, `greatest` chooses the same one in whichever order
-- they came. What a move changes of the payout's row is the same in apply-payout-events.sql.
CREATE OR REPLACE FUNCTION command.move_payout(
  _tenant text,
  _payout text,
  _state text,
  _from text[],
  _from_before_hand_over text[],
  _actor jsonb,
  _reason text, -- or NULL
  _rail_ref text, -- or NULL
  _failure_code text, -- or NULL
  _failure_message text, -- or NULL
  _live_attempt text, -- or NULL
  _approver text, -- or NULL
  _business text,
  _held_by_attempt text, -- or NULL
  _held_for_cause text, -- or NULL
  _cause text, -- or NULL
  _decision jsonb, -- or NULL
  _event jsonb -- or NULL
) RETURNS TABLE (
  payout public.payout,
  decision public.payout_decision, -- or NULL
  adds_job boolean
)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  scoped CONSTANT text := set_config('app.tenant', _tenant, true);
  at timestamptz := now();
  predecessor text;
  prior text;
  counted jsonb;
  paid_account text;
BEGIN
  IF _state = 'approved' THEN
    SELECT p.replaces_payout_id, p.bank_account_id INTO predecessor, paid_account FROM public.payout p
    WHERE p.tenant_id = _tenant AND p.id = _payout;
    IF predecessor IS NOT NULL AND ops.is_contradicted(_tenant, predecessor) THEN
      RETURN;
    END IF;
    IF _decision ? 'expects' AND command.approval_digest(
      _tenant => _tenant, _payout => _payout, _business => _business
    ) IS DISTINCT FROM _decision ->> 'expects' THEN
      RETURN;
    END IF;
    PERFORM 1 FROM public.payout_requirement r WHERE r.tenant_id = _tenant AND r.payout_id = _payout LIMIT 1;
    IF FOUND THEN
      counted := command.count_approval(
        _tenant => _tenant, _payout => _payout, _from => _from, _business => _business, _user => _approver,
        _role => _actor ->> 'role'
      );
      IF counted IS NULL OR NOT command.step_up_counts(
        _tenant => _tenant, _payout => _payout, _business => _business, _counted => counted,
        _step_up => _decision ->> 'step_up', _actor => _actor
      ) THEN
        RETURN;
      END IF;
      _decision := _decision || counted;
      IF NOT (counted ->> 'done')::boolean THEN
        SELECT p.* INTO payout FROM public.payout p WHERE p.tenant_id = _tenant AND p.id = _payout;
        decision := command.record_decision(_tenant => _tenant, _payout => _payout, _decision => _decision);
        adds_job := false;
        RETURN NEXT;
        RETURN;
      END IF;
    END IF;
    -- An answer of the bank that is being written comes before the approval or after it.
    PERFORM 1 FROM public.bank_account a WHERE a.tenant_id = _tenant AND a.id = paid_account FOR SHARE;
  END IF;
  UPDATE public.payout AS p SET
    updated_at = command.clock(),
    state = _state,
    transition_count = p.transition_count + 1,
    approved_at = CASE WHEN _state = 'approved' THEN at WHEN _state = 'pending_approval' THEN NULL
      ELSE p.approved_at END,
    disbursed_at = CASE WHEN _state = 'disbursed' THEN at ELSE p.disbursed_at END,
    settled_at = CASE WHEN _state = 'settled' THEN at ELSE p.settled_at END,
    live_attempt_id = CASE WHEN _state IN ('compliance_hold', 'failed') THEN NULL ELSE p.live_attempt_id END,
    rail_ref = greatest(_rail_ref, p.rail_ref),
    failure_code = coalesce(_failure_code, p.failure_code),
    failure_message = coalesce(_failure_message, p.failure_message)
  WHERE p.tenant_id = _tenant AND p.id = _payout
    AND (p.state = ANY (_from) OR (p.state = ANY (_from_before_hand_over) AND p.live_attempt_id IS NULL))
    AND (_live_attempt IS NULL OR p.live_attempt_id = _live_attempt)
    AND (_approver IS NULL OR p.created_by ->> 'user_id' IS DISTINCT FROM _approver
      OR NOT (p.distinct_approver OR EXISTS (
        SELECT 1 FROM public.business b WHERE b.id = _business AND b.distinct_approver
      )))
    AND (_state <> 'approved' OR EXISTS (
      SELECT 1 FROM public.bank_account a LEFT JOIN public.name_check_policy s ON s.tenant_id = _tenant
      WHERE a.tenant_id = _tenant AND a.id = p.bank_account_id AND a.version = p.bank_account_version
        AND command.name_check_obstacle(
          _check => a.name_check, _confirmed => a.name_check_confirmed_at IS NOT NULL, _close_match => s.close_match,
          _no_match => s.no_match, _not_possible => s.not_possible
        ) IS NULL
    ))
    AND (_state <> 'approved' OR EXISTS (
      SELECT 1 FROM public.beneficiary b
      WHERE b.tenant_id = _tenant AND b.id = p.beneficiary_id
        AND coalesce(b.screening, 'clear') IN ('clear', 'pending')
    ))
    AND ((_held_by_attempt IS NULL AND _held_for_cause IS NULL) OR EXISTS (
      SELECT 1 FROM public.payout_transition t
      WHERE t.tenant_id = _tenant AND t.payout_id = p.id AND t.seq = p.transition_count
        AND (_held_by_attempt IS NULL OR t.attempt_id = _held_by_attempt)
        AND (_held_for_cause IS NULL OR t.cause = _held_for_cause)
    ))
  RETURNING p.* INTO payout;
  IF NOT FOUND THEN
    RETURN;
  END IF;

  SELECT t.to_state INTO prior FROM public.payout_transition t
  WHERE t.tenant_id = _tenant AND t.payout_id = _payout AND t.seq = payout.transition_count - 1;
  INSERT INTO public.payout_transition (
    tenant_id, payout_id, seq, previous_seq, from_state, to_state, actor, reason, attempt_id, cause
  ) VALUES (
    _tenant, _payout, payout.transition_count, payout.transition_count - 1, prior, _state, _actor, _reason,
    _live_attempt, _cause
  );
  adds_job := _event IS NOT NULL AND command.record_events(_tenant => _tenant, _events => ARRAY[command.payout_event(
    _event, payout.id, payout.external_ref, payout.beneficiary_id, payout.amount, payout.currency, payout.rail_ref
  )]);
  adds_job := command.tell_payouts(_tenant => _tenant, _payouts => ARRAY[_payout], _created => false) OR adds_job;
  IF _decision IS NOT NULL THEN
    decision := command.record_decision(_tenant => _tenant, _payout => _payout, _decision => _decision);
  END IF;
  IF _state = 'approved' THEN
    INSERT INTO public.job_outbox (tenant_id, task, payload, job_key)
    VALUES (
      _tenant, 'disburse_payout',
      jsonb_build_object('tenantId', _tenant, 'payoutId', _payout)
        || jsonb_strip_nulls(jsonb_build_object('_trace', _decision -> '_trace')),
      'disburse ' || _payout
    );
    adds_job := true;
  END IF;
  PERFORM command.post_entries(
    _tenant => _tenant, _currency => payout.currency, _from => prior, _to => _state, _payouts => ARRAY[_payout],
    _seqs => ARRAY[payout.transition_count], _amounts => ARRAY[payout.amount_minor]
  );
  RETURN NEXT;
END
$$;
