-- Events that are not about a payout: of a payee, a bank account or a collection request, which `subject_id` names. They
-- are recorded where an endpoint names their type.
ALTER TABLE event ADD COLUMN subject_id text COLLATE "C";
ALTER TABLE event
  DROP CONSTRAINT IF EXISTS event_payout_check,
  ADD CONSTRAINT event_subject_check CHECK (num_nonnulls(payout_id, subject_id) = (type <> 'webhook.test')::integer)
    NOT VALID;
ALTER TABLE event VALIDATE CONSTRAINT event_subject_check;
CREATE INDEX event_tenant_id_subject_id_idx ON event (tenant_id, subject_id) WHERE subject_id IS NOT NULL;
-- A command writes the record, and reads the payee for it.
ALTER TABLE beneficiary_transition
  ALTER CONSTRAINT beneficiary_transition_tenant_id_beneficiary_id_fkey DEFERRABLE INITIALLY DEFERRED;
