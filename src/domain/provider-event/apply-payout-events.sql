-- What events of a provider that agree with their attempts change, for many attempts at once, with a row for each
-- event. Each kind of change is one statement for all of them, since a statement costs more than most rows that it
-- changes. No two of the events are of one attempt, and the transaction holds the locks of the attempts. `refused`
-- is the payment of another attempt, and nothing else of that event is applied.
CREATE OR REPLACE FUNCTION command.apply_payout_events(
  _tenant text,
  _actor jsonb,
  _events jsonb
) RETURNS TABLE (n integer, refused boolean, news boolean, moved boolean, adds_job boolean)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  scoped CONSTANT text := set_config('app.tenant', _tenant, true);
  at timestamptz := now();
  applied jsonb := _events;
  accepted jsonb;
  refusals integer[] := '{}';
  newsy integer[] := '{}';
  movers integer[] := '{}';
  change record;
  more boolean := false;
  events jsonb[] := '{}';
  attempts text[] := '{}';
  payouts text[] := '{}';
  currencies text[] := '{}';
  amounts bigint[] := '{}';
  seqs integer[] := '{}';
  priors text[] := '{}';
  states text[] := '{}';
BEGIN
  SELECT jsonb_agg(g.accept || jsonb_build_object('attempt', g.attempt)) INTO accepted
  FROM jsonb_to_recordset(_events) AS g (attempt text, accept jsonb) WHERE g.accept IS NOT NULL;
  IF accepted IS NOT NULL THEN
    SELECT array_agg(r.attempt), coalesce(bool_or(r.adds_job), false) INTO attempts, more
    FROM command.accept_attempts(_tenant => _tenant, _accepted => accepted) AS r;
    SELECT coalesce(array_agg(g.n), '{}') INTO refusals
    FROM jsonb_to_recordset(_events) AS g (n integer, attempt text, accept jsonb)
    WHERE g.accept IS NOT NULL AND g.attempt <> ALL (coalesce(attempts, '{}'));
    SELECT jsonb_agg(g.event) INTO applied FROM jsonb_array_elements(_events) AS g (event)
    WHERE (g.event ->> 'n')::integer <> ALL (refusals);
    attempts := '{}';
  END IF;

  FOR change IN
    UPDATE public.disbursement_attempt AS a SET acknowledged_at = at
    FROM (
      SELECT _tenant AS tenant, g.*
      FROM jsonb_to_recordset(applied) AS g (n integer, attempt text, payout text, acknowledge jsonb)
      WHERE g.acknowledge IS NOT NULL
      ORDER BY g.payout, g.attempt OFFSET 0
    ) AS t
    CROSS JOIN LATERAL (
      SELECT p.* FROM public.payout p WHERE p.tenant_id = _tenant AND p.id = t.payout OFFSET 0
    ) AS p
    WHERE a.tenant_id = _tenant AND t.tenant = _tenant AND a.id = t.attempt AND a.acknowledged_at IS NULL
    RETURNING t.n, t.acknowledge AS event, p.id, p.external_ref, p.beneficiary_id, p.amount, p.currency, p.rail_ref
  LOOP
    newsy := newsy || change.n;
    events := events || command.payout_event(
      change.event, change.id, change.external_ref, change.beneficiary_id, change.amount, change.currency,
      change.rail_ref
    );
  END LOOP;

  -- The newest estimate by the provider's clock wins, and of two at one instant the later date. The same date again is
  -- no change. Times are cut to the column's milliseconds before they are compared, or an older estimate of the same
  -- millisecond would count as newer. An estimate is recorded in every state of the payout. The number of the change
  -- makes its event unique.
  FOR change IN
    UPDATE public.payout AS p SET
      estimated_arrival_at = t.arrival, estimate_made_at = t.made_at, updated_at = command.clock(),
      estimate_count = p.estimate_count + (p.estimated_arrival_at IS DISTINCT FROM t.arrival)::integer
    FROM (
      SELECT _tenant AS tenant, g.*, e.*
      FROM jsonb_to_recordset(applied) AS g (n integer, attempt text, payout text, estimate jsonb),
        jsonb_to_record(g.estimate) AS e (arrival timestamptz(3), made_at timestamptz(3), event jsonb)
      WHERE g.estimate IS NOT NULL
      ORDER BY g.payout, g.attempt OFFSET 0
    ) AS t
    WHERE p.tenant_id = _tenant AND t.tenant = _tenant AND p.id = t.payout
      AND (p.estimate_made_at IS NULL OR (p.estimate_made_at, p.estimated_arrival_at) < (t.made_at, t.arrival))
    RETURNING t.n, t.event, old.estimate_count AS known, p.estimate_count AS count, p.id, p.external_ref,
      p.beneficiary_id, p.amount, p.currency, p.rail_ref
  LOOP
    newsy := newsy || change.n;
    IF change.known < change.count THEN
      events := events || (command.payout_event(
        change.event, change.id, change.external_ref, change.beneficiary_id, change.amount, change.currency,
        change.rail_ref
      ) || jsonb_build_object('discriminator', change.count::text));
    END IF;
  END LOOP;

  -- At most two moves of one event, one after the other: `settled` implies `disbursed`.
  FOR step IN 0..1 LOOP
    FOR change IN
      UPDATE public.payout AS p SET
        updated_at = command.clock(),
        state = t.state,
        transition_count = p.transition_count + 1,
        approved_at = CASE WHEN t.state = 'approved' THEN at WHEN t.state = 'pending_approval' THEN NULL
          ELSE p.approved_at END,
        disbursed_at = CASE WHEN t.state = 'disbursed' THEN at ELSE p.disbursed_at END,
        settled_at = CASE WHEN t.state = 'settled' THEN at ELSE p.settled_at END,
        live_attempt_id = CASE WHEN t.state IN ('compliance_hold', 'failed') THEN NULL ELSE p.live_attempt_id END,
        rail_ref = greatest(t.rail_ref, p.rail_ref),
        failure_code = coalesce(t.failure_code, p.failure_code),
        failure_message = coalesce(t.failure_message, p.failure_message)
      FROM (
        SELECT _tenant AS tenant, g.*, m.*
        FROM jsonb_to_recordset(applied) AS g (n integer, attempt text, payout text, moves jsonb),
          jsonb_to_record(g.moves -> step) AS m (
            state text, from_states text[], rail_ref text, failure_code text, failure_message text, event jsonb
          )
        WHERE g.moves -> step IS NOT NULL
        ORDER BY g.payout, g.attempt OFFSET 0
      ) AS t
      WHERE p.tenant_id = _tenant AND t.tenant = _tenant AND p.id = t.payout AND p.live_attempt_id = t.attempt
        AND p.state = ANY (t.from_states)
      RETURNING t.n, t.attempt, p.transition_count AS seq, old.state AS prior, p.state, p.amount_minor, t.event,
        p.id, p.external_ref, p.beneficiary_id, p.amount, p.currency, p.rail_ref
    LOOP
      movers := movers || change.n;
      attempts := attempts || change.attempt;
      payouts := payouts || change.id;
      currencies := currencies || change.currency;
      amounts := amounts || change.amount_minor;
      seqs := seqs || change.seq;
      priors := priors || change.prior;
      states := states || change.state;
      events := events || command.payout_event(
        change.event, change.id, change.external_ref, change.beneficiary_id, change.amount, change.currency,
        change.rail_ref
      );
    END LOOP;
  END LOOP;
  IF movers <> '{}' THEN
    INSERT INTO public.payout_transition (
      tenant_id, payout_id, seq, previous_seq, from_state, to_state, actor, attempt_id
    )
    SELECT _tenant, m.payout, m.seq, m.seq - 1, m.prior, m.state, _actor, m.attempt
    FROM unnest(payouts, seqs, priors, states, attempts) AS m (payout, seq, prior, state, attempt);
    UPDATE public.disbursement_attempt AS a SET
      paid_told_at = greatest(a.paid_told_at, t.paid_at), ended_told_at = least(a.ended_told_at, t.ended_at)
    FROM (
      SELECT _tenant AS tenant, g.*
      FROM jsonb_to_recordset(applied) AS g (
        n integer, attempt text, payout text, paid_at timestamptz(3), ended_at timestamptz(3)
      )
      WHERE g.n = ANY (movers)
      ORDER BY g.payout, g.attempt OFFSET 0
    ) AS t
    WHERE a.tenant_id = _tenant AND t.tenant = _tenant AND a.id = t.attempt;
  END IF;
  more := command.record_events(_tenant => _tenant, _events => events) OR more;
  more := command.tell_payouts(_tenant => _tenant, _payouts => payouts, _created => false) OR more;

  -- What is posted together changes the balance once. The entries of a payout keep the order of its moves.
  FOR change IN
    SELECT m.currency, m.prior, m.state, array_agg(m.payout) AS payouts, array_agg(m.seq) AS seqs,
      array_agg(m.amount) AS amounts
    FROM unnest(payouts, currencies, amounts, seqs, priors, states)
      AS m (payout, currency, amount, seq, prior, state)
    GROUP BY m.currency, m.prior, m.state, m.seq ORDER BY m.seq
  LOOP
    PERFORM command.post_entries(
      _tenant => _tenant, _currency => change.currency, _from => change.prior, _to => change.state,
      _payouts => change.payouts, _seqs => change.seqs, _amounts => change.amounts
    );
  END LOOP;
  RETURN QUERY
    SELECT g.n, g.n = ANY (refusals), g.n = ANY (newsy), g.n = ANY (movers), more
    FROM jsonb_to_recordset(_events) AS g (n integer);
END
$$;
