/** What the service may do with a table besides reading it and adding rows. */
export interface TableRights {
  /** It may not add rows either: others fill the table. */
  readonly readOnly?: true;
  /** Only the owner of the tables adds rows. */
  readonly ownersRows?: true;
  /** The only columns that it may change; none for a table that only grows. */
  readonly changes?: readonly string[];
  /** The columns that it may not change, if it may change all others. */
  readonly fixed?: readonly string[];
  readonly deletes?: true;
}

const appendOnly: TableRights = { changes: [] };

/**
 * The tables on which the service has other rights than to read, add and change rows. On most of them
 * it has fewer, so that an attacker who takes over a process of the service cannot rewrite what happened or what was approved. A new
 * table needs no entry; an entry without a table fails a test.
 */
export const tableRights: Readonly<Record<string, TableRights>> = {
  'public.schema_migration': { readOnly: true },
  'public.schema_repeatable': { readOnly: true },
  'public.schema_repeatable_set': { readOnly: true },
  'public.payout_permitted_transition': { readOnly: true },
  'public.paused_task': { readOnly: true },

  'public.payout_transition': appendOnly,
  'public.payout_decision': appendOnly,
  // The rules that were confirmed, and what they demanded of each payout.
  'public.approval_policy': appendOnly,
  'public.payout_requirement': appendOnly,
  // When a step may expire is no record; who stood in for whom, and until when, is one.
  'public.approval_expiry': { changes: ['due_at'], deletes: true },
  'public.approval_stuck': { changes: [], deletes: true },
  'public.approval_delegation': { changes: ['ended_at', 'ended_by'] },
  // What was to be signed stays as it was; what proves the signature is added to it.
  'public.step_up': {
    changes: [
      'answered_at',
      'passkey_id',
      'credential_id',
      'public_key',
      'authenticator_data',
      'client_data',
      'signature',
      'rp_id',
      'origin',
    ],
  },
  'public.step_up_item': { changes: ['decision_id'] },
  'public.beneficiary_transition': appendOnly,
  'public.screening_decision': appendOnly,
  // A rotation of keys rewrites ciphertexts; what was found stays.
  'public.screening_result': { changes: ['subject_ciphertext'] },
  'public.screening_hit': {
    changes: ['result_id', 'explained_ciphertext', 'status', 'found_at', 'updated_at'],
  },
  // A result stays; it may be confirmed.
  'public.name_check': {
    changes: ['name_on_file_ciphertext', 'confirmed_by', 'confirmed_reason', 'confirmed_at'],
  },
  'public.operator_action': appendOnly,
  'public.event': appendOnly,
  'public.webhook_delivery_attempt': appendOnly,
  'public.collection_link': appendOnly,
  'public.member_link': appendOnly,
  'public.sign_in_link': appendOnly,
  'public.access_change': appendOnly,
  'public.balance_report': appendOnly,
  'public.ledger_account': appendOnly,
  'public.ledger_entry': appendOnly,
  'public.ledger_balance': { fixed: ['tenant_id', 'currency', 'slot', 'draws_on'] },
  // ops.erase_payee writes the records of erasures, the service those of exports.
  'public.personal_data_record': appendOnly,

  // The facts that were approved, and those that the provider was given.
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
  // A rotation of keys rewrites ciphertexts, and nothing else in a tax document. What lies in clear moves into
  // its ciphertext. An enrollment fills in a missing account type.
  'public.bank_account_version': {
    changes: [
      'identifiers_ciphertext',
      'account_holder_name',
      'account_holder_name_ciphertext',
      'account_type',
    ],
  },
  // The bytes of a file and what it pays are fixed when its batch closes.
  'public.bank_batch': {
    changes: [
      'status',
      'content_key_ciphertext',
      'stagings',
      'sending_at',
      'sent_at',
      'taken_at',
      'problem',
      'needs_operator',
      'downloaded_by',
      'uploaded_by',
      'resend_asked_by',
      'updated_at',
    ],
  },
  'public.bank_payment': appendOnly,
  // What a bank sent, and what it is matched with, stays. A file that did not arrive whole is deleted.
  'public.bank_file': {
    fixed: ['tenant_id', 'id', 'connection_id', 'name', 'taken_by', 'received_at'],
    deletes: true,
  },
  'public.bank_file_chunk': { changes: [], deletes: true },
  'public.bank_report': { changes: [], deletes: true },
  // A file that is read again has accounts that the connection lacked.
  'public.bank_statement': {
    changes: ['own', 'currency', 'opening_minor', 'closing_minor', 'closing_day'],
  },
  'public.bank_line': {
    changes: [
      'match',
      'doubt',
      'named_attempt',
      'matched_at',
      'explanation',
      'action_id',
      'bank_names',
    ],
  },
  'public.bank_match': { changes: ['settles'] },
  'public.bank_stray_answer': { changes: ['status', 'explanation', 'action_id'] },
  'public.bank_account_proposal': {
    changes: ['correction_ciphertext', 'status', 'decided_at', 'decided_by'],
  },
  'public.bank_sequence': { changes: ['traces', 'files_on', 'files', 'problem'] },
  'public.bank_fetch': { changes: ['fetched_at', 'problem', 'problem_since'] },
  'public.tax_document': { changes: ['content_key_ciphertext'] },
  'public.write_probe': appendOnly,
  // Its owner alone says that a key is lost.
  'public.encryption_key': appendOnly,
  'public.lookup_key': { changes: ['key_ciphertext'] },
  // What a provider said stays as it was heard. A person's finding is added to it.
  'public.provider_contradiction': { changes: ['finding', 'examined_at', 'action_id'] },
  // A key acts as its member with its role for as long as it lives, and an invitation is for one member.
  'public.api_key': { changes: ['last_used_at', 'revoked_at', 'held_at'] },
  'public.registration_link': appendOnly,
  'public.registration_proof': { changes: ['used_at'], deletes: true },
  // The commands that make and revoke operators connect as the owner: a process that is taken over makes none.
  'public.operator_key': { ownersRows: true, changes: ['last_used_at'] },
  'public.member_invitation': { changes: ['status', 'closed_at'] },
  // Whose a session is and when it ends at the latest stay as they were when its person signed in.
  'public.user_session': {
    changes: ['membership_id', 'environment', 'last_seen_at', 'revoked_at'],
    deletes: true,
  },
  'public.passkey': {
    changes: [
      'counter',
      'synced',
      'last_used_at',
      'removed_at',
      'failures',
      'locked_until',
      'vouched_at',
    ],
  },
  'public.oidc_identity': { changes: [], deletes: true },
  'public.passkey_challenge': { changes: [], deletes: true },
  'public.sign_in_request': { changes: ['used_at'], deletes: true },
  // Locking a row needs the right to change one of its columns.
  'public.operator_user': { ownersRows: true, changes: ['created_at', 'language'] },
  'public.tenant': { changes: ['created_at'] },
  'public.bank_connection': { fixed: ['tenant_id', 'id', 'created_at'] },
  // What was proposed stays as it was read; a rotation of keys rewrites the payload, and an answer empties it.
  'public.proposed_change': {
    changes: ['payload_ciphertext', 'status', 'problem', 'answered_by', 'answered_at'],
  },
  'public.payout_route': { changes: [], deletes: true },
  // A version of a list and its entries stay as they were read, for proof.
  'public.watchlist_version': {
    fixed: ['id', 'kind', 'loaded_by', 'started_at'],
  },
  'public.watchlist_entry': { changes: ['last_version'], deletes: true },
  'public.watchlist_name': { changes: [], deletes: true },

  'ops.action_log': { changes: ['outcome', 'outcome_at'] },
  'ops.order_confirmation': { changes: ['answer', 'answered_at', 'answered_by'] },

  'public.bank_waiting': { deletes: true },
  'public.export_chunk': { deletes: true },
  'public.job_outbox': { changes: [], deletes: true },
  'public.job_run': { deletes: true },
  'public.relayed_job': { changes: [], deletes: true },
  'public.ledger_carry_over': { deletes: true },
  'public.payout_idempotency': { deletes: true },
  'public.creation_key': { deletes: true },
  'public.provider_event': { deletes: true },
  'public.rate_limit': { deletes: true },
  'public.webhook_endpoint_failure': { deletes: true },
  'public.webhook_subscription': { deletes: true },
  'public.worker_heartbeat': { deletes: true },
};
