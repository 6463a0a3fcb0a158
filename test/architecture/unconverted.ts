/* The lists shrink: a statement that becomes a command leaves them, and none is added without a reason. */

const reasons: readonly (readonly [why: string, names: readonly string[]])[] = [
  [
    'Members, keys and businesses belong to no tenant. Their tables stay on one node.',
    [
      'accept_member_invitation',
      'change_member_role',
      'confirm_api_key',
      'insert_api_key',
      'insert_member_invitation',
      'insert_operator_action',
      'insert_registered_business',
      'insert_registration',
      'invite_member',
      'prove_registration',
      'release_registered_address',
      'release_registered_domain',
      'remove_member',
      'revoke_api_key',
      'revoke_operator_user',
      'revoke_sessions_of_member',
    ],
  ],
  [
    'It finds out who calls and counts the calls, in tables of no tenant that stay on one node.',
    ['stored_operator_key', 'rate_limit_reserve_each'],
  ],
  [
    'The turns at a provider are kept in a table of no tenant that stays on one node.',
    ['take_turn'],
  ],
  [
    'Passkeys belong to a person and to no tenant. Their table stays on one node.',
    ['note_passkey_failure'],
  ],
  [
    'It asks a function that reads the members of groups, which is planned for one payout at a time.',
    ['approval_standings'],
  ],
  [
    'The workers of an installation, and no tenant. The table stays on one node.',
    ['worker_beat', 'worker_release_dead', 'worker_release_own'],
  ],
  [
    'It asks a function with the rights of the owner, since no index of parts of names serves under row-level security.',
    ['search_beneficiaries'],
  ],
  [
    'Lists of sanctions belong to no tenant. Their tables stay on one node.',
    ['insert_watchlist_entries'],
  ],
  [
    'A person changes the subscription or sends many events again, now and then. It has no INSERT, so one node carries it out.',
    [
      'delete_webhook_subscription',
      'replay_webhook_window',
      'replay_webhook_window_of_payout',
      'update_webhook_subscription',
    ],
  ],
];

/**
 * Statements that a distributed PostgreSQL refuses or takes apart into one command for each CTE, each with
 * the reason why it may stay.
 */
export const unconverted: Readonly<Record<string, string>> = Object.fromEntries(
  reasons.flatMap(([why, names]) => names.map((name) => [name, why])),
);
