-- Passkeys (https://www.w3.org/TR/webauthn-3/): the public key of each, whose private key never leaves its
-- owner's device or password manager.
CREATE TABLE passkey (
  id               text COLLATE "C" PRIMARY KEY,
  user_id          text COLLATE "C" REFERENCES app_user (id),
  operator_user_id text COLLATE "C" REFERENCES operator_user (id),
  credential_id    bytea NOT NULL,
  public_key       bytea NOT NULL,
  -- How often it was used, where it counts; otherwise 0.
  counter          bigint NOT NULL,
  transports       text[] NOT NULL,
  -- Whether it is copied to other devices of its owner.
  synced           boolean NOT NULL,
  name             text NOT NULL,
  created_at       timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at     timestamptz(3),
  removed_at       timestamptz(3),
  CONSTRAINT passkey_person_check CHECK (num_nonnulls(user_id, operator_user_id) = 1)
);
CREATE UNIQUE INDEX passkey_credential_id_key ON passkey (credential_id) WHERE removed_at IS NULL;
CREATE INDEX passkey_user_id_idx ON passkey (user_id, id);
CREATE INDEX passkey_operator_user_id_idx ON passkey (operator_user_id, id);

-- What a passkey has to sign, once. It is for the session that adds a passkey, or for whoever signs in.
CREATE TABLE passkey_challenge (
  challenge_hash bytea PRIMARY KEY,
  session_id     text COLLATE "C" REFERENCES user_session (id) ON DELETE CASCADE,
  expires_at     timestamptz(3) NOT NULL
);
CREATE INDEX passkey_challenge_session_id_idx ON passkey_challenge (session_id);
CREATE INDEX passkey_challenge_expires_at_idx ON passkey_challenge (expires_at);

-- A session that began with a company's sign-in may have fewer rights than its member.
ALTER TABLE user_session
  ADD COLUMN role_limit text,
  ADD CONSTRAINT user_session_role_limit_check
    CHECK (role_limit IN ('owner', 'admin', 'preparer', 'approver', 'developer', 'viewer'));
