-- Sign-in of people: members of businesses, and those who run the platform.

-- Who runs the platform and signs in with a browser. They are made from the command line and open no tenant.
CREATE TABLE operator_user (
  id         text COLLATE "C" PRIMARY KEY,
  email      text NOT NULL,
  -- The form in which addresses are compared.
  email_key  text COLLATE "C" NOT NULL,
  name       text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  revoked_at timestamptz(3)
);
CREATE UNIQUE INDEX operator_user_email_key_key ON operator_user (email_key);

-- Somebody asked for a link by which a person signs in. It works once.
CREATE TABLE sign_in_request (
  id               uuid PRIMARY KEY DEFAULT uuidv7(),
  user_id          text COLLATE "C" REFERENCES app_user (id),
  operator_user_id text COLLATE "C" REFERENCES operator_user (id),
  expires_at       timestamptz(3) NOT NULL,
  created_at       timestamptz(3) NOT NULL DEFAULT now(),
  used_at          timestamptz(3),
  CONSTRAINT sign_in_request_person_check CHECK (num_nonnulls(user_id, operator_user_id) = 1)
);
CREATE INDEX sign_in_request_expires_at_idx ON sign_in_request (expires_at);

-- The SHA-256 of each token that a mail carried.
CREATE TABLE sign_in_link (
  token_hash bytea PRIMARY KEY,
  request_id uuid NOT NULL REFERENCES sign_in_request (id) ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX sign_in_link_request_id_idx ON sign_in_link (request_id);

-- A browser in which a person is signed in. A member's works in one environment of one business at a time.
CREATE TABLE user_session (
  id               text COLLATE "C" PRIMARY KEY,
  -- The SHA-256 of the token in the cookie.
  token_hash       bytea NOT NULL,
  user_id          text COLLATE "C" REFERENCES app_user (id),
  operator_user_id text COLLATE "C" REFERENCES operator_user (id),
  membership_id    text COLLATE "C" REFERENCES membership (id),
  environment      text,
  signed_in_by     text NOT NULL,
  user_agent       text,
  -- The network of the client: of IPv6 the /64, of IPv4 the /24.
  network          text,
  created_at       timestamptz(3) NOT NULL DEFAULT now(),
  last_seen_at     timestamptz(3) NOT NULL DEFAULT now(),
  -- However busy it is, it ends then.
  expires_at       timestamptz(3) NOT NULL,
  revoked_at       timestamptz(3),
  CONSTRAINT user_session_person_check CHECK (num_nonnulls(user_id, operator_user_id) = 1),
  CONSTRAINT user_session_place_check
    CHECK ((user_id IS NULL) = (membership_id IS NULL) AND (user_id IS NULL) = (environment IS NULL)),
  CONSTRAINT user_session_environment_check CHECK (environment IN ('sandbox', 'production')),
  CONSTRAINT user_session_signed_in_by_check CHECK (signed_in_by IN ('link', 'invitation', 'passkey', 'oidc'))
);
CREATE UNIQUE INDEX user_session_token_hash_key ON user_session (token_hash);
CREATE INDEX user_session_user_id_idx ON user_session (user_id, id);
CREATE INDEX user_session_operator_user_id_idx ON user_session (operator_user_id, id);
CREATE INDEX user_session_membership_id_idx ON user_session (membership_id, id);
CREATE INDEX user_session_expires_at_idx ON user_session (expires_at);

-- What an operator did who was signed in.
ALTER TABLE operator_action
  ALTER COLUMN operator_key_id DROP NOT NULL,
  ADD COLUMN operator_user_id text COLLATE "C" REFERENCES operator_user (id),
  ADD CONSTRAINT operator_action_operator_check CHECK (num_nonnulls(operator_key_id, operator_user_id) = 1);
CREATE INDEX operator_action_operator_user_id_idx ON operator_action (operator_user_id, id);

-- Beside a key the service may name a person who signs in; a login role still not.
ALTER POLICY names_a_key ON ops.action_log
  WITH CHECK (EXISTS (SELECT 1 FROM public.operator_key k WHERE k.id = who)
    OR EXISTS (SELECT 1 FROM public.operator_user u WHERE u.id = who));
ALTER POLICY names_a_key ON ops.order_confirmation
  WITH CHECK (answered_by IS NULL OR EXISTS (SELECT 1 FROM public.operator_key k WHERE k.id = answered_by)
    OR EXISTS (SELECT 1 FROM public.operator_user u WHERE u.id = answered_by));
ALTER POLICY still_names_a_key ON ops.order_confirmation
  WITH CHECK (answered_by IS NULL OR EXISTS (SELECT 1 FROM public.operator_key k WHERE k.id = answered_by)
    OR EXISTS (SELECT 1 FROM public.operator_user u WHERE u.id = answered_by));
