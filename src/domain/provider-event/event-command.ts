import { command } from '../../db/command.ts';

/** A part of commands: reports the first authentic event of an attempt. */
export const acknowledgeAttempt = command({
  name: 'acknowledge_attempt',
  comment:
    'Notes the first authentic event about an attempt (src/domain/provider-event/event-command.ts).',
  parameters: { tenant: 'text', attempt: 'text', event: 'jsonb' },
  returns: 'TABLE (adds_job boolean)',
  declare: `
  acknowledged public.disbursement_attempt;
  concerned public.payout;`,
  body: `
  UPDATE public.disbursement_attempt AS a SET acknowledged_at = now()
  WHERE a.tenant_id = _tenant AND a.id = _attempt AND a.acknowledged_at IS NULL
  RETURNING a.* INTO acknowledged;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  SELECT p.* INTO concerned FROM public.payout p
  WHERE p.tenant_id = _tenant AND p.id = acknowledged.payout_id;
  adds_job := command.record_event(concerned, _event);
  RETURN NEXT;`,
});

/**
 * The newest estimate by the provider's clock wins, and of two at one instant the later date. The same
 * date again is no change. Times are cut to the column's milliseconds before they are compared, or an
 * older estimate of the same millisecond would count as newer. An estimate is recorded in every state of
 * the payout. The number of the change makes its event unique.
 */
export const changeEstimate = command({
  name: 'change_estimate',
  comment: `Notes when a payout is expected to arrive (src/domain/provider-event/event-command.ts). No row for an
-- estimate that is not the newest.`,
  parameters: {
    tenant: 'text',
    payout: 'text',
    arrival: 'timestamptz',
    madeAt: 'timestamptz',
    event: 'jsonb',
  },
  returns: 'TABLE (adds_job boolean)',
  declare: `
  arrival timestamptz(3) := _arrival;
  made_at timestamptz(3) := _made_at;
  concerned public.payout;`,
  body: `
  UPDATE public.payout AS p SET
    estimated_arrival_at = arrival, estimate_made_at = made_at, estimate_count = p.estimate_count + 1,
    updated_at = command.clock()
  WHERE p.tenant_id = _tenant AND p.id = _payout AND p.estimated_arrival_at IS DISTINCT FROM arrival
    AND (p.estimate_made_at IS NULL OR (p.estimate_made_at, p.estimated_arrival_at) < (made_at, arrival))
  RETURNING p.* INTO concerned;
  IF FOUND THEN
    adds_job := command.record_event(
      concerned, _event || jsonb_build_object('discriminator', concerned.estimate_count::text)
    );
    RETURN NEXT;
    RETURN;
  END IF;
  UPDATE public.payout AS p SET estimate_made_at = made_at, updated_at = command.clock()
  WHERE p.tenant_id = _tenant AND p.id = _payout AND p.estimated_arrival_at = arrival
    AND p.estimate_made_at < made_at;
  IF FOUND THEN
    adds_job := false;
    RETURN NEXT;
  END IF;`,
});

/**
 * What events that agree with their attempts change, for many attempts at once: a round trip costs more than most
 * of these statements. No two of the events are of one attempt, and the transaction holds the locks of the
 * attempts. `refused` is the payment of another attempt, and nothing else of that event is applied.
 */
export const applyEvents = command({
  name: 'apply_payout_events',
  comment: `Applies what a provider tells of payouts, with a row for each event
-- (src/domain/provider-event/event-command.ts).`,
  parameters: { tenant: 'text', actor: 'jsonb', events: 'jsonb' },
  returns: 'TABLE (n integer, refused boolean, news boolean, moved boolean, adds_job boolean)',
  select: 'r.n, r.refused, r.news, r.moved, r.adds_job AS "addsJob"',
  declare: `
  told record;
  step record;
  prior text;
  change record;
  posting record;
  more boolean;
  payouts text[] := '{}';
  currencies text[] := '{}';
  amounts bigint[] := '{}';
  seqs integer[] := '{}';
  priors text[] := '{}';
  states text[] := '{}';`,
  body: `
  FOR told IN
    SELECT * FROM jsonb_to_recordset(_events) AS e (
      n integer, attempt text, payout text, accept jsonb, acknowledge jsonb, estimate jsonb, moves jsonb,
      paid_at timestamptz, ended_at timestamptz
    )
  LOOP
    n := told.n;
    refused := false;
    news := false;
    moved := false;
    adds_job := false;
    IF told.accept IS NOT NULL THEN
      SELECT r.adds_job INTO more FROM command.accept_attempt(
        _tenant => _tenant, _attempt => told.attempt, _provider_payout => told.accept ->> 'provider_payout',
        _rail_ref => told.accept ->> 'rail_ref', _event => told.accept -> 'event'
      ) AS r;
      IF NOT FOUND THEN
        refused := true;
        RETURN NEXT;
        CONTINUE;
      END IF;
      adds_job := more;
    END IF;
    IF told.acknowledge IS NOT NULL THEN
      SELECT r.adds_job INTO more FROM command.acknowledge_attempt(
        _tenant => _tenant, _attempt => told.attempt, _event => told.acknowledge
      ) AS r;
      IF FOUND THEN
        news := true;
        adds_job := adds_job OR more;
      END IF;
    END IF;
    IF told.estimate IS NOT NULL THEN
      SELECT r.adds_job INTO more FROM command.change_estimate(
        _tenant => _tenant, _payout => told.payout, _arrival => (told.estimate ->> 'arrival')::timestamptz,
        _made_at => (told.estimate ->> 'made_at')::timestamptz, _event => told.estimate -> 'event'
      ) AS r;
      IF FOUND THEN
        news := true;
        adds_job := adds_job OR more;
      END IF;
    END IF;
    SELECT p.state INTO prior FROM public.payout p WHERE p.tenant_id = _tenant AND p.id = told.payout;
    FOR step IN
      SELECT * FROM jsonb_to_recordset(told.moves) AS m (
        state text, from_states text[], from_before_hand_over text[], rail_ref text, failure_code text,
        failure_message text, event jsonb
      )
    LOOP
      CONTINUE WHEN prior <> ALL (step.from_states || step.from_before_hand_over);
      SELECT r.adds_job, r.prior, p.currency, p.amount_minor, p.transition_count INTO change FROM command.move_unposted(
        _tenant => _tenant, _payout => told.payout, _state => step.state, _from => step.from_states,
        _from_before_hand_over => step.from_before_hand_over, _actor => _actor, _rail_ref => step.rail_ref,
        _failure_code => step.failure_code, _failure_message => step.failure_message,
        _live_attempt => told.attempt, _event => step.event
      ) AS r, LATERAL (SELECT (r.payout).*) AS p;
      IF FOUND THEN
        prior := step.state;
        moved := true;
        adds_job := adds_job OR change.adds_job;
        payouts := payouts || told.payout;
        currencies := currencies || change.currency;
        amounts := amounts || change.amount_minor;
        seqs := seqs || change.transition_count;
        priors := priors || change.prior;
        states := states || step.state;
      END IF;
    END LOOP;
    IF moved THEN
      UPDATE public.disbursement_attempt AS a SET
        paid_told_at = greatest(a.paid_told_at, told.paid_at::timestamptz(3)),
        ended_told_at = least(a.ended_told_at, told.ended_at::timestamptz(3))
      WHERE a.tenant_id = _tenant AND a.id = told.attempt;
    END IF;
    RETURN NEXT;
  END LOOP;
  -- What is posted together changes the balance once. The entries of a payout keep the order of its moves.
  FOR posting IN
    SELECT m.currency, m.prior, m.state, array_agg(m.payout) AS payouts, array_agg(m.seq) AS seqs,
      array_agg(m.amount) AS amounts
    FROM unnest(payouts, currencies, amounts, seqs, priors, states)
      AS m (payout, currency, amount, seq, prior, state)
    GROUP BY m.currency, m.prior, m.state, m.seq ORDER BY m.seq
  LOOP
    PERFORM command.post_entries(
      _tenant => _tenant, _currency => posting.currency, _from => posting.prior, _to => posting.state,
      _payouts => posting.payouts, _seqs => posting.seqs, _amounts => posting.amounts
    );
  END LOOP;`,
});
