-- Generated from src/queue/tasks.ts by `npm run generate`: what operators see of the worker's tasks.

INSERT INTO ops.task
  (name, subject, subject_field, with_tenant, constant, key_prefix, priority, subject_states, clock, description, not_by_hand)
VALUES
  ('apply_provider_event', 'provider event', 'eventId', false, '{}', 'apply ', 0, '{received,unmatched}', NULL, 'Applies a stored event of a provider.', NULL),
  ('carry_over_ledger', NULL, NULL, false, '{}', 'clock_carry_over_ledger', 0, NULL, '* * * * *', 'Books what payouts imply that moved before the ledger was there.', NULL),
  ('delete_expired', NULL, NULL, false, '{}', 'clock_delete_expired', 0, NULL, '41 * * * *', 'Deletes what is kept for a limited time.', NULL),
  ('deliver_webhook', 'delivery', 'deliveryId', true, '{}', '', 0, '{pending}', NULL, 'Makes one attempt of a webhook delivery.', NULL),
  ('disburse_payout', 'payout', 'payoutId', true, '{}', 'disburse ', 0, '{approved}', NULL, 'Hands an approved payout to the provider.', NULL),
  ('enroll_bank_account', 'enrollment', 'enrollmentId', true, '{}', '', 0, '{pending}', NULL, 'Registers a bank account with the provider.', NULL),
  ('erase_beneficiary', 'beneficiary', 'beneficiaryId', true, '{}', NULL, 0, NULL, NULL, 'Erases the personal data of a payee, as an operator ordered.', 'It needs a ground: use ops.erase_beneficiary(beneficiary, ground, reason).'),
  ('expire_collection_requests', NULL, NULL, false, '{}', 'expire_collection_requests', 0, NULL, '* * * * *', 'Ends collection links whose time is over.', NULL),
  ('fund_sandbox_wallet', 'tenant', 'tenantId', false, '{}', 'fund_sandbox_wallet:', 0, '{sandbox}', NULL, 'Gives a sandbox wallet its test money.', NULL),
  ('look_up_payout', 'payout', 'payoutId', true, '{}', NULL, 0, NULL, NULL, 'Asks the provider about a payout, as an operator ordered.', NULL),
  ('reconcile_payouts', NULL, NULL, false, '{}', 'reconcile_payouts', 0, NULL, '* * * * *', 'Adds the lost jobs of payouts, enrollments and provider events again, and asks providers that are silent.', NULL),
  ('release_payouts', 'beneficiary', 'beneficiaryId', true, '{}', NULL, 0, '{pending,compliant}', NULL, 'Releases the payouts that a suspension held, once the suspension is over.', NULL),
  ('resolve_payout', 'payout', 'payoutId', true, '{}', NULL, 0, NULL, NULL, 'Records the outcome of a payout that only an operator knows, as the operator ordered.', 'It needs an outcome and evidence: use ops.resolve_payout(payout, outcome, provider_payout_id, evidence, reason).'),
  ('rotate_keys', NULL, NULL, false, '{"pass":null}', 'clock_rotate_keys', 0, NULL, '17 * * * *', 'Encrypts with the first key what another key of the keyring encrypted, and what lies in clear.', NULL),
  ('send_collection_mail', 'collection request', 'requestId', true, '{}', NULL, 10, '{live}', NULL, 'Sends the mail with a collection link.', NULL),
  ('send_member_mail', 'member invitation', 'invitationId', true, '{}', NULL, 10, NULL, NULL, 'Sends the mail by which a member gets an API key.', NULL),
  ('send_registration_mail', 'user', 'userId', false, '{}', NULL, 0, NULL, NULL, 'Sends the welcome mail to the user who registered a business.', NULL),
  ('send_sign_in_mail', 'sign-in request', 'requestId', false, '{}', NULL, 10, NULL, NULL, 'Sends the link by which a person signs in.', NULL),
  ('simulate_payout_event', 'payout', 'payoutId', true, '{}', NULL, 0, NULL, NULL, 'Makes an event happen at the simulator.', 'It needs an event, and is the business''s own: use POST /v1/sandbox/payouts/{id}/simulate.'),
  ('start_due_exports', NULL, NULL, false, '{}', 'start_due_exports', 0, NULL, '* * * * *', 'Starts the exports that a schedule made due.', NULL),
  ('sweep_webhooks', NULL, NULL, false, '{"after":null}', 'clock_sweep_webhooks', 0, NULL, '* * * * *', 'Adds a job for each webhook delivery that is due and has none.', NULL),
  ('write_export', 'export', 'exportId', true, '{}', 'export ', 0, '{pending,running}', NULL, 'Writes the file of an export.', NULL)
ON CONFLICT (name) DO UPDATE SET
  subject = excluded.subject,
  subject_field = excluded.subject_field,
  with_tenant = excluded.with_tenant,
  constant = excluded.constant,
  key_prefix = excluded.key_prefix,
  priority = excluded.priority,
  subject_states = excluded.subject_states,
  clock = excluded.clock,
  description = excluded.description,
  not_by_hand = excluded.not_by_hand;

DELETE FROM ops.task WHERE name NOT IN (
  'apply_provider_event',
  'carry_over_ledger',
  'delete_expired',
  'deliver_webhook',
  'disburse_payout',
  'enroll_bank_account',
  'erase_beneficiary',
  'expire_collection_requests',
  'fund_sandbox_wallet',
  'look_up_payout',
  'reconcile_payouts',
  'release_payouts',
  'resolve_payout',
  'rotate_keys',
  'send_collection_mail',
  'send_member_mail',
  'send_registration_mail',
  'send_sign_in_mail',
  'simulate_payout_event',
  'start_due_exports',
  'sweep_webhooks',
  'write_export'
);
