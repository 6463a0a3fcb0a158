-- ── What a provider says that disagrees with what it was asked to pay, or with what it said before. ──

-- The newest time, by the provider's clock, at which money was on its way or there, and the earliest at
-- which it came to an end as failed or returned: nothing may be paid after that.
ALTER TABLE disbursement_attempt
  ADD COLUMN paid_told_at timestamptz(3),
  ADD COLUMN ended_told_at timestamptz(3);

CREATE TABLE provider_contradiction (
  tenant_id   text COLLATE "C" NOT NULL REFERENCES tenant (id),
  id          uuid NOT NULL DEFAULT uuidv7(),
  -- The attempt or the enrollment that it is about.
  subject_id  text COLLATE "C" NOT NULL,
  -- The attempt's payout; null of an enrollment.
  payout_id   text COLLATE "C",
  provider    text NOT NULL,
  kind        text NOT NULL,
  -- Amounts, codes, ids and times alone: a provider's own words may tell of a payee.
  said        text NOT NULL,
  expected    text NOT NULL,
  source      text NOT NULL,
  -- The provider's id of the event that said it.
  event_id    text,
  noticed_at  timestamptz(3) NOT NULL DEFAULT now(),
  -- What a person found; null until one has looked.
  finding     text,
  examined_at timestamptz(3),
  -- The line of ops.action_log that says who, why and on what evidence.
  action_id   uuid,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, payout_id) REFERENCES payout (tenant_id, id),
  CONSTRAINT provider_contradiction_kind_check CHECK (kind IN
    ('amount', 'currency', 'reference', 'payment', 'second_payment', 'payment_of_another', 'missing', 'refused', 'outcome', 'recipient')),
  CONSTRAINT provider_contradiction_source_check CHECK (source IN ('submission', 'look_up', 'event', 'enrollment')),
  CONSTRAINT provider_contradiction_finding_check CHECK (finding IN ('as_recorded', 'paid_otherwise')),
  CONSTRAINT provider_contradiction_examined_check
    CHECK ((finding IS NULL) = (examined_at IS NULL) AND (finding IS NULL) = (action_id IS NULL))
);
-- What is said again is one contradiction.
CREATE UNIQUE INDEX provider_contradiction_once_key ON provider_contradiction (tenant_id, subject_id, kind, said);
CREATE INDEX provider_contradiction_tenant_id_payout_id_idx ON provider_contradiction (tenant_id, payout_id);
CREATE INDEX provider_contradiction_open_idx ON provider_contradiction (tenant_id, id) WHERE finding IS NULL;

-- What earlier versions only marked waits for a person like the rest.
INSERT INTO provider_contradiction (tenant_id, subject_id, payout_id, provider, kind, said, expected, source)
SELECT a.tenant_id, a.id, a.payout_id, a.provider, CASE a.status WHEN 'rejected' THEN 'refused' ELSE 'outcome' END,
  'not recorded', 'not recorded', 'event'
FROM disbursement_attempt a WHERE a.needs_operator AND a.status IN ('submitted', 'rejected');

-- Whether a payout, or one that it replaces, or one that that replaces, may have been paid against what
-- it shows: somebody has to look, or has looked and found so. Each command that could pay a replacement
-- asks by this rule.
CREATE FUNCTION ops.is_contradicted(tenant text, payout text) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  WITH RECURSIVE chain (id) AS (
    SELECT payout COLLATE "C"
    UNION
    SELECT p.replaces_payout_id FROM chain c JOIN public.payout p ON p.tenant_id = tenant AND p.id = c.id
    WHERE p.replaces_payout_id IS NOT NULL
  )
  SELECT EXISTS (
    SELECT FROM chain c JOIN public.provider_contradiction d ON d.tenant_id = tenant AND d.payout_id = c.id
    WHERE d.finding IS DISTINCT FROM 'as_recorded'
  );
END;

CREATE OR REPLACE FUNCTION ops.find_stuck_payouts(older_than interval DEFAULT '5 minutes') RETURNS TABLE (
  payout_id text, tenant_id text, environment text, state text, since timestamptz, reason text,
  explanation text, next_step text, attempt_id text, provider text, enrollment_id text, job_id bigint,
  last_error text, amount_minor bigint, currency text
)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  WITH candidate AS (
    SELECT p.tenant_id, p.id FROM public.payout p
    WHERE p.state = 'approved' AND p.updated_at < now() - older_than
    UNION
    SELECT p.tenant_id, p.id FROM public.payout p
    WHERE p.state = 'disbursed' AND p.updated_at < now() - interval '7 days'
    UNION
    SELECT p.tenant_id, p.id FROM public.tenant t CROSS JOIN LATERAL (
      SELECT h.tenant_id, h.id FROM public.payout h
      WHERE h.tenant_id = t.id AND h.state = 'compliance_hold' AND h.updated_at < now() - older_than OFFSET 0) p
    UNION
    SELECT a.tenant_id, a.payout_id FROM public.disbursement_attempt a WHERE a.needs_operator
    UNION
    SELECT c.tenant_id, c.payout_id FROM public.provider_contradiction c WHERE c.finding IS NULL AND c.payout_id IS NOT NULL
  ), job AS (
    SELECT DISTINCT ON (j.payload ->> 'payoutId') j.payload ->> 'payoutId' AS payout_id, j.id, j.last_error,
      j.locked_at IS NOT NULL AS running, j.locked_at IS NULL AND j.attempts >= j.max_attempts AS dead, j.attempts
    FROM graphile_worker._private_jobs j
    JOIN graphile_worker._private_tasks t ON t.id = j.task_id AND t.identifier = 'disburse_payout'
    -- Of a payout's jobs the one that may still do something.
    ORDER BY j.payload ->> 'payoutId', j.locked_at IS NULL AND j.attempts >= j.max_attempts, j.id DESC
  ), fact AS (
    SELECT p.*, t.environment, a.id AS attempt, a.status AS attempt_status, a.needs_operator, a.called_at,
      b.compliance_status = 'suspended' AS suspended, tr.cause, tr.occurred_at AS moved_at,
      j.id AS job, j.last_error AS job_error, j.running, j.dead, j.attempts AS tries, e.id AS enrollment,
      contradiction.noticed_at AS contradicted_at, r.id AS replacement, r.state AS replacement_state,
      p.state = 'approved' AND p.replaces_payout_id IS NOT NULL
        AND ops.is_contradicted(p.tenant_id, p.replaces_payout_id) AS predecessor_contradicted,
      EXISTS (SELECT FROM public.paused_task x WHERE x.task = 'disburse_payout') AS paused,
      EXISTS (SELECT FROM public.worker_heartbeat w WHERE ops.lives(w)) AS worker,
      -- Each worker tells the circuits of the providers that it has; the simulator pays nothing in production.
      t.environment = 'production' AND EXISTS (
        SELECT FROM public.worker_heartbeat w WHERE ops.lives(w) AND w.circuits <> '{}'
      ) AND NOT EXISTS (
        SELECT FROM public.worker_heartbeat w CROSS JOIN jsonb_object_keys(w.circuits) c
        WHERE ops.lives(w) AND c <> 'simulator'
      ) AS without_provider
    FROM candidate c
    JOIN public.payout p ON p.tenant_id = c.tenant_id AND p.id = c.id
    JOIN public.tenant t ON t.id = p.tenant_id
    JOIN public.beneficiary b ON b.tenant_id = p.tenant_id AND b.id = p.beneficiary_id
    JOIN public.payout_transition tr
      ON tr.tenant_id = p.tenant_id AND tr.payout_id = p.id AND tr.seq = p.transition_count
    LEFT JOIN LATERAL (
      SELECT a.* FROM public.disbursement_attempt a
      WHERE a.tenant_id = p.tenant_id AND a.payout_id = p.id AND (a.id = p.live_attempt_id OR a.needs_operator)
      ORDER BY a.needs_operator DESC, a.number DESC LIMIT 1
    ) a ON true
    LEFT JOIN job j ON j.payout_id = p.id
    LEFT JOIN LATERAL (
      SELECT min(c.noticed_at) AS noticed_at FROM public.provider_contradiction c
      WHERE c.tenant_id = p.tenant_id AND c.payout_id = p.id AND c.finding IS NULL
    ) contradiction ON true
    LEFT JOIN public.payout r ON r.tenant_id = p.tenant_id AND r.replaces_payout_id = p.id
    LEFT JOIN public.enrollment e
      ON e.tenant_id = p.tenant_id AND e.beneficiary_id = p.beneficiary_id AND e.status = 'pending'
  ), judged AS (
    SELECT f.*, CASE
        WHEN f.contradicted_at IS NOT NULL THEN
          CASE WHEN f.replacement_state IN ('approved', 'disbursed', 'settled') THEN 'provider_contradicts_replaced' ELSE 'provider_contradicts' END
        WHEN f.needs_operator AND f.attempt_status IN ('prepared', 'unknown') THEN 'outcome_for_operator'
        WHEN f.needs_operator THEN 'attempt_for_operator'
        WHEN f.state = 'compliance_hold' AND f.cause = 'beneficiary_suspended' THEN
          CASE WHEN f.suspended THEN 'beneficiary_suspended' ELSE 'release_missing' END
        WHEN f.state = 'compliance_hold' THEN 'held_by_provider'
        WHEN f.state = 'disbursed' THEN 'not_settled'
        WHEN f.attempt_status IN ('prepared', 'unknown') AND f.suspended THEN 'outcome_unknown_suspended'
        WHEN f.attempt_status IN ('prepared', 'unknown') THEN 'outcome_unknown'
        WHEN f.attempt_status = 'submitted' THEN
          CASE WHEN f.updated_at < now() - interval '15 minutes' THEN 'provider_silent' END
        WHEN f.suspended THEN 'beneficiary_suspended'
        WHEN f.predecessor_contradicted THEN 'predecessor_contradicted'
        WHEN f.running THEN 'job_running'
        WHEN f.paused THEN 'task_paused'
        WHEN f.without_provider THEN 'no_provider'
        WHEN f.dead THEN 'job_dead'
        WHEN f.job IS NULL THEN 'no_job'
        WHEN NOT f.worker THEN 'no_worker'
        WHEN f.enrollment IS NOT NULL THEN 'enrollment_pending'
        WHEN f.tries > 0 THEN 'job_failing'
        ELSE 'waits_for_turn'
      END AS why
    FROM fact f
  )
  SELECT f.id::text, f.tenant_id::text, f.environment, f.state,
    coalesce(f.contradicted_at,
      CASE WHEN f.attempt IS NULL OR f.state <> 'approved' THEN f.moved_at ELSE f.called_at END)::timestamptz,
    f.why, w.explanation,
    replace(replace(replace(replace(replace(replace(w.next_step, '{payout}', f.id), '{job}', coalesce(f.job::text, '')),
      '{beneficiary}', f.beneficiary_id), '{enrollment}', coalesce(f.enrollment, '')),
      '{replacement}', coalesce(f.replacement, '')), '{predecessor}', coalesce(f.replaces_payout_id, '')),
    f.attempt::text, f.provider, f.enrollment::text, f.job, f.job_error, f.amount_minor, f.currency
  FROM judged f
  JOIN (VALUES
    ('outcome_for_operator',
     'The provider''s key window closed before the outcome was known: nothing is sent again by itself.',
     'Ask the provider for the attempt. SELECT ops.look_up_payout(''{payout}'', ''…''); then ops.resolve_payout.'),
    ('provider_contradicts',
     'What the provider says of this payment disagrees with the attempt, or with what it said before: nothing moves by it, and the payout is not replaced.',
     'SELECT * FROM ops.contradictions WHERE payout_id = ''{payout}'' AND finding IS NULL; ask the provider; then ops.examine_contradiction for each, and ops.resolve_payout(''{payout}'', …) if the payout is not where it belongs.'),
    ('provider_contradicts_replaced',
     'What the provider says of this payment disagrees with what it said before, and its replacement is approved or under way: it may be paid twice.',
     'At once: SELECT * FROM ops.timeline(''{replacement}''); have the business cancel it, or the provider stop it. Then SELECT * FROM ops.contradictions WHERE payout_id = ''{payout}'' AND finding IS NULL; ask the provider; ops.examine_contradiction for each.'),
    ('attempt_for_operator', 'An attempt of it was marked for an operator.',
     'Ask the provider for the attempt, then ops.resolve_payout(''{payout}'', ''paid'' or ''not_paid'', …).'),
    ('predecessor_contradicted',
     'It replaces a payout of which the provider contradicts itself: it is not handed over, since that might pay twice.',
     'SELECT * FROM ops.stuck_payouts WHERE payout_id = ''{predecessor}''; and its own predecessors, if it has any. Examine them first.'),
    ('beneficiary_suspended', 'The beneficiary is suspended: it is not paid.',
     'Reinstate {beneficiary} (GraphQL operatorBeneficiaryReinstate), or leave it.'),
    ('release_missing', 'Held for a suspension that is over: the job that releases it is missing or failed.',
     'SELECT * FROM ops.schedule(''release_payouts'', ''{beneficiary}'', reason => ''…'');'),
    ('held_by_provider', 'The provider holds it for its compliance, or a simulated hold.',
     'Wait for the provider''s release, or have the business reject or cancel it.'),
    ('not_settled', 'Disbursed more than a week ago and neither settled nor returned.',
     'SELECT ops.look_up_payout(''{payout}'', ''…'');'),
    ('outcome_unknown_suspended',
     'It may have been paid, and its beneficiary was suspended since: it is looked up and not sent again.',
     'SELECT ops.look_up_payout(''{payout}'', ''…'');'),
    ('outcome_unknown', 'The provider was called and gave no clear answer; it is looked up again and again.',
     'SELECT ops.look_up_payout(''{payout}'', ''…''); see ops.provider_health.'),
    ('provider_silent', 'The provider took it and has told nothing since.',
     'SELECT ops.look_up_payout(''{payout}'', ''…''); see ops.provider_health.'),
    ('job_running', 'A worker is at it.', 'See ops.workers for whether that worker lives.'),
    ('task_paused', 'The task disburse_payout is paused.',
     'SELECT * FROM ops.paused_tasks; then ops.resume_task(''disburse_payout'', ''…'').'),
    ('no_provider', 'No living worker has a provider for production.',
     'Set PROVIDER for the workers and the API and start them again; the reconciliation then adds the job within minutes.'),
    ('job_dead', 'Its job failed so often that it gave up; see last_error.',
     'Mend the cause; then SELECT * FROM ops.retry_job({job}, ''…'');'),
    ('no_job', 'Approved, and no job will hand it over; the reconciliation adds one within minutes.',
     'SELECT * FROM ops.schedule(''disburse_payout'', ''{payout}'', reason => ''…''); is reconcile_payouts paused or dead?'),
    ('no_worker', 'Its job waits and no worker lives.', 'Start a worker; see ops.workers.'),
    ('enrollment_pending', 'A bank account of the beneficiary is being enrolled with the provider.',
     'SELECT * FROM ops.schedule(''enroll_bank_account'', ''{enrollment}'', reason => ''…''); see ops.provider_health.'),
    ('job_failing', 'Its job fails and is tried again; see last_error.',
     'Mend the cause; then SELECT * FROM ops.retry_job({job}, ''…'');'),
    ('waits_for_turn', 'Its job waits for its turn.', 'See ops.queue_health for the backlog.')
  ) AS w (why, explanation, next_step) ON w.why = f.why
  ORDER BY 5;
END
$$;

CREATE VIEW ops.contradictions AS
SELECT c.id AS contradiction_id, c.noticed_at, c.tenant_id, t.environment, c.payout_id, c.subject_id, c.provider, c.kind,
  c.said, c.expected, c.source, c.event_id, c.finding, c.examined_at, l.who AS examined_by, l.reason,
  l.detail ->> 'evidence' AS evidence
FROM public.provider_contradiction c
JOIN public.tenant t ON t.id = c.tenant_id
LEFT JOIN ops.action_log l ON l.id = c.action_id;
COMMENT ON VIEW ops.contradictions IS
  'What a provider said of a payment or an enrollment that disagrees with what it was asked, or with what it said before; finding is null until a person has looked.';

-- Marks a contradiction as examined, for psql and for the operators' GraphQL (src/domain/operator). The
-- attempt is locked first, as by whoever records another: its mark stays while one waits. An attempt
-- whose outcome is open keeps it too. Returns false where somebody has examined it before.
CREATE FUNCTION ops.note_finding(tenant text, contradiction uuid, finding text, action uuid) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  subject text;
BEGIN
  SELECT c.subject_id INTO subject FROM public.provider_contradiction c WHERE c.tenant_id = tenant AND c.id = contradiction;
  PERFORM FROM public.disbursement_attempt a WHERE a.tenant_id = tenant AND a.id = subject FOR NO KEY UPDATE;
  UPDATE public.provider_contradiction c SET finding = $3, examined_at = now(), action_id = action
  WHERE c.tenant_id = tenant AND c.id = contradiction AND c.finding IS NULL;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  UPDATE public.disbursement_attempt a SET needs_operator = false
  WHERE a.tenant_id = tenant AND a.id = subject AND a.status IN ('submitted', 'rejected') AND NOT EXISTS (
    SELECT FROM public.provider_contradiction c
    WHERE c.tenant_id = tenant AND c.subject_id = subject AND c.finding IS NULL
  );
  RETURN true;
END
$$;

CREATE FUNCTION ops.examine_contradiction(contradiction uuid, finding text, evidence text, reason text)
RETURNS TABLE (action_id uuid, payout_id text, left_open bigint, note text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  why text := ops.checked_reason(reason);
  shown text := nullif(btrim(evidence), '');
  held record;
  line uuid;
BEGIN
  IF finding IS NULL OR finding NOT IN ('as_recorded', 'paid_otherwise') THEN
    RAISE EXCEPTION 'There is no finding %.', coalesce(quote_literal(finding), 'without a name')
      USING ERRCODE = 'invalid_parameter_value',
        HINT = 'as_recorded: the payout shows what became of the money, and may be replaced if its state permits. paid_otherwise: money moved that it does not show; it is never replaced.';
  END IF;
  IF shown IS NULL OR length(shown) > 1000 THEN
    RAISE EXCEPTION 'Say what the provider showed or said, in 1,000 characters at most.'
      USING ERRCODE = 'invalid_parameter_value', HINT = 'evidence => ''ticket 4711: the provider''''s ledger has one payment''.';
  END IF;
  SELECT c.* INTO held FROM public.tenant t CROSS JOIN LATERAL (
    SELECT p.* FROM public.provider_contradiction p WHERE p.tenant_id = t.id AND p.id = contradiction OFFSET 0) c;
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
    CASE WHEN o.waiting > 0 THEN 'Others of the same attempt or enrollment still wait for a person.' END
  FROM (SELECT count(*) AS waiting FROM public.provider_contradiction c
    WHERE c.tenant_id = held.tenant_id AND c.subject_id = held.subject_id AND c.finding IS NULL) o;
END
$$;
COMMENT ON FUNCTION ops.examine_contradiction(uuid, text, text, text) IS
  'Notes what a person found about a line of ops.contradictions: as_recorded, after which the payout may be replaced as its state permits, or paid_otherwise, after which it is never replaced.';

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA ops FROM PUBLIC;
GRANT SELECT ON ops.contradictions TO ops_read;
GRANT EXECUTE ON FUNCTION ops.examine_contradiction(uuid, text, text, text) TO ops_operate;
