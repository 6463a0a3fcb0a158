UPDATE payout p SET distinct_approver = true, updated_at = clock_timestamp()
FROM tenant t JOIN business b ON b.id = t.business_id
WHERE p.tenant_id = t.id AND b.distinct_approver AND p.state IN ('pending_approval', 'compliance_hold');

-- A decision that moved its payout was recorded in the transaction of the transition, at its time.
-- Others stay without: nobody knows who submitted them.
UPDATE payout_decision d SET submitted_by = t.actor
FROM payout_transition t
WHERE t.tenant_id = d.tenant_id AND t.payout_id = d.payout_id AND t.to_state = d.status
  AND t.occurred_at = d.submitted_at;
ALTER TABLE payout_decision ADD CONSTRAINT payout_decision_submitted_by_check
  CHECK (submitted_by IS NOT NULL) NOT VALID;
