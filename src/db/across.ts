/**
 * The schema of the views by which the service reads rows of all tenants. Its own rights end at one tenant
 * (policies.ts), so a statement across tenants names a view here, and a reader sees what it is.
 */
export const acrossSchema = 'across';

/** Owns the views. It reads the columns that they show, of every tenant, and nothing else. Of it only the migrating role is a member. */
export const acrossRole = 'payouts_across';

/**
 * What is read across tenants besides the encrypted columns, which a rotation of keys walks: for each table
 * the columns of its view. `npm run generate` makes the views from it. A statement that only looks for work
 * needs the keys and what it sorts and filters by; what it finds is then handled in the scope of its tenant.
 */
export const readAcross: Readonly<Record<string, readonly string[]>> = {
  approval_policy: ['tenant_id'],
  approval_stuck: ['tenant_id', 'payout_id'],
  approval_expiry: ['tenant_id', 'payout_id', 'due_at'],
  // Two connections must not share a folder, whoever's they are.
  bank_connection: ['tenant_id', 'id', 'status', 'transport', 'transport_settings'],
  bank_file: ['tenant_id', 'id', 'status', 'received_at', 'read_at', 'applied_at'],
  bank_line: ['tenant_id', 'id', 'match'],
  bank_stray_answer: ['tenant_id', 'id', 'status'],
  bank_batch: [
    'tenant_id',
    'id',
    'status',
    'needs_operator',
    'problem',
    'closed_at',
    'taken_at',
    'execution_date',
  ],
  bank_payment: ['tenant_id', 'attempt_id', 'batch_id'],
  bank_sequence: ['tenant_id', 'connection_id', 'problem'],
  bank_fetch: ['tenant_id', 'connection_id', 'problem'],
  bank_waiting: ['tenant_id', 'payout_id', 'connection_id'],
  beneficiary: ['tenant_id', 'id', 'compliance_status', 'screening'],
  beneficiary_transition: [
    'tenant_id',
    'beneficiary_id',
    'seq',
    'kind',
    'occurred_at',
    'reason',
    'actor',
  ],
  collection_link: ['tenant_id', 'request_id', 'token_hash'],
  collection_request: ['tenant_id', 'id', 'beneficiary_id', 'status', 'expires_at', 'mail_status'],
  disbursement_attempt: [
    'tenant_id',
    'id',
    'status',
    'needs_operator',
    'called_at',
    'looked_up_at',
    'provider',
  ],
  enrollment: ['tenant_id', 'id', 'status', 'requested_at'],
  export: ['tenant_id', 'id', 'generation', 'status', 'created_at', 'expires_at'],
  export_schedule: ['tenant_id', 'id', 'ended_at', 'next_run_at'],
  job_outbox: ['tenant_id', 'id', 'job_key', 'run_at'],
  // The metric adds up each tenant's books.
  ledger_balance: [
    'tenant_id',
    'currency',
    'held_minor',
    'funds_minor',
    'in_transit_minor',
    'paid_minor',
    'fees_minor',
    'external_minor',
    'enforced',
  ],
  ledger_carry_over: ['tenant_id'],
  // How payouts end is counted by provider, currency and failure.
  payout: [
    'tenant_id',
    'id',
    'state',
    'updated_at',
    'live_attempt_id',
    'beneficiary_id',
    'transition_count',
    'provider',
    'currency',
    'failure_code',
  ],
  payout_routing: ['tenant_id', 'routes'],
  payout_transition: ['tenant_id', 'payout_id', 'seq', 'to_state', 'cause', 'recorded_at'],
  proposed_change: [
    'tenant_id',
    'id',
    'kind',
    'subject_id',
    'shown',
    'digest',
    'reason',
    'proposed_by',
    'proposed_at',
    'expires_at',
    'status',
  ],
  provider_contradiction: ['tenant_id', 'id', 'finding'],
  screening_result: ['tenant_id', 'id', 'lists'],
  screening_hit: ['tenant_id', 'id', 'status', 'found_at'],
  screening_policy: ['tenant_id', 'kinds', 'screened', 'target', 'confirmed_at'],
  webhook_delivery: [
    'tenant_id',
    'id',
    'status',
    'next_attempt_at',
    'sent_with',
    'replay_at',
    'created_at',
    'completed_at',
  ],
  webhook_subscription: ['tenant_id', 'enabled'],
  webhook_endpoint_failure: ['tenant_id', 'subscription_id', 'failing_since'],
};
