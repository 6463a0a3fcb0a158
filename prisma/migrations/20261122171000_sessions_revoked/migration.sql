-- Who manages members may end their sessions, which is recorded as every change of access.
ALTER TABLE access_change
  DROP CONSTRAINT access_change_kind_check,
  ADD CONSTRAINT access_change_kind_check CHECK (kind IN (
    'business_registered', 'settings_changed', 'member_invited', 'member_invitation_sent', 'member_accepted',
    'member_role_changed', 'member_removed', 'member_sessions_revoked', 'key_created', 'key_revoked'
  ));
