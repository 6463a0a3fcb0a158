/** What the service may do with a table besides reading it and adding rows. */
export interface TableRights {
  /** It may add no row either: others fill the table. */
  readonly readOnly?: true;
  /** The only columns it may change; none at all for a record of what happened. */
  readonly changes?: readonly string[];
  /** Columns it may not change, where it may change the others. */
  readonly fixed?: readonly string[];
  readonly deletes?: true;
}

const appendOnly: TableRights = { changes: [] };

/**
 * The tables where the service may not simply read, add and change rows. Whoever takes over a process of
 * the service cannot rewrite what happened, nor what was approved, with the rights that are left. A table
 * that stands here and not in the database fails a test, a new table needs no entry.
 */
export const tableRights: Readonly<Record<string, TableRights>> = {
  'public.schema_migration': { readOnly: true },
  'public.schema_repeatable': { readOnly: true },
  'public.payout_permitted_transition': { readOnly: true },
  'public.paused_task': { readOnly: true },

  'public.payout_transition': appendOnly,
  'public.payout_decision': appendOnly,
  'public.beneficiary_transition': appendOnly,
  'public.operator_action': appendOnly,
  'public.event': appendOnly,
  'public.webhook_delivery_attempt': appendOnly,
  'public.collection_link': appendOnly,
  'public.member_link': appendOnly,
  'public.access_change': appendOnly,

  // What was approved, and what was ordered from the provider.
  'public.payout': {
    fixed: [
      'tenant_id',
      'id',
      'beneficiary_id',
      'beneficiary_name',
      'beneficiary_type',
      'bank_account_id',
      'bank_account_version',
      'amount_minor',
      'amount',
      'currency',
      'purpose_of_payment',
      'external_ref',
      'idempotency_key',
      'validator_strategy',
      'replaces_payout_id',
      'distinct_approver',
      'created_by',
      'created_at',
    ],
  },
  'public.disbursement_attempt': {
    fixed: [
      'tenant_id',
      'id',
      'payout_id',
      'number',
      'provider',
      'recipient_id',
      'amount_minor',
      'currency',
      'bank_account_id',
      'bank_account_version',
      'key_expires_at',
      'prepared_at',
    ],
  },
  // A rotation of keys rewrites the ciphertexts, and nothing else of a tax document. An enrollment notes
  // the type of an account that has none.
  'public.bank_account_version': { changes: ['identifiers_ciphertext', 'account_type'] },
  'public.tax_document': { changes: ['content_key_ciphertext'] },
  // A row is locked by who may change some column of it.
  'public.tenant': { changes: ['created_at'] },
  'ops.action_log': { changes: ['outcome', 'outcome_at'] },

  'public.export_chunk': { deletes: true },
  'public.job_run': { deletes: true },
  'public.payout_idempotency': { deletes: true },
  'public.provider_event': { deletes: true },
  'public.rate_limit': { deletes: true },
  'public.webhook_subscription': { deletes: true },
  'public.worker_heartbeat': { deletes: true },
};
