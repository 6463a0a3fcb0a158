-- ── Erasure of payees, and what is recorded of it (docs/personal-data.md). ──

-- Who took or erased a payee's data, when and on which ground. It outlives the payee and holds ids only, so
-- that it never has to be erased itself.
CREATE TABLE personal_data_record (
  tenant_id      text COLLATE "C" NOT NULL REFERENCES tenant (id),
  id             uuid NOT NULL DEFAULT uuidv7(),
  beneficiary_id text COLLATE "C" NOT NULL,
  kind           text NOT NULL,
  -- Why it was erased; null for an export.
  ground         text,
  actor          jsonb NOT NULL,
  occurred_at    timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT personal_data_record_kind_check CHECK (kind IN ('deleted', 'erased', 'exported')),
  CONSTRAINT personal_data_record_ground_check CHECK (
    (kind = 'exported') = (ground IS NULL)
    AND ground IN ('payee_request', 'no_longer_needed', 'entered_in_error', 'legal_obligation')
  )
);
-- A payee is erased once: a repetition finds the record of the first time.
CREATE UNIQUE INDEX personal_data_record_erasure_key ON personal_data_record (tenant_id, beneficiary_id)
  WHERE kind <> 'exported';

ALTER TABLE beneficiary ADD COLUMN erased_at timestamptz(3);
ALTER TABLE beneficiary ADD CONSTRAINT beneficiary_erased_check CHECK (erased_at IS NULL OR archived_at IS NOT NULL);
-- For the job that clears what a provider says of an erased payee later, which looks across tenants.
CREATE INDEX beneficiary_erased_idx ON beneficiary (tenant_id, id) WHERE erased_at IS NOT NULL;

ALTER TABLE beneficiary_transition DROP CONSTRAINT beneficiary_transition_kind_check;
ALTER TABLE beneficiary_transition ADD CONSTRAINT beneficiary_transition_kind_check CHECK (
  kind IN (
    'registered', 'acknowledged', 'reacknowledgment_required', 'suspended', 'reinstated', 'archived',
    'invited', 'invite_canceled', 'invite_expired', 'details_submitted', 'erased'
  )
);

-- Null once the payee is erased.
ALTER TABLE bank_account_version ALTER COLUMN identifiers_ciphertext DROP NOT NULL;
