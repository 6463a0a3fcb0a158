-- Another role of a member waits for a second person, where it makes a demand of the approval policy easier to meet.
ALTER TABLE proposed_change
  DROP CONSTRAINT proposed_change_kind_check,
  ADD CONSTRAINT proposed_change_kind_check CHECK (kind IN (
    'bank_connect', 'bank_connection_change', 'routes_replace', 'production_key', 'member_invitation', 'webhook_address',
    'bank_file_take', 'bank_line_match', 'approval_policy', 'approval_group', 'approval_role'
  ));
ALTER TABLE access_change
  DROP CONSTRAINT access_change_kind_check,
  ADD CONSTRAINT access_change_kind_check CHECK (kind IN (
    'business_registered', 'settings_changed', 'member_invited', 'member_invitation_sent', 'member_accepted',
    'member_role_proposed', 'member_role_changed', 'member_removed', 'member_sessions_revoked', 'key_created', 'key_revoked',
    'bank_connected', 'bank_connection_changed', 'routes_replaced', 'webhook_address_proposed', 'webhook_address_changed',
    'registration_proven', 'registration_released', 'key_confirmed',
    'approval_policy_proposed', 'approval_policy_changed', 'approval_group_proposed', 'approval_group_changed',
    'passkey_added', 'passkey_locked', 'passkey_vouched'
  ));
