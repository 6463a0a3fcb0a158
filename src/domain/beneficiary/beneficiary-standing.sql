-- Part of other commands: `ready` or `action_required` for a payee of that status (status.ts); NULL for every other.
-- `_verifies`: the accounts that wait for their owner's compliance are verified in the same transaction.
CREATE OR REPLACE FUNCTION command.beneficiary_standing(
  _tenant text,
  _beneficiary text,
  _verifies boolean
) RETURNS text
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
  payee record;
BEGIN
  SELECT b.archived_at, b.compliance_status, b.reacknowledgment_required, b.enrollment_status INTO payee
  FROM public.beneficiary b WHERE b.tenant_id = _tenant AND b.id = _beneficiary;
  IF payee.archived_at IS NOT NULL OR payee.compliance_status <> 'compliant' OR payee.reacknowledgment_required THEN
    RETURN NULL;
  END IF;
  IF payee.enrollment_status IN ('rejected', 'suspended', 'closed') THEN
    RETURN 'action_required';
  END IF;
  PERFORM 1 FROM public.bank_account a
  WHERE a.tenant_id = _tenant AND a.beneficiary_id = _beneficiary AND a.validation_status = 'validated'
    AND a.rail_rejection_reason IS NULL
    AND (a.status = 'verified' OR (_verifies AND a.status = 'pending_verification'))
  LIMIT 1;
  RETURN CASE WHEN FOUND THEN 'ready' ELSE 'action_required' END;
END
$$;
