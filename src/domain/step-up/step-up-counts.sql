-- Part of other commands: whether an approval has the signature that its demands ask for. `_counted` is what
-- command.count_approval made of it, which has locked the payout. A signature that was given counts where the person and
-- session are those that it was asked of, its time is not over, it was not used for this payout before, and the text is
-- what the payout says now.
CREATE OR REPLACE FUNCTION command.step_up_counts(
  _tenant text,
  _payout text,
  _business text,
  _counted jsonb,
  _step_up text, -- or NULL
  _actor jsonb
) RETURNS boolean
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  signed text;
  expires timestamptz;
BEGIN
  IF _step_up IS NULL THEN
    RETURN NOT EXISTS (
      SELECT 1 FROM public.payout_requirement r
      CROSS JOIN LATERAL jsonb_array_elements(_counted -> 'demands') AS d (place)
      WHERE r.tenant_id = _tenant AND r.payout_id = _payout AND r.round = (_counted ->> 'round')::integer
        AND (r.demands -> (d.place)::integer ->> 'stepUp')::boolean
    );
  END IF;
  SELECT i.text, s.expires_at INTO signed, expires
  FROM public.step_up s
  JOIN public.step_up_item i ON i.tenant_id = _tenant AND i.step_up_id = s.id AND i.payout_id = _payout
  WHERE s.tenant_id = _tenant AND s.id = _step_up AND s.answered_at IS NOT NULL AND s.expires_at > now()
    AND s.user_id = _actor ->> 'user_id' AND s.session_id = _actor ->> 'session_id' AND i.decision_id IS NULL;
  RETURN FOUND AND signed IS NOT DISTINCT FROM command.approved_text(
    _tenant => _tenant, _payout => _payout, _business => _business, _expires => expires
  );
END
$$;
