-- Part of other commands: brings a payout whose open step has expired back to the first one, with an event, by writing its
-- demands down once more; approvals that were given before count no more. The payout is locked by the caller. Returns when
-- a step can expire next; NULL where none can.
CREATE OR REPLACE FUNCTION command.restart_steps(
  _tenant text,
  _payout text,
  _business text
) RETURNS timestamptz
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  at timestamptz := now();
  written record;
  lasts integer;
  expires timestamptz;
  told record;
BEGIN
  SELECT r.round, r.policy_version, r.rules, r.demands INTO written FROM public.payout_requirement r
  WHERE r.tenant_id = _tenant AND r.payout_id = _payout ORDER BY r.round DESC LIMIT 1;
  SELECT min((d.value ->> 'expiresAfterHours')::integer) INTO lasts FROM jsonb_array_elements(written.demands) d;
  IF lasts IS NULL THEN
    RETURN NULL;
  END IF;
  SELECT min(s.expires_at) INTO expires FROM command.payout_standing(
    _tenant => _tenant, _payout => _payout, _business => _business, _user => NULL, _role => NULL
  ) s;
  IF expires IS NULL OR expires > at THEN
    RETURN least(expires, at + make_interval(hours => lasts));
  END IF;
  INSERT INTO public.payout_requirement (tenant_id, payout_id, round, cause, policy_version, rules, demands, actor)
  VALUES (
    _tenant, _payout, written.round + 1, 'expired', written.policy_version, written.rules, written.demands,
    '{"type": "system", "name": "approval_policy"}'
  );
  IF command.asked_types(_tenant => _tenant, _types => ARRAY['payout.approval_expired']) <> '{}' THEN
    SELECT p.id, p.external_ref, p.beneficiary_id, p.amount, p.currency, p.rail_ref, p.state INTO told
    FROM public.payout p WHERE p.tenant_id = _tenant AND p.id = _payout;
    PERFORM command.record_asked_events(_tenant => _tenant, _events => ARRAY[command.payout_event(
      jsonb_build_object(
        'type', 'payout.approval_expired', 'discriminator', (written.round + 1)::text,
        'tail', jsonb_build_object('status', told.state)
      ),
      told.id, told.external_ref, told.beneficiary_id, told.amount, told.currency, told.rail_ref
    )]);
  END IF;
  RETURN at + make_interval(hours => lasts);
END
$$;
