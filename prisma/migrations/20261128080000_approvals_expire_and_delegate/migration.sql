-- ── Steps of an approval that expire, and approvals on behalf of somebody else (src/domain/approval-policy). ──

ALTER TABLE payout_requirement
  DROP CONSTRAINT payout_requirement_cause_check,
  ADD CONSTRAINT payout_requirement_cause_check CHECK (cause IN ('created', 'asked', 'expired')) NOT VALID;
ALTER TABLE payout_requirement VALIDATE CONSTRAINT payout_requirement_cause_check;

-- When to look whether a step of a payout has expired: a row for each payout of which one can, until it was approved or
-- has ended.
CREATE TABLE approval_expiry (
  tenant_id text COLLATE "C" NOT NULL,
  payout_id text COLLATE "C" NOT NULL,
  due_at    timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant_id, payout_id),
  CONSTRAINT approval_expiry_tenant_id_payout_id_fkey FOREIGN KEY (tenant_id, payout_id) REFERENCES payout (tenant_id, id)
    DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX approval_expiry_due_at_idx ON approval_expiry (due_at, tenant_id, payout_id);

-- For a time one person may approve what another one may. It stays as it was, and can be ended before its time.
CREATE TABLE approval_delegation (
  tenant_id  text COLLATE "C" NOT NULL REFERENCES tenant (id),
  id         text COLLATE "C" NOT NULL,
  from_user  text COLLATE "C" NOT NULL,
  to_user    text COLLATE "C" NOT NULL,
  reason     text NOT NULL,
  begins_at  timestamptz(3) NOT NULL,
  ends_at    timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  ended_at   timestamptz(3),
  ended_by   text COLLATE "C",
  PRIMARY KEY (tenant_id, id),
  CHECK (from_user <> to_user),
  CHECK (begins_at < ends_at),
  CHECK ((ended_at IS NULL) = (ended_by IS NULL))
);
CREATE INDEX approval_delegation_to_user_idx ON approval_delegation (tenant_id, to_user, ends_at);

-- For whom an approval was given, where not for its maker.
ALTER TABLE payout_decision ADD COLUMN on_behalf_of text COLLATE "C";

ALTER TABLE access_change
  DROP CONSTRAINT access_change_kind_check,
  ADD CONSTRAINT access_change_kind_check CHECK (kind IN (
    'business_registered', 'settings_changed', 'member_invited', 'member_invitation_sent', 'member_accepted',
    'member_role_proposed', 'member_role_changed', 'member_removed', 'member_sessions_revoked', 'key_created', 'key_revoked',
    'bank_connected', 'bank_connection_changed', 'routes_replaced', 'webhook_address_proposed', 'webhook_address_changed',
    'registration_proven', 'registration_released', 'key_confirmed',
    'approval_policy_proposed', 'approval_policy_changed', 'approval_group_proposed', 'approval_group_changed',
    'approval_delegated', 'approval_delegation_ended',
    'passkey_added', 'passkey_locked', 'passkey_vouched'
  ));
