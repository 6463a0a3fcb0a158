-- Records once that the provider took attempts, by its answers or by events, whichever come first; no row for those
-- where it is not news. A payment that belongs to another attempt is refused. An attempt with an open contradiction
-- keeps waiting for a person. The attempts are all different.
CREATE OR REPLACE FUNCTION command.accept_attempts(
  _tenant text,
  _accepted jsonb
) RETURNS TABLE (attempt text, adds_job boolean)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  scoped CONSTANT text := set_config('app.tenant', _tenant, true);
  at timestamptz := now();
  told record;
  taken jsonb := '[]';
  attempts text[] := '{}';
  events jsonb[] := '{}';
  more boolean;
BEGIN
  -- Of several it fails soon where another transaction has a lock, and each is then done alone (gather.ts).
  PERFORM set_config('lock_timeout', '500ms', true) WHERE jsonb_array_length(_accepted) > 1;
  FOR told IN
    UPDATE public.disbursement_attempt AS a SET
      status = 'submitted', submitted_at = at, completed_at = at, provider_payout_id = t.provider_payout
    FROM (
      SELECT _tenant AS tenant, g.*
      FROM jsonb_to_recordset(_accepted) AS g (attempt text, provider_payout text, rail_ref text, event jsonb)
      ORDER BY g.attempt OFFSET 0
    ) AS t
    WHERE a.tenant_id = _tenant AND t.tenant = _tenant AND a.id = t.attempt AND a.status IN ('prepared', 'unknown')
      AND NOT EXISTS (
        SELECT 1 FROM public.disbursement_attempt o
        WHERE o.tenant_id = _tenant AND o.provider = a.provider
          AND o.provider_payout_id = t.provider_payout AND o.id <> t.attempt
      )
    RETURNING a.payout_id AS payout, a.needs_operator, t.attempt, t.provider_payout, t.rail_ref, t.event
  LOOP
    IF told.needs_operator THEN
      PERFORM command.keep_operator_mark(_tenant => _tenant, _attempt => told.attempt);
    END IF;
    taken := taken || to_jsonb(told);
  END LOOP;
  FOR told IN
    UPDATE public.payout AS p SET
      provider_payout_id = t.provider_payout, rail_ref = greatest(t.rail_ref, p.rail_ref), updated_at = command.clock()
    FROM (
      SELECT _tenant AS tenant, g.*
      FROM jsonb_to_recordset(taken) AS g (
        payout text, attempt text, provider_payout text, rail_ref text, event jsonb
      )
      ORDER BY g.payout OFFSET 0
    ) AS t
    WHERE p.tenant_id = _tenant AND t.tenant = _tenant AND p.id = t.payout AND p.live_attempt_id = t.attempt
    RETURNING t.attempt, t.event, p.id, p.external_ref, p.beneficiary_id, p.amount, p.currency, p.rail_ref
  LOOP
    attempts := attempts || told.attempt;
    events := events || command.payout_event(
      told.event, told.id, told.external_ref, told.beneficiary_id, told.amount, told.currency, told.rail_ref
    );
  END LOOP;
  more := command.record_events(_tenant => _tenant, _events => events);
  RETURN QUERY SELECT n.attempt, more FROM unnest(attempts) AS n (attempt);
END
$$;
