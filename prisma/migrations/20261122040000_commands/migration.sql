-- The functions that are the service's commands (src/db/command.ts); `prisma/repeatable` makes them.
CREATE SCHEMA command;

-- A command writes rows that name each other by plain statements, one after the other: a payout names its
-- latest record before that record is there. What one command's rows owe each other is checked at its end.
ALTER TABLE payout ALTER CONSTRAINT payout_state_fkey DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE payout_transition
  ALTER CONSTRAINT payout_transition_tenant_id_payout_id_fkey DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE payout_transition ALTER CONSTRAINT payout_transition_chain_fkey DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE payout_transition ALTER CONSTRAINT payout_transition_attempt_fkey DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE payout_decision
  ALTER CONSTRAINT payout_decision_tenant_id_payout_id_fkey DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE disbursement_attempt
  ALTER CONSTRAINT disbursement_attempt_tenant_id_payout_id_fkey DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE event ALTER CONSTRAINT event_tenant_id_payout_id_fkey DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE webhook_delivery
  ALTER CONSTRAINT webhook_delivery_tenant_id_event_id_fkey DEFERRABLE INITIALLY DEFERRED;
