-- Every id is a TypeID. COLLATE "C" compares bytes: it keeps the order of the UUIDv7 inside, does
-- not depend on the server's locale, and is the cheapest comparison PostgreSQL has.

-- ── The platform: who a caller is. These tables lead to a tenant, so they cannot begin with one. ──

CREATE TABLE business (
  id                  text COLLATE "C" PRIMARY KEY,
  company_name        text NOT NULL,
  email_domain        text,
  legal_name          text,
  registration_number text,
  country             text,
  address             jsonb,
  website             text,
  industry            text,
  contact_phone       text,
  profile_status      text NOT NULL DEFAULT 'incomplete',
  profile_submitted_at timestamptz(3),
  distinct_approver   boolean NOT NULL DEFAULT false,
  created_at          timestamptz(3) NOT NULL DEFAULT now(),
  updated_at          timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT business_profile_status_check CHECK (profile_status IN ('incomplete', 'submitted', 'accepted'))
);
CREATE UNIQUE INDEX business_email_domain_key ON business (email_domain);

CREATE TABLE tenant (
  id          text COLLATE "C" PRIMARY KEY,
  business_id text COLLATE "C" NOT NULL REFERENCES business (id),
  environment text NOT NULL,
  created_at  timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT tenant_environment_check CHECK (environment IN ('sandbox', 'production'))
);
CREATE UNIQUE INDEX tenant_business_id_environment_key ON tenant (business_id, environment);

CREATE TABLE app_user (
  id         text COLLATE "C" PRIMARY KEY,
  email      text NOT NULL,
  email_key  text NOT NULL,
  first_name text,
  last_name  text,
  -- The business that they registered; null for who was only invited, and so may still register.
  registered_business_id text COLLATE "C" REFERENCES business (id),
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX app_user_email_key_key ON app_user (email_key);

CREATE TABLE membership (
  id          text COLLATE "C" PRIMARY KEY,
  business_id text COLLATE "C" NOT NULL REFERENCES business (id),
  user_id     text COLLATE "C" NOT NULL REFERENCES app_user (id),
  role        text NOT NULL,
  created_at  timestamptz(3) NOT NULL DEFAULT now(),
  -- Kept after the removal: payouts and decisions name it, and who comes back is the same actor.
  removed_at  timestamptz(3),
  CONSTRAINT membership_role_check CHECK (role IN ('owner', 'admin', 'preparer', 'approver', 'developer', 'viewer'))
);
CREATE UNIQUE INDEX membership_business_id_user_id_key ON membership (business_id, user_id);
CREATE INDEX membership_user_id_idx ON membership (user_id);

CREATE TABLE api_key (
  id            text COLLATE "C" PRIMARY KEY,
  tenant_id     text COLLATE "C" NOT NULL REFERENCES tenant (id),
  business_id   text COLLATE "C" NOT NULL REFERENCES business (id),
  membership_id text COLLATE "C" NOT NULL REFERENCES membership (id),
  name          text,
  role          text NOT NULL,
  secret_hash   bytea NOT NULL,
  -- The member who made it; null for a registration and for an operator.
  created_by_membership_id text COLLATE "C" REFERENCES membership (id),
  created_at    timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at  timestamptz(3),
  revoked_at    timestamptz(3),
  CONSTRAINT api_key_role_check CHECK (role IN ('owner', 'admin', 'preparer', 'approver', 'developer', 'viewer'))
);
CREATE INDEX api_key_business_id_idx ON api_key (business_id);

-- Who runs the platform. Their keys are made from the command line and open no tenant.
CREATE TABLE operator_key (
  id           text COLLATE "C" PRIMARY KEY,
  name         text NOT NULL,
  secret_hash  bytea NOT NULL,
  created_at   timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at timestamptz(3),
  revoked_at   timestamptz(3)
);

-- What an operator did, written in the transaction of the change itself.
CREATE TABLE operator_action (
  id              uuid PRIMARY KEY DEFAULT uuidv7(),
  operator_key_id text COLLATE "C" NOT NULL REFERENCES operator_key (id),
  action          text NOT NULL,
  business_id     text COLLATE "C" NOT NULL REFERENCES business (id),
  -- Null for what concerns the business in both.
  environment     text,
  subject_id      text COLLATE "C" NOT NULL,
  reason          text,
  detail          jsonb NOT NULL,
  occurred_at     timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT operator_action_environment_check CHECK (environment IN ('sandbox', 'production'))
);
CREATE INDEX operator_action_operator_key_id_idx ON operator_action (operator_key_id, id);
CREATE INDEX operator_action_business_id_idx ON operator_action (business_id, id);

-- ── Tenant tables. A tenant is one business in one environment; it is the first key everywhere. ──

CREATE TABLE funding_account (
  tenant_id               text COLLATE "C" NOT NULL REFERENCES tenant (id),
  id                      text COLLATE "C" NOT NULL,
  currency                text NOT NULL,
  status                  text NOT NULL,
  available_balance_minor bigint NOT NULL,
  as_of                   timestamptz(3) NOT NULL,
  created_at              timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT funding_account_status_check CHECK (status IN ('active', 'closed')),
  CONSTRAINT funding_account_balance_check CHECK (available_balance_minor >= 0)
);
CREATE UNIQUE INDEX funding_account_tenant_id_key ON funding_account (tenant_id);

CREATE TABLE beneficiary (
  tenant_id                 text COLLATE "C" NOT NULL REFERENCES tenant (id),
  id                        text COLLATE "C" NOT NULL,
  beneficiary_type          text NOT NULL,
  email                     text NOT NULL,
  email_key                 text NOT NULL,
  phone                     text,
  nickname                  text,
  first_name                text,
  last_name                 text,
  country_of_residence      text,
  date_of_birth_ciphertext  bytea,
  business_name             text,
  country_of_incorporation  text,
  registration_number       text,
  tax_id_ciphertext         bytea,
  postal_address            jsonb,
  identity_pending          boolean NOT NULL DEFAULT false,
  compliance_status         text NOT NULL,
  status_before_suspension  text,
  acknowledged_at           timestamptz(3),
  reacknowledgment_required boolean NOT NULL DEFAULT false,
  collection_status         text NOT NULL DEFAULT 'not_invited',
  details_submitted_at      timestamptz(3),
  enrollment_status         text,
  enrolled_bank_account_id  text COLLATE "C",
  -- The deprecated bank_details as they were given, identifiers masked to their last characters.
  masked_bank_details       jsonb,
  transition_count          integer NOT NULL,
  -- Counts the writes: who compared the row with something finds out whether it is still that row.
  revision                  integer NOT NULL DEFAULT 1,
  archived_at               timestamptz(3),
  created_at                timestamptz(3) NOT NULL DEFAULT now(),
  updated_at                timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT beneficiary_type_check CHECK (beneficiary_type IN ('person', 'business')),
  CONSTRAINT beneficiary_compliance_status_check CHECK (compliance_status IN ('pending', 'compliant', 'suspended')),
  CONSTRAINT beneficiary_status_before_suspension_check CHECK (
    (compliance_status = 'suspended') = (status_before_suspension IS NOT NULL)
    AND status_before_suspension IN ('pending', 'compliant')
  ),
  CONSTRAINT beneficiary_collection_status_check CHECK (collection_status IN ('not_invited', 'invited', 'details_submitted')),
  CONSTRAINT beneficiary_enrollment_status_check CHECK (enrollment_status IN ('pending', 'verified', 'rejected', 'suspended', 'closed'))
);
-- The e-mail is freed by archiving (specification 2.1).
CREATE UNIQUE INDEX beneficiary_tenant_id_email_key_key ON beneficiary (tenant_id, email_key) WHERE archived_at IS NULL;

-- What happened to a beneficiary's compliance, with its actor.
CREATE TABLE beneficiary_transition (
  tenant_id      text COLLATE "C" NOT NULL,
  beneficiary_id text COLLATE "C" NOT NULL,
  seq            integer NOT NULL,
  kind           text NOT NULL,
  from_status    text NOT NULL,
  to_status      text NOT NULL,
  actor          jsonb NOT NULL,
  reason         text,
  occurred_at    timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, beneficiary_id, seq),
  FOREIGN KEY (tenant_id, beneficiary_id) REFERENCES beneficiary (tenant_id, id),
  CONSTRAINT beneficiary_transition_kind_check CHECK (
    kind IN ('registered', 'acknowledged', 'reacknowledgment_required', 'suspended', 'reinstated', 'archived')
  )
);

CREATE TABLE bank_account (
  tenant_id             text COLLATE "C" NOT NULL,
  id                    text COLLATE "C" NOT NULL,
  beneficiary_id        text COLLATE "C" NOT NULL,
  version               integer NOT NULL DEFAULT 1,
  account_holder_name   text NOT NULL,
  currency              text NOT NULL,
  country               text NOT NULL,
  bank_name             text,
  account_type          text,
  last4                 text NOT NULL,
  status                text NOT NULL,
  validation_status     text NOT NULL,
  rail_rejection_reason text,
  created_at            timestamptz(3) NOT NULL DEFAULT now(),
  updated_at            timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, beneficiary_id) REFERENCES beneficiary (tenant_id, id),
  CONSTRAINT bank_account_status_check CHECK (status IN ('pending_verification', 'verified')),
  CONSTRAINT bank_account_validation_status_check CHECK (validation_status IN ('unvalidated', 'validated')),
  CONSTRAINT bank_account_account_type_check CHECK (account_type IN ('checking', 'savings'))
);
CREATE INDEX bank_account_tenant_id_beneficiary_id_idx ON bank_account (tenant_id, beneficiary_id, id);

-- Each version of an account's details, identifiers encrypted. A version is never changed, only
-- re-encrypted: a payout names the version it was approved with, so that a later correction of the
-- account redirects nothing.
CREATE TABLE bank_account_version (
  tenant_id              text COLLATE "C" NOT NULL,
  bank_account_id        text COLLATE "C" NOT NULL,
  version                integer NOT NULL,
  account_holder_name    text NOT NULL,
  currency               text NOT NULL,
  country                text NOT NULL,
  bank_name              text,
  account_type           text,
  identifiers_ciphertext bytea NOT NULL,
  created_at             timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, bank_account_id, version),
  FOREIGN KEY (tenant_id, bank_account_id) REFERENCES bank_account (tenant_id, id)
);

-- One registration of a bank account with the provider. At most one is under way for a beneficiary.
CREATE TABLE enrollment (
  tenant_id            text COLLATE "C" NOT NULL,
  id                   text COLLATE "C" NOT NULL,
  beneficiary_id       text COLLATE "C" NOT NULL,
  bank_account_id      text COLLATE "C" NOT NULL,
  bank_account_version integer NOT NULL,
  provider             text NOT NULL,
  status               text NOT NULL,
  recipient_id         text,
  failure_message      text,
  -- The payee as the provider is told, encrypted: a repeated call has the same body as the first,
  -- whatever was changed meanwhile. Emptied once the outcome is known.
  payee_ciphertext     bytea,
  -- What the provider's events say of the recipient, and when by its clock. An event may come before
  -- the answer to our own call.
  standing             text,
  standing_at          timestamptz(3),
  requested_at         timestamptz(3) NOT NULL DEFAULT now(),
  completed_at         timestamptz(3),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, beneficiary_id) REFERENCES beneficiary (tenant_id, id),
  FOREIGN KEY (tenant_id, bank_account_id, bank_account_version)
    REFERENCES bank_account_version (tenant_id, bank_account_id, version),
  CONSTRAINT enrollment_status_check CHECK (status IN ('pending', 'verified', 'rejected', 'suspended', 'closed')),
  CONSTRAINT enrollment_standing_check CHECK (standing IN ('active', 'suspended', 'closed'))
);
CREATE UNIQUE INDEX enrollment_one_pending_key ON enrollment (tenant_id, beneficiary_id) WHERE status = 'pending';
CREATE INDEX enrollment_tenant_id_bank_account_id_idx ON enrollment (tenant_id, bank_account_id, bank_account_version);

-- The transitions that the state machine has (src/domain/payout/machine.ts). A record of any other
-- transition violates its foreign key; 'new' stands for "does not exist yet".
CREATE TABLE payout_permitted_transition (
  from_state text NOT NULL,
  to_state   text NOT NULL,
  PRIMARY KEY (from_state, to_state)
);
INSERT INTO payout_permitted_transition (from_state, to_state) VALUES
  ('new', 'pending_approval'), ('new', 'approved'), ('new', 'compliance_hold'),
  ('pending_approval', 'approved'), ('pending_approval', 'rejected'),
  ('pending_approval', 'canceled'), ('pending_approval', 'compliance_hold'),
  ('compliance_hold', 'pending_approval'), ('compliance_hold', 'rejected'), ('compliance_hold', 'canceled'),
  ('approved', 'disbursed'), ('approved', 'failed'), ('approved', 'canceled'), ('approved', 'compliance_hold'),
  ('disbursed', 'settled'), ('disbursed', 'returned'), ('disbursed', 'failed'),
  ('settled', 'returned');

CREATE TABLE payout (
  tenant_id            text COLLATE "C" NOT NULL,
  id                   text COLLATE "C" NOT NULL,
  beneficiary_id       text COLLATE "C" NOT NULL,
  beneficiary_name     text NOT NULL,
  beneficiary_type     text NOT NULL,
  bank_account_id      text COLLATE "C" NOT NULL,
  -- The details as they were at creation; a later correction of the account redirects nothing.
  bank_account_version integer NOT NULL,
  amount_minor         bigint NOT NULL,
  -- The same amount as a decimal string of major units, exact for every ISO 4217 exponent.
  amount               text NOT NULL,
  currency             text NOT NULL,
  purpose_of_payment   text NOT NULL,
  external_ref         text,
  idempotency_key      text NOT NULL,
  validator_strategy   text NOT NULL,
  metadata             jsonb,
  replaces_payout_id   text COLLATE "C",
  state                text NOT NULL,
  transition_count     integer NOT NULL,
  -- The attempt that may have moved money. It stands on this row so that a cancel and a hand-over
  -- exclude each other by this row's lock alone.
  live_attempt_id      text COLLATE "C",
  provider             text,
  provider_payout_id   text,
  rail_ref             text,
  failure_code         text,
  failure_message      text,
  estimated_arrival_at timestamptz(3),
  estimate_made_at     timestamptz(3),
  estimate_count       integer NOT NULL DEFAULT 0,
  created_by           jsonb NOT NULL,
  created_at           timestamptz(3) NOT NULL DEFAULT now(),
  updated_at           timestamptz(3) NOT NULL DEFAULT now(),
  approved_at          timestamptz(3),
  disbursed_at         timestamptz(3),
  settled_at           timestamptz(3),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, beneficiary_id) REFERENCES beneficiary (tenant_id, id),
  FOREIGN KEY (tenant_id, bank_account_id) REFERENCES bank_account (tenant_id, id),
  FOREIGN KEY (tenant_id, bank_account_id, bank_account_version)
    REFERENCES bank_account_version (tenant_id, bank_account_id, version),
  FOREIGN KEY (tenant_id, replaces_payout_id) REFERENCES payout (tenant_id, id),
  CONSTRAINT payout_state_check CHECK (state IN (
    'pending_approval', 'approved', 'rejected', 'disbursed', 'failed', 'returned', 'canceled', 'settled', 'compliance_hold'
  )),
  CONSTRAINT payout_amount_check CHECK (amount_minor BETWEEN 1 AND 999999999999),
  CONSTRAINT payout_validator_strategy_check CHECK (validator_strategy IN ('manual', 'auto', 'agent'))
);
-- One replacement for a payout (specification 3.6.3).
CREATE UNIQUE INDEX payout_tenant_id_replaces_payout_id_key ON payout (tenant_id, replaces_payout_id)
  WHERE replaces_payout_id IS NOT NULL;
CREATE INDEX payout_tenant_id_beneficiary_id_idx ON payout (tenant_id, beneficiary_id, id);
CREATE INDEX payout_tenant_id_state_idx ON payout (tenant_id, state, id);
-- What an integrator asks after a time-out: was a payout made under this key?
CREATE INDEX payout_tenant_id_idempotency_key_idx ON payout (tenant_id, idempotency_key, id);
CREATE INDEX payout_tenant_id_external_ref_idx ON payout (tenant_id, external_ref, id)
  WHERE external_ref IS NOT NULL;
CREATE INDEX payout_tenant_id_updated_at_idx ON payout (tenant_id, updated_at, id);
-- For the reconciliation, which looks across tenants for payouts that stand still on their way.
CREATE INDEX payout_in_flight_idx ON payout (state, updated_at, tenant_id, id)
  WHERE state IN ('approved', 'disbursed');

-- One record for each transition. The chain is the database's to hold: a record continues its
-- predecessor (same payout, previous seq, from = the predecessor's to), and the payout's state is
-- the to_state of the record that its transition_count names.
CREATE TABLE payout_transition (
  tenant_id    text COLLATE "C" NOT NULL,
  payout_id    text COLLATE "C" NOT NULL,
  seq          integer NOT NULL,
  previous_seq integer,
  from_state   text NOT NULL,
  to_state     text NOT NULL,
  actor        jsonb NOT NULL,
  reason       text,
  -- The disbursement attempt whose outcome this was, where it was one. A hold with an attempt is the
  -- provider's: its release names the attempt.
  attempt_id   text COLLATE "C",
  -- Why, where a later transition depends on it; `reason` is for people.
  cause        text,
  occurred_at  timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, payout_id, seq),
  CONSTRAINT payout_transition_cause_check CHECK (cause IN ('beneficiary_suspended')),
  CONSTRAINT payout_transition_state_key UNIQUE (tenant_id, payout_id, seq, to_state),
  FOREIGN KEY (tenant_id, payout_id) REFERENCES payout (tenant_id, id),
  FOREIGN KEY (from_state, to_state) REFERENCES payout_permitted_transition (from_state, to_state),
  CONSTRAINT payout_transition_chain_fkey FOREIGN KEY (tenant_id, payout_id, previous_seq, from_state)
    REFERENCES payout_transition (tenant_id, payout_id, seq, to_state),
  CONSTRAINT payout_transition_chain_check CHECK (
    (seq = 1 AND previous_seq IS NULL AND from_state = 'new')
    OR (seq > 1 AND previous_seq = seq - 1 AND previous_seq IS NOT NULL AND from_state <> 'new')
  )
);
ALTER TABLE payout ADD CONSTRAINT payout_state_fkey FOREIGN KEY (tenant_id, id, transition_count, state)
  REFERENCES payout_transition (tenant_id, payout_id, seq, to_state);

-- The 24-hour window of a payout's idempotency key. Its payout is inserted by the same statement
-- and payouts are never deleted, so a foreign key would only cost.
CREATE TABLE payout_idempotency (
  tenant_id       text COLLATE "C" NOT NULL,
  idempotency_key text COLLATE "C" NOT NULL,
  payout_id       text COLLATE "C" NOT NULL,
  request_hash    bytea NOT NULL,
  created_at      timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, idempotency_key)
);

CREATE TABLE payout_decision (
  tenant_id      text COLLATE "C" NOT NULL,
  id             text COLLATE "C" NOT NULL,
  payout_id      text COLLATE "C" NOT NULL,
  decision_id    text COLLATE "C" NOT NULL,
  request_hash   bytea NOT NULL,
  status         text NOT NULL,
  reasons        jsonb NOT NULL,
  evaluated_by   jsonb NOT NULL,
  evaluated_at   timestamptz(3) NOT NULL,
  policy_version text,
  agent_version  text,
  confidence     double precision,
  submitted_at   timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, payout_id) REFERENCES payout (tenant_id, id),
  CONSTRAINT payout_decision_status_check CHECK (status IN ('approved', 'rejected', 'pending_review'))
);
CREATE UNIQUE INDEX payout_decision_tenant_id_payout_id_decision_id_key ON payout_decision (tenant_id, payout_id, decision_id);

-- One call to the provider: committed before the call, answered after it.
CREATE TABLE disbursement_attempt (
  tenant_id            text COLLATE "C" NOT NULL,
  id                   text COLLATE "C" NOT NULL,
  payout_id            text COLLATE "C" NOT NULL,
  number               integer NOT NULL,
  provider             text NOT NULL,
  recipient_id         text NOT NULL,
  amount_minor         bigint NOT NULL,
  currency             text NOT NULL,
  bank_account_id      text COLLATE "C" NOT NULL,
  bank_account_version integer NOT NULL,
  status               text NOT NULL,
  provider_payout_id   text,
  failure_code         text,
  failure_message      text,
  key_expires_at       timestamptz(3) NOT NULL,
  calls                integer NOT NULL DEFAULT 0,
  needs_operator       boolean NOT NULL DEFAULT false,
  prepared_at          timestamptz(3) NOT NULL DEFAULT now(),
  -- When the latest call was committed: while `prepared`, that call may still be under way.
  called_at            timestamptz(3) NOT NULL DEFAULT now(),
  submitted_at         timestamptz(3),
  acknowledged_at      timestamptz(3),
  completed_at         timestamptz(3),
  -- When the reconciliation last asked the provider about it.
  looked_up_at         timestamptz(3),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, payout_id) REFERENCES payout (tenant_id, id),
  FOREIGN KEY (tenant_id, bank_account_id, bank_account_version)
    REFERENCES bank_account_version (tenant_id, bank_account_id, version),
  CONSTRAINT disbursement_attempt_status_check CHECK (status IN ('prepared', 'unknown', 'submitted', 'rejected'))
);
CREATE UNIQUE INDEX disbursement_attempt_tenant_id_payout_id_number_key ON disbursement_attempt (tenant_id, payout_id, number);
-- At most one attempt that may have moved money; a new one only after a definite no.
CREATE UNIQUE INDEX disbursement_attempt_one_live_key ON disbursement_attempt (tenant_id, payout_id) WHERE status <> 'rejected';
ALTER TABLE payout_transition ADD CONSTRAINT payout_transition_attempt_fkey FOREIGN KEY (tenant_id, attempt_id)
  REFERENCES disbursement_attempt (tenant_id, id);

-- What the business is told. `discriminator` makes each event unique: empty for once per payout,
-- the attempt's id for once per attempt, the estimate's number for once per change.
CREATE SEQUENCE event_sequence AS bigint;
CREATE TABLE event (
  tenant_id     text COLLATE "C" NOT NULL,
  id            text COLLATE "C" NOT NULL,
  -- Null for a test event alone.
  payout_id     text COLLATE "C",
  type          text NOT NULL,
  discriminator text COLLATE "C" NOT NULL DEFAULT '',
  sequence      bigint NOT NULL DEFAULT nextval('event_sequence'),
  data          jsonb NOT NULL,
  occurred_at   timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, payout_id) REFERENCES payout (tenant_id, id),
  CONSTRAINT event_payout_check CHECK ((payout_id IS NULL) = (type = 'webhook.test'))
);
CREATE UNIQUE INDEX event_once_key ON event (tenant_id, payout_id, type, discriminator);

CREATE TABLE webhook_subscription (
  tenant_id         text COLLATE "C" NOT NULL REFERENCES tenant (id),
  id                text COLLATE "C" NOT NULL,
  url               text NOT NULL,
  enabled_events    text[] NOT NULL,
  enabled           boolean NOT NULL DEFAULT true,
  api_version       text NOT NULL,
  secret_ciphertext bytea NOT NULL,
  created_at        timestamptz(3) NOT NULL DEFAULT now(),
  updated_at        timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX webhook_subscription_tenant_id_key ON webhook_subscription (tenant_id);

-- One event on its way to one subscription; it outlives the subscription as a record.
CREATE TABLE webhook_delivery (
  tenant_id       text COLLATE "C" NOT NULL,
  id              text COLLATE "C" NOT NULL,
  event_id        text COLLATE "C" NOT NULL,
  subscription_id text COLLATE "C" NOT NULL,
  status          text NOT NULL DEFAULT 'pending',
  attempts        integer NOT NULL DEFAULT 0,
  -- Attempts made before the latest redelivery, which has a fresh budget.
  round_start     integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz(3),
  created_at      timestamptz(3) NOT NULL DEFAULT now(),
  completed_at    timestamptz(3),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, event_id) REFERENCES event (tenant_id, id),
  CONSTRAINT webhook_delivery_status_check CHECK (status IN ('pending', 'delivered', 'dead', 'canceled')),
  CONSTRAINT webhook_delivery_next_attempt_check CHECK ((status = 'pending') = (next_attempt_at IS NOT NULL))
);
CREATE INDEX webhook_delivery_tenant_id_event_id_idx ON webhook_delivery (tenant_id, event_id);
CREATE INDEX webhook_delivery_tenant_id_status_idx ON webhook_delivery (tenant_id, status, id);
-- For the sweeper, which looks across tenants for due deliveries whose job was lost.
CREATE INDEX webhook_delivery_due_idx ON webhook_delivery (next_attempt_at) WHERE status = 'pending';

CREATE TABLE webhook_delivery_attempt (
  tenant_id   text COLLATE "C" NOT NULL,
  delivery_id text COLLATE "C" NOT NULL,
  number      integer NOT NULL,
  started_at  timestamptz(3) NOT NULL,
  latency_ms  integer NOT NULL,
  status_code integer,
  answer      text,
  error       text,
  PRIMARY KEY (tenant_id, delivery_id, number),
  FOREIGN KEY (tenant_id, delivery_id) REFERENCES webhook_delivery (tenant_id, id)
);

-- ── Inbound: a provider's event is stored before it is known whose it is. ──

CREATE TABLE provider_event (
  provider    text NOT NULL,
  event_id    text COLLATE "C" NOT NULL,
  event       jsonb NOT NULL,
  status      text NOT NULL DEFAULT 'received',
  tries       integer NOT NULL DEFAULT 0,
  tenant_id   text COLLATE "C",
  subject_id  text COLLATE "C",
  received_at timestamptz(3) NOT NULL DEFAULT now(),
  applied_at  timestamptz(3),
  PRIMARY KEY (provider, event_id),
  CONSTRAINT provider_event_status_check CHECK (status IN ('received', 'applied', 'ignored', 'unmatched'))
);
CREATE INDEX provider_event_open_idx ON provider_event (received_at) WHERE status = 'received';

-- ── The worker: who is alive, so that a dead worker's jobs can be given back. ──

CREATE TABLE worker_heartbeat (
  id         text COLLATE "C" PRIMARY KEY,
  pool_id    text COLLATE "C" NOT NULL,
  hostname   text NOT NULL,
  pid        integer NOT NULL,
  started_at timestamptz(3) NOT NULL DEFAULT now(),
  beat_at    timestamptz(3) NOT NULL DEFAULT now()
);

-- ── Rate limits (src/access/rate-limit/store.ts): one row for each tenant or client address that was
-- active in the last window. UNLOGGED: a commit waits for no disk, and a crash empties the table,
-- which forgives one window. ──

CREATE UNLOGGED TABLE rate_limit (
  scope      text COLLATE "C" PRIMARY KEY,
  used       integer NOT NULL,
  expires_at timestamptz(3) NOT NULL
) WITH (fillfactor = 50);
CREATE INDEX rate_limit_expires_at_idx ON rate_limit (expires_at);
