-- Part of other commands: counts the approval of a person for a payout of which a policy demands approvals. It locks the
-- payout first, so of several people at once each sees what the one before has decided. NULL where the approval counts for
-- no demand; otherwise what the decision records of itself, and `done`: whether the last demand is met with it.
CREATE OR REPLACE FUNCTION command.count_approval(
  _tenant text,
  _payout text,
  _from text[],
  _business text,
  _user text,
  _role text
) RETURNS jsonb
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  counted jsonb;
  expired boolean;
BEGIN
  PERFORM 1 FROM public.payout p
  WHERE p.tenant_id = _tenant AND p.id = _payout AND p.state = ANY (_from) AND EXISTS (
    SELECT 1 FROM public.bank_account a
    WHERE a.tenant_id = _tenant AND a.id = p.bank_account_id AND a.version = p.bank_account_version
  )
  FOR NO KEY UPDATE OF p;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  LOOP
    WITH standing AS MATERIALIZED (
      SELECT t.* FROM command.payout_standing(
        _tenant => _tenant, _payout => _payout, _business => _business, _user => _user, _role => _role
      ) t
    )
    SELECT jsonb_build_object(
      'round', min(s.round), 'waiting_seq', min(s.waiting_seq),
      'demands', jsonb_agg(s.place) FILTER (WHERE s.obstacle IS NULL),
      'held_groups', (
        SELECT jsonb_agg(DISTINCT h.name) FROM standing t CROSS JOIN LATERAL unnest(t.held) AS h (name)
        WHERE t.obstacle IS NULL
      ),
      'on_behalf_of', min(s.on_behalf_of),
      'facts', encode((array_agg(s.facts))[1], 'hex'),
      'done', bool_and(s.counted + CASE WHEN s.obstacle IS NULL THEN 1 ELSE 0 END >= s.approvals)
    ), coalesce(min(s.expires_at) <= now(), false) INTO counted, expired
    FROM standing s;
    EXIT WHEN NOT expired;
    -- Nobody has looked at it since: what was approved before counts no more.
    PERFORM command.restart_steps(_tenant => _tenant, _payout => _payout, _business => _business);
  END LOOP;
  RETURN CASE WHEN counted ->> 'demands' IS NOT NULL THEN counted END;
END
$$;
