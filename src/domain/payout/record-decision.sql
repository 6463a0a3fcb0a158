-- Part of other commands: records a decision, which `wireDecision` made (decision-store.ts). It violates a unique
-- index when its id is taken. `step_up` is the signature with which it was made. What an approval is counted for, and on
-- whose behalf it was given, stands in it where a policy demanded it (count-approval.sql).
CREATE OR REPLACE FUNCTION command.record_decision(
  _tenant text,
  _payout text,
  _decision jsonb
) RETURNS public.payout_decision
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  given record;
  recorded public.payout_decision;
  at timestamptz := now();
BEGIN
  SELECT * INTO given FROM jsonb_to_record(_decision) AS g (
    id text, decision_id text, request_hash text, status text, reasons jsonb, evaluated_by jsonb, submitted_by jsonb,
    evaluated_at timestamptz, policy_version text, agent_version text, confidence double precision,
    round integer, waiting_seq integer, demands integer[], held_groups text[], facts text,
    on_behalf_of text
  );
  INSERT INTO public.payout_decision AS d (
    tenant_id, payout_id, id, decision_id, request_hash, status, reasons, evaluated_by, submitted_by, evaluated_at,
    policy_version, agent_version, confidence, round, waiting_seq, demands, held_groups, facts,
    on_behalf_of
  )
  VALUES (
    _tenant, _payout, given.id, given.decision_id, decode(given.request_hash, 'hex'), given.status, given.reasons,
    given.evaluated_by, given.submitted_by, coalesce(given.evaluated_at, at), given.policy_version,
    given.agent_version, given.confidence, given.round, given.waiting_seq, given.demands, given.held_groups,
    decode(given.facts, 'hex'), given.on_behalf_of
  )
  RETURNING d.* INTO recorded;
  IF _decision ? 'step_up' THEN
    UPDATE public.step_up_item i SET decision_id = given.id
    WHERE i.tenant_id = _tenant AND i.step_up_id = _decision ->> 'step_up' AND i.payout_id = _payout AND i.decision_id IS NULL;
  END IF;
  RETURN recorded;
END
$$;
