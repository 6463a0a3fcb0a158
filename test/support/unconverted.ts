/* The lists shrink: a statement that becomes a command leaves them, and none is added without a reason. */

const reasons: readonly (readonly [why: string, names: readonly string[]])[] = [
  [
    'Members, keys and businesses belong to no tenant. Their tables stay on one node.',
    [
      'accept_member_invitation',
      'change_member_role',
      'insert_api_key',
      'insert_member_invitation',
      'insert_operator_action',
      'insert_registration',
      'invite_member',
      'prepare_member_link',
      'remove_member',
      'revoke_api_key',
      'revoke_operator_key',
      'set_distinct_approver',
      'update_business_profile',
    ],
  ],
  [
    'It finds out who calls and counts the calls, in tables of no tenant that stay on one node.',
    ['live_api_key', 'live_operator_key', 'rate_limit_reserve', 'rate_limit_reserve_whole'],
  ],
  [
    'The workers of an installation, and no tenant. The table stays on one node.',
    ['worker_beat', 'worker_release_dead'],
  ],
  [
    'People enter beneficiaries, some a minute: slow on a distributed database, and right.',
    [
      'acknowledge_beneficiary',
      'archive_beneficiary',
      'confirm_bank_account_details',
      'register_bank_account',
      'register_beneficiary',
      'register_invited_beneficiaries',
      'reinstate_beneficiary',
      'replace_bank_account_details',
      'suspend_beneficiary',
      'update_beneficiary',
    ],
  ],
  [
    'It follows a payee through a form, some a minute: slow on a distributed database, and right.',
    [
      'end_collection_request',
      'insert_collection_requests',
      'prepare_collection_mail',
      'record_collection_mail',
      'record_details_submitted',
    ],
  ],
  [
    'Once for each bank account, before its first payout.',
    ['apply_recipient_standing', 'complete_enrollment', 'start_enrollment'],
  ],
  [
    'It writes an attempt, its delivery and the next attempt at once, and nobody waits for the answer.',
    [
      'delete_webhook_subscription',
      'insert_webhook_test',
      'record_webhook_attempt',
      'replay_webhook_window',
      'replay_webhook_window_of_payout',
      'update_webhook_subscription',
    ],
  ],
  [
    'Once for each export or part of one, and never for a payout.',
    ['append_export_chunk', 'begin_export_run', 'claim_due_export_schedules', 'end_export_run'],
  ],
  [
    'It happens where something is wrong, or in a sandbox.',
    ['insert_contradictions', 'set_sandbox_balance'],
  ],
];

/**
 * Statements that a distributed PostgreSQL refuses or takes apart into one command for each CTE, each with
 * the reason why it may stay.
 */
export const unconverted: Readonly<Record<string, string>> = Object.fromEntries(
  reasons.flatMap(([why, names]) => names.map((name) => [name, why])),
);
