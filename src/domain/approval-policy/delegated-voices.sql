-- Part of other commands: those for whom a person may approve at this moment, each with the groups that they hold now, as
-- a list of JSON; NULL for none. Who has left, or decides on payouts no more, is spoken for by nobody. A delegation leads
-- from one person to another and no further.
CREATE OR REPLACE FUNCTION command.delegated_voices(
  _tenant text,
  _business text,
  _user text
) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
  at timestamptz := now();
  deciding CONSTANT jsonb := command.one_other_approver() -> 'groups';
  delegators text[];
BEGIN
  SELECT array_agg(d.from_user ORDER BY d.id) INTO delegators FROM public.approval_delegation d
  WHERE d.tenant_id = _tenant AND d.to_user = _user AND d.begins_at <= at AND d.ends_at > at AND d.ended_at IS NULL;
  IF delegators IS NULL THEN
    RETURN NULL;
  END IF;
  RETURN (
    SELECT jsonb_agg(jsonb_build_object('who', m.user_id, 'groups', to_jsonb(m.role || ARRAY(
      SELECT g.id FROM public.approval_group g WHERE g.tenant_id = _tenant AND m.user_id = ANY (g.members)
    ))) ORDER BY array_position(delegators, m.user_id))
    FROM public.membership m
    WHERE m.business_id = _business AND m.user_id = ANY (delegators) AND m.accepted_at IS NOT NULL AND m.removed_at IS NULL
      AND deciding ? m.role
  );
END
$$;
