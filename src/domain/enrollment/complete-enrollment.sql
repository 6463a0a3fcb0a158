-- Records the provider's answer once, on the three rows that show it, and the events on request. The beneficiary is
-- locked before the bank account, as in every command that locks both, so that no two wait for each other. An account
-- that has a newer version gets no rejection of its old details. An event that overtook the answer has left what it says
-- in `standing`. No row when the outcome was recorded before.
CREATE OR REPLACE FUNCTION command.complete_enrollment(
  _tenant text,
  _enrollment text,
  _recipient text, -- or NULL
  _failure text -- or NULL
) RETURNS SETOF public.enrollment
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  scoped CONSTANT text := set_config('app.tenant', _tenant, true);
  done public.enrollment;
  refused boolean;
BEGIN
  UPDATE public.enrollment AS e SET
    status = CASE
      WHEN _recipient IS NULL THEN 'rejected'
      WHEN e.standing IN ('suspended', 'closed') THEN e.standing
      ELSE 'verified' END,
    recipient_id = _recipient, failure_message = coalesce(_failure, e.failure_message), payee_ciphertext = NULL,
    completed_at = now()
  WHERE e.tenant_id = _tenant AND e.id = _enrollment AND e.status = 'pending'
  RETURNING e.* INTO done;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  refused := done.status = 'rejected';
  UPDATE public.beneficiary AS b SET
    enrollment_status = done.status,
    enrolled_bank_account_id = CASE WHEN NOT refused THEN done.bank_account_id END,
    revision = b.revision + 1, updated_at = command.clock()
  WHERE b.tenant_id = _tenant AND b.id = done.beneficiary_id;
  UPDATE public.bank_account AS a SET
    rail_rejection_reason = CASE WHEN refused THEN done.failure_message END, updated_at = command.clock()
  WHERE a.tenant_id = _tenant AND a.id = done.bank_account_id AND a.version = done.bank_account_version;
  PERFORM command.tell_bank_accounts(
    _tenant => _tenant, _accounts => ARRAY[done.bank_account_id],
    _type => CASE WHEN FOUND AND refused THEN 'bank_account.refused' END
  );
  RETURN NEXT done;
END
$$;
