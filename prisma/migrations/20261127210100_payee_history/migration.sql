-- Who changed what of a payee: the fields of each change by their names, and who gave each version of an account.
-- Neither has a value, so there is nothing more to erase. A version from before has nobody.
ALTER TABLE beneficiary_transition ADD COLUMN fields text[] NOT NULL DEFAULT '{}';
ALTER TABLE beneficiary_transition
  DROP CONSTRAINT beneficiary_transition_kind_check,
  ADD CONSTRAINT beneficiary_transition_kind_check CHECK (
    kind IN (
      'registered', 'updated', 'acknowledged', 'reacknowledgment_required', 'suspended', 'reinstated', 'archived',
      'invited', 'invite_canceled', 'invite_expired', 'details_submitted', 'erased'
    )
  );
ALTER TABLE bank_account_version ADD COLUMN actor jsonb;
