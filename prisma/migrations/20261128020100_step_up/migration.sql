-- ── An approval that a passkey signs (src/domain/step-up). ──

-- What a person was asked to sign, once, and what proves that they did. Nothing of it is ever taken away: an auditor
-- verifies a signature from this row alone, also after the passkey was removed.
CREATE TABLE step_up (
  tenant_id          text COLLATE "C" NOT NULL REFERENCES tenant (id),
  id                 text COLLATE "C" NOT NULL,
  user_id            text COLLATE "C" NOT NULL,
  session_id         text COLLATE "C" NOT NULL,
  -- The canonical text of what is approved, and the random bytes before it in the challenge.
  text               text NOT NULL,
  nonce              bytea NOT NULL CHECK (length(nonce) = 32),
  challenge          bytea NOT NULL CHECK (length(challenge) = 32),
  created_at         timestamptz(3) NOT NULL DEFAULT now(),
  expires_at         timestamptz(3) NOT NULL,
  -- When a passkey signed it; it counts once.
  answered_at        timestamptz(3),
  passkey_id         text COLLATE "C",
  credential_id      bytea,
  -- As COSE has it (RFC 9052).
  public_key         bytea,
  authenticator_data bytea,
  -- As the browser sent it.
  client_data        bytea,
  signature          bytea,
  rp_id              text,
  origin             text,
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT step_up_answered_check CHECK (
    num_nonnulls(answered_at, passkey_id, credential_id, public_key, authenticator_data, client_data, signature, rp_id, origin) IN (0, 9)
  )
);
CREATE UNIQUE INDEX step_up_challenge_key ON step_up (tenant_id, challenge);

-- The payouts that one signature is about, each with its own text, and the decision that it was used for.
CREATE TABLE step_up_item (
  tenant_id   text COLLATE "C" NOT NULL,
  step_up_id  text COLLATE "C" NOT NULL,
  payout_id   text COLLATE "C" NOT NULL,
  text        text NOT NULL,
  decision_id text COLLATE "C",
  PRIMARY KEY (tenant_id, step_up_id, payout_id),
  CONSTRAINT step_up_item_tenant_id_step_up_id_fkey FOREIGN KEY (tenant_id, step_up_id) REFERENCES step_up (tenant_id, id)
    DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT step_up_item_tenant_id_payout_id_fkey FOREIGN KEY (tenant_id, payout_id) REFERENCES payout (tenant_id, id),
  CONSTRAINT step_up_item_tenant_id_decision_id_fkey FOREIGN KEY (tenant_id, decision_id) REFERENCES payout_decision (tenant_id, id)
    DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX step_up_item_payout_id_idx ON step_up_item (tenant_id, payout_id);
CREATE UNIQUE INDEX step_up_item_decision_id_key ON step_up_item (tenant_id, decision_id);

ALTER TABLE passkey
  -- Assertions for an approval that were wrong, one after another.
  ADD COLUMN failures integer NOT NULL DEFAULT 0,
  -- Until when it signs no approval, after too many of them.
  ADD COLUMN locked_until timestamptz(3),
  -- When an owner let it sign approvals before its first day is over.
  ADD COLUMN vouched_at timestamptz(3);

ALTER TABLE access_change
  DROP CONSTRAINT access_change_kind_check,
  ADD CONSTRAINT access_change_kind_check CHECK (kind IN (
    'business_registered', 'settings_changed', 'member_invited', 'member_invitation_sent', 'member_accepted',
    'member_role_changed', 'member_removed', 'member_sessions_revoked', 'key_created', 'key_revoked',
    'bank_connected', 'bank_connection_changed', 'routes_replaced', 'webhook_address_proposed', 'webhook_address_changed',
    'registration_proven', 'registration_released', 'key_confirmed',
    'approval_policy_proposed', 'approval_policy_changed', 'approval_group_proposed', 'approval_group_changed',
    'passkey_added', 'passkey_locked', 'passkey_vouched'
  ));
