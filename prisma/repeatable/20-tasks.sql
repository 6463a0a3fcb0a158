-- ── The tasks of the worker, as src/queue/queue.ts and jobs/tasks.ts define them. ──

DELETE FROM ops.task;
INSERT INTO ops.task
  (name, subject, subject_field, with_tenant, constant, key_prefix, subject_states, clock, description, not_by_hand)
VALUES
  ('apply_provider_event', 'provider event', 'eventId', false, '{}', 'apply ', '{received,unmatched}', NULL,
   'Applies a stored event of a provider.', NULL),
  ('delete_expired', NULL, NULL, false, '{}', 'clock_delete_expired', NULL, '41 * * * *',
   'Deletes records that have expired.', NULL),
  ('deliver_webhook', 'delivery', 'deliveryId', true, '{}', '', '{pending}', NULL,
   'Makes one attempt of a webhook delivery.', NULL),
  ('disburse_payout', 'payout', 'payoutId', true, '{}', 'disburse ', '{approved}', NULL,
   'Hands an approved payout to the provider.', NULL),
  ('enroll_bank_account', 'enrollment', 'enrollmentId', true, '{}', '', '{pending}', NULL,
   'Registers a bank account with the provider.', NULL),
  ('expire_collection_requests', NULL, NULL, false, '{}', 'expire_collection_requests', NULL, '* * * * *',
   'Ends collection links that have expired.', NULL),
  ('fund_sandbox_wallet', 'tenant', 'tenantId', false, '{}', 'fund_sandbox_wallet:', '{sandbox}', NULL,
   'Gives a sandbox wallet its test money.', NULL),
  ('look_up_payout', 'payout', 'payoutId', true, '{}', NULL, NULL, NULL,
   'Asks the provider about a payout, on the order of an operator.', 'Use ops.look_up_payout(payout, reason).'),
  ('reconcile_payouts', NULL, NULL, false, '{}', 'reconcile_payouts', NULL, '* * * * *',
   'Finds payouts that make no progress, and adds the job or asks the provider.', NULL),
  ('release_payouts', 'beneficiary', 'beneficiaryId', true, '{}', NULL, '{pending,compliant}', NULL,
   'Releases the payouts of a beneficiary whose suspension has ended.', NULL),
  ('resolve_payout', 'payout', 'payoutId', true, '{}', NULL, NULL, NULL,
   'Records the outcome of an attempt that is unknown, on the order of an operator.',
   'Use ops.resolve_payout(payout, outcome, provider_payout_id, evidence, reason).'),
  ('rotate_keys', NULL, NULL, false, '{"pass": null}', 'clock_rotate_keys', NULL, '17 * * * *',
   'Re-encrypts with the first key of ENCRYPTION_KEYS what another key encrypted.', NULL),
  ('send_collection_mail', 'collection request', 'requestId', true, '{}', NULL, '{live}', NULL,
   'Sends the mail with a collection link.', 'Use ops.resend_mail(request, reason).'),
  ('send_member_mail', 'member invitation', 'invitationId', true, '{}', NULL, NULL, NULL,
   'Sends the mail by which a member gets a key of their own.',
   'Use the GraphQL mutation memberInvitationSend, or operatorMemberInvitationSend.'),
  ('send_registration_mail', 'user', 'userId', false, '{}', NULL, NULL, NULL,
   'Sends the welcome mail to a user who registered a business.', NULL),
  ('simulate_payout_event', 'payout', 'payoutId', true, '{}', NULL, NULL, NULL,
   'Has the simulator send an event.', 'Use POST /v1/sandbox/payouts/{id}/simulate.'),
  ('start_due_exports', NULL, NULL, false, '{}', 'start_due_exports', NULL, '* * * * *',
   'Starts the scheduled exports that are due.', NULL),
  ('sweep_webhooks', NULL, NULL, false, '{"after": null}', 'clock_sweep_webhooks', NULL, '* * * * *',
   'Adds the missing jobs of webhook deliveries that are due.', NULL),
  ('write_export', 'export', 'exportId', true, '{}', 'export ', '{pending,running}', NULL,
   'Writes the file of an export.', NULL);

-- Mails go after everything that moves money.
UPDATE ops.task SET priority = 10 WHERE name IN ('send_collection_mail', 'send_member_mail');
