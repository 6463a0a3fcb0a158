-- Applies what a provider says of a recipient to its enrollment and to the beneficiary, and records the events on request.
-- The provider's newest event wins, by the provider's clock. `closed` is final, and of two events at one instant the
-- stricter wins, so the same events in any order end in the same state. `standing` keeps what an event says on a pending
-- row until the answer to our call comes. The beneficiary's status follows if it is that of this enrollment: of its
-- account, and of the account's newest enrollment that was not refused. No row when it is no news.
CREATE OR REPLACE FUNCTION command.apply_recipient_standing(
  _tenant text,
  _enrollment text,
  _standing text,
  _at timestamptz,
  _reason text, -- or NULL
  _provider text, -- or NULL
  _recipient text -- or NULL
) RETURNS TABLE (beneficiary_id text, held_elsewhere boolean)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  scoped CONSTANT text := set_config('app.tenant', _tenant, true);
  told public.enrollment;
  newer boolean;
BEGIN
  UPDATE public.enrollment AS e SET
    standing = _standing, standing_at = _at,
    status = CASE
      WHEN e.status IN ('pending', 'rejected') THEN e.status
      WHEN _standing = 'active' THEN 'verified'
      ELSE _standing END,
    failure_message = CASE WHEN _standing = 'active' THEN NULL ELSE coalesce(_reason, e.failure_message) END
  WHERE e.tenant_id = _tenant AND e.id = _enrollment AND e.provider = _provider AND e.status <> 'rejected'
    AND coalesce(e.recipient_id = _recipient, true)
    AND e.standing IS DISTINCT FROM 'closed'
    AND (_standing = 'closed' OR e.standing_at IS NULL OR e.standing_at < _at
      OR (e.standing_at = _at AND e.standing = 'active' AND _standing = 'suspended'))
  RETURNING e.* INTO told;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  IF told.status <> 'pending' THEN
    PERFORM 1 FROM public.enrollment n
    WHERE n.tenant_id = _tenant AND n.bank_account_id = told.bank_account_id AND n.requested_at > told.requested_at
      AND n.status <> 'rejected' LIMIT 1;
    newer := FOUND;
    UPDATE public.beneficiary AS b SET
      enrollment_status = told.status, revision = b.revision + 1, updated_at = command.clock()
    WHERE b.tenant_id = _tenant AND b.id = told.beneficiary_id AND b.enrollment_status <> 'pending'
      AND b.enrolled_bank_account_id = told.bank_account_id AND NOT newer;
    IF FOUND THEN
      PERFORM command.tell_beneficiaries(
        _tenant => _tenant, _beneficiaries => ARRAY[told.beneficiary_id], _kind => NULL, _fields => '{}'
      );
    END IF;
  END IF;
  PERFORM 1 FROM public.enrollment o
  WHERE o.tenant_id = _tenant AND o.beneficiary_id = told.beneficiary_id AND o.id <> told.id
    AND o.standing = 'suspended' LIMIT 1;
  held_elsewhere := FOUND;
  beneficiary_id := told.beneficiary_id;
  RETURN NEXT;
END
$$;
