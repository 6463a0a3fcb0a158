-- Changes that decide where money or secrets go, and that wait until a second person confirms them.
CREATE TABLE proposed_change (
  tenant_id          text COLLATE "C" NOT NULL REFERENCES tenant (id),
  id                 text COLLATE "C" NOT NULL,
  kind               text COLLATE "C" NOT NULL,
  -- What is to change: a connection, a membership, a webhook subscription; the business where that is not there yet.
  subject_id         text COLLATE "C" NOT NULL,
  -- What the second person reads, without secrets: {before, after}.
  shown              jsonb NOT NULL,
  -- SHA-256 of the payload, which has a random part, so that nobody finds out a secret by it.
  digest             bytea NOT NULL,
  -- What is carried out, with its secrets. It is emptied with the answer.
  payload_ciphertext bytea,
  reason             text,
  -- An operator's key or user, or a user of the business.
  proposed_by        text COLLATE "C" NOT NULL,
  proposed_at        timestamptz(3) NOT NULL DEFAULT now(),
  expires_at         timestamptz(3) NOT NULL,
  status             text COLLATE "C" NOT NULL DEFAULT 'waiting',
  -- Why a stale one cannot be carried out any more.
  problem            text,
  -- Null where nobody answered in time.
  answered_by        text COLLATE "C",
  answered_at        timestamptz(3),
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT proposed_change_kind_check CHECK (kind IN (
    'bank_connect', 'bank_connection_change', 'routes_replace', 'production_key', 'webhook_address'
  )),
  CONSTRAINT proposed_change_status_check CHECK (status IN (
    'waiting', 'confirmed', 'declined', 'stale', 'replaced', 'expired'
  )),
  CONSTRAINT proposed_change_digest_check CHECK (octet_length(digest) = 32),
  CONSTRAINT proposed_change_payload_check CHECK ((status = 'waiting') = (payload_ciphertext IS NOT NULL)),
  CONSTRAINT proposed_change_answered_check CHECK ((status = 'waiting') = (answered_at IS NULL)),
  CONSTRAINT proposed_change_problem_check CHECK ((status = 'stale') = (problem IS NOT NULL))
);
CREATE INDEX proposed_change_waiting_idx ON proposed_change (tenant_id, kind, id) WHERE status = 'waiting';

-- What the settings of the workers say and SQL has to know: one row, written by each worker's heartbeat.
CREATE TABLE installation (
  one             boolean PRIMARY KEY DEFAULT true CHECK (one),
  second_operator boolean NOT NULL,
  noted_at        timestamptz(3) NOT NULL DEFAULT now()
);

ALTER TABLE access_change
  DROP CONSTRAINT access_change_kind_check,
  ADD CONSTRAINT access_change_kind_check CHECK (kind IN (
    'business_registered', 'settings_changed', 'member_invited', 'member_invitation_sent', 'member_accepted',
    'member_role_changed', 'member_removed', 'member_sessions_revoked', 'key_created', 'key_revoked',
    'bank_connected', 'bank_connection_changed', 'routes_replaced', 'webhook_address_proposed', 'webhook_address_changed'
  ));
