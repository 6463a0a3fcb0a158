-- Part of other commands: records the events on request of payouts that were just created (`_created`) or moved. A move
-- is told by the state that it led to. Its number tells a second approval or hold from the first. Returns whether it
-- added a job.
CREATE OR REPLACE FUNCTION command.tell_payouts(
  _tenant text,
  _payouts text[],
  _created boolean
) RETURNS boolean
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  asked text[] := command.asked_types(_tenant => _tenant, _types => ARRAY[
    'payout.created', 'payout.approved', 'payout.rejected', 'payout.canceled', 'payout.held', 'payout.released',
    'payout.replaced'
  ]);
  told record;
  events jsonb[] := '{}';
BEGIN
  IF asked = '{}' THEN
    RETURN false;
  END IF;
  FOR told IN
    SELECT t.type, t.discriminator, t.tail, a.id, a.external_ref, a.beneficiary_id, a.amount, a.currency, a.rail_ref
    FROM unnest(_payouts) WITH ORDINALITY AS g (id, place)
    JOIN public.payout p ON p.tenant_id = _tenant AND p.id = g.id
    CROSS JOIN LATERAL (
      SELECT 1 AS n, 'payout.created' AS type, p.id AS about, '' AS discriminator,
        jsonb_build_object('status', p.state) AS tail
      WHERE _created
      UNION ALL
      SELECT 2, 'payout.replaced', p.replaces_payout_id, '', jsonb_build_object('replaced_by_payout_id', p.id)
      WHERE _created AND p.replaces_payout_id IS NOT NULL
      UNION ALL
      SELECT 3, m.type, p.id,
        CASE WHEN p.state IN ('rejected', 'canceled') THEN '' ELSE p.transition_count::text END,
        jsonb_build_object('status', p.state)
      FROM (VALUES
        ('approved', 'payout.approved'), ('rejected', 'payout.rejected'), ('canceled', 'payout.canceled'),
        ('compliance_hold', 'payout.held'), ('pending_approval', 'payout.released')
      ) AS m (state, type)
      WHERE m.state = p.state AND NOT (_created AND p.state = 'pending_approval')
    ) AS t
    JOIN public.payout a ON a.tenant_id = _tenant AND a.id = t.about
    WHERE t.type = ANY (asked)
    ORDER BY g.place, t.n
  LOOP
    events := events || command.payout_event(
      jsonb_build_object('type', told.type, 'discriminator', told.discriminator, 'tail', told.tail),
      told.id, told.external_ref, told.beneficiary_id, told.amount, told.currency, told.rail_ref
    );
  END LOOP;
  RETURN command.record_asked_events(_tenant => _tenant, _events => events);
END
$$;
