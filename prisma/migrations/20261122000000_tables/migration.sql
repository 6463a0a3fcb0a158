-- Every id is a TypeID. COLLATE "C" compares bytes: it keeps the order of the UUIDv7 inside, does
-- not depend on the server's locale, and is the cheapest comparison PostgreSQL has.

-- ── Businesses, members and keys: who a caller is. The tenant is found through these tables, so their
-- keys cannot begin with one. ──

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
  -- If true, the creator of a payout may not approve it.
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
  -- The business that this user registered. Null for a user who was only invited and may still register one.
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
  -- When the member proved that the invited mailbox is theirs. Until then it is null, and their keys do not work.
  accepted_at timestamptz(3),
  -- The row stays after the removal: payouts and decisions name it, and a member who returns is the same actor.
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
  -- The member who made the key. Null where a registration or an operator made it.
  created_by_membership_id text COLLATE "C" REFERENCES membership (id),
  created_at    timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at  timestamptz(3),
  revoked_at    timestamptz(3),
  CONSTRAINT api_key_role_check CHECK (role IN ('owner', 'admin', 'preparer', 'approver', 'developer', 'viewer')),
  -- A key acts for its member only where that member made or accepted it.
  CONSTRAINT api_key_created_by_check
    CHECK (created_by_membership_id IS NULL OR created_by_membership_id = membership_id OR revoked_at IS NOT NULL)
);
CREATE INDEX api_key_business_id_idx ON api_key (business_id);

-- A one-time way for a member to get a key of their own, in the environment of one tenant. Its first use
-- accepts the membership.
CREATE TABLE member_invitation (
  id            uuid PRIMARY KEY DEFAULT uuidv7(),
  business_id   text COLLATE "C" NOT NULL REFERENCES business (id),
  membership_id text COLLATE "C" NOT NULL REFERENCES membership (id),
  tenant_id     text COLLATE "C" NOT NULL REFERENCES tenant (id),
  status        text NOT NULL DEFAULT 'live',
  invited_by    jsonb NOT NULL,
  expires_at    timestamptz(3) NOT NULL,
  created_at    timestamptz(3) NOT NULL DEFAULT now(),
  closed_at     timestamptz(3),
  CONSTRAINT member_invitation_status_check CHECK (status IN ('live', 'accepted', 'superseded', 'canceled')),
  CONSTRAINT member_invitation_closed_at_check CHECK ((status = 'live') = (closed_at IS NULL))
);
CREATE UNIQUE INDEX member_invitation_live_key ON member_invitation (membership_id, tenant_id) WHERE status = 'live';
CREATE INDEX member_invitation_membership_id_idx ON member_invitation (membership_id, id);

-- The SHA-256 of each token that a mail carried.
CREATE TABLE member_link (
  token_hash    bytea PRIMARY KEY,
  invitation_id uuid NOT NULL REFERENCES member_invitation (id),
  created_at    timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX member_link_invitation_id_idx ON member_link (invitation_id);

-- What changed about a business's settings, members and keys, and who changed it: written in the
-- statement of the change itself, and never changed.
CREATE TABLE access_change (
  id          uuid PRIMARY KEY DEFAULT uuidv7(),
  business_id text COLLATE "C" NOT NULL REFERENCES business (id),
  -- Of the key that made the change, or that was made.
  environment text NOT NULL,
  kind        text NOT NULL,
  -- The membership, the API key or the business that changed.
  subject_id  text COLLATE "C" NOT NULL,
  actor       jsonb NOT NULL,
  before      jsonb,
  after       jsonb,
  occurred_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT access_change_environment_check CHECK (environment IN ('sandbox', 'production')),
  CONSTRAINT access_change_kind_check CHECK (kind IN (
    'business_registered', 'settings_changed', 'member_invited', 'member_invitation_sent', 'member_accepted',
    'member_role_changed', 'member_removed', 'key_created', 'key_revoked'
  ))
);
CREATE INDEX access_change_business_id_idx ON access_change (business_id, id);

CREATE FUNCTION refuse_change() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'A record of what happened is not changed and not deleted.' USING ERRCODE = 'insufficient_privilege';
END
$$;
-- A rule binds every role, the owner of the table included.
CREATE RULE access_change_no_update AS ON UPDATE TO access_change DO INSTEAD SELECT refuse_change();
CREATE RULE access_change_no_delete AS ON DELETE TO access_change DO INSTEAD SELECT refuse_change();

-- The keys of the people who run the platform. They are made from the command line and open no tenant.
CREATE TABLE operator_key (
  id           text COLLATE "C" PRIMARY KEY,
  name         text NOT NULL,
  secret_hash  bytea NOT NULL,
  created_at   timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at timestamptz(3),
  revoked_at   timestamptz(3)
);

-- What an operator did over GraphQL, written in the transaction of the change itself.
CREATE TABLE operator_action (
  id              uuid PRIMARY KEY DEFAULT uuidv7(),
  operator_key_id text COLLATE "C" NOT NULL REFERENCES operator_key (id),
  action          text NOT NULL,
  business_id     text COLLATE "C" NOT NULL REFERENCES business (id),
  -- Null for an action that concerns the business in both environments.
  environment     text,
  subject_id      text COLLATE "C" NOT NULL,
  reason          text,
  detail          jsonb NOT NULL,
  occurred_at     timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT operator_action_environment_check CHECK (environment IN ('sandbox', 'production'))
);
CREATE INDEX operator_action_operator_key_id_idx ON operator_action (operator_key_id, id);
CREATE INDEX operator_action_business_id_idx ON operator_action (business_id, id);

-- ── Tenant tables. A tenant is one business in one environment. It is the first column of every key. ──

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

-- ── Beneficiaries, their bank accounts, and the enrollment of these with a provider. ──

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
  -- The deprecated field bank_details as it was given, with identifiers masked to their last characters.
  masked_bank_details       jsonb,
  transition_count          integer NOT NULL,
  -- Grows with each write: a command that read the row writes only if the number is still the same.
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
-- Archiving a beneficiary frees its e-mail address.
CREATE UNIQUE INDEX beneficiary_tenant_id_email_key_key ON beneficiary (tenant_id, email_key) WHERE archived_at IS NULL;

-- What happened to a beneficiary, and who did it.
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
    kind IN (
      'registered', 'acknowledged', 'reacknowledgment_required', 'suspended', 'reinstated', 'archived',
      'invited', 'invite_canceled', 'invite_expired', 'details_submitted'
    )
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
  -- The payee as sent to the provider, encrypted. A repeated call has the same body as the first, even
  -- if the beneficiary changed in between. Emptied once the outcome is known.
  payee_ciphertext     bytea,
  -- The status of the recipient in the provider's events, and the provider's time of it. An event may
  -- come before the answer to the service's own call.
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

-- ── Collection: a beneficiary gives its own details through a hosted form. ──

CREATE TABLE collection_request (
  tenant_id        text COLLATE "C" NOT NULL,
  id               uuid NOT NULL,
  beneficiary_id   text COLLATE "C" NOT NULL,
  scope            text NOT NULL,
  -- 'live' until something ends it. Past expires_at it counts as ended, even before a job writes 'expired'.
  status           text NOT NULL DEFAULT 'live',
  expires_at       timestamptz(3) NOT NULL,
  -- What the payee entered and has not submitted, encrypted. Emptied when the request ends.
  draft_ciphertext bytea,
  mail_status      text NOT NULL DEFAULT 'pending',
  mail_attempts    integer NOT NULL DEFAULT 0,
  mail_error       text,
  mailed_at        timestamptz(3),
  created_by       jsonb NOT NULL,
  created_at       timestamptz(3) NOT NULL DEFAULT now(),
  closed_at        timestamptz(3),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, beneficiary_id) REFERENCES beneficiary (tenant_id, id),
  CONSTRAINT collection_request_scope_check CHECK (scope IN ('full_onboarding', 'bank_details', 'tax_documents')),
  CONSTRAINT collection_request_status_check CHECK (status IN ('live', 'submitted', 'canceled', 'superseded', 'expired')),
  CONSTRAINT collection_request_mail_status_check CHECK (mail_status IN ('pending', 'sent', 'dead')),
  CONSTRAINT collection_request_closed_check CHECK ((status = 'live') = (closed_at IS NULL)),
  CONSTRAINT collection_request_draft_check CHECK (status = 'live' OR draft_ciphertext IS NULL)
);
-- Only the latest invitation has a link that works.
CREATE UNIQUE INDEX collection_request_one_live_key ON collection_request (tenant_id, beneficiary_id)
  WHERE status = 'live';
CREATE INDEX collection_request_tenant_id_beneficiary_id_idx ON collection_request (tenant_id, beneficiary_id, id);
-- For the job that ends expired links, which looks across tenants.
CREATE INDEX collection_request_expiry_idx ON collection_request (expires_at) WHERE status = 'live';
-- For operators, who look across tenants: mails whose last attempt failed are rare.
CREATE INDEX collection_request_dead_mail_idx ON collection_request (tenant_id, id) WHERE mail_status = 'dead';

-- The SHA-256 of each token of a request; each attempt to send its mail makes a token. The tenant is
-- found through this table, so its key cannot begin with one.
CREATE TABLE collection_link (
  token_hash bytea PRIMARY KEY,
  tenant_id  text COLLATE "C" NOT NULL,
  request_id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  FOREIGN KEY (tenant_id, request_id) REFERENCES collection_request (tenant_id, id)
);
CREATE INDEX collection_link_tenant_id_request_id_idx ON collection_link (tenant_id, request_id);

-- The content is encrypted under a key of its own, and that key under the keyring: a rotation rewrites a
-- few bytes instead of ten megabytes.
CREATE TABLE tax_document (
  tenant_id              text COLLATE "C" NOT NULL,
  id                     text COLLATE "C" NOT NULL,
  beneficiary_id         text COLLATE "C" NOT NULL,
  collection_request_id  uuid NOT NULL,
  form_type              text NOT NULL,
  content_type           text NOT NULL,
  size_bytes             integer NOT NULL,
  content                bytea NOT NULL,
  content_key_ciphertext bytea NOT NULL,
  created_at             timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, beneficiary_id) REFERENCES beneficiary (tenant_id, id),
  FOREIGN KEY (tenant_id, collection_request_id) REFERENCES collection_request (tenant_id, id),
  CONSTRAINT tax_document_form_type_check CHECK (form_type IN ('w9', 'w8ben', 'w8bene', 'other')),
  CONSTRAINT tax_document_content_type_check CHECK (content_type IN ('application/pdf', 'image/png', 'image/jpeg'))
);
-- Ciphertext does not compress. It is stored out of line, so that reading the other columns is cheap.
ALTER TABLE tax_document ALTER COLUMN content SET STORAGE EXTERNAL;
CREATE INDEX tax_document_tenant_id_beneficiary_id_idx ON tax_document (tenant_id, beneficiary_id, id);

-- ── Payouts and decisions. ──

-- The transitions of the state machine (src/domain/payout/machine.ts). A record of any other transition
-- violates its foreign key. 'new' stands for a payout that does not exist yet.
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
  -- The details as they were at creation: a later correction of the account redirects no payout.
  bank_account_version integer NOT NULL,
  amount_minor         bigint NOT NULL,
  -- The same amount as a decimal string of major units, exact for every ISO 4217 exponent.
  amount               text NOT NULL,
  currency             text NOT NULL,
  purpose_of_payment   text NOT NULL,
  external_ref         text,
  idempotency_key      text NOT NULL,
  validator_strategy   text NOT NULL,
  -- Whether the business demanded a distinct approver when the payout was created: it stays so for good.
  distinct_approver    boolean NOT NULL DEFAULT false,
  metadata             jsonb,
  replaces_payout_id   text COLLATE "C",
  state                text NOT NULL,
  transition_count     integer NOT NULL,
  -- The attempt that may have moved money. The column is here and not in the attempt, so that the lock of
  -- this row alone keeps a cancel and a hand-over apart.
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
  -- Read from the clock by the statement that changes the row, which holds the lock of the table by
  -- then: callers that poll for changes rely on that order (src/domain/payout/updated-since.ts).
  updated_at           timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
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
-- A payout has one replacement at most.
CREATE UNIQUE INDEX payout_tenant_id_replaces_payout_id_key ON payout (tenant_id, replaces_payout_id)
  WHERE replaces_payout_id IS NOT NULL;
CREATE INDEX payout_tenant_id_beneficiary_id_idx ON payout (tenant_id, beneficiary_id, id);
CREATE INDEX payout_tenant_id_state_idx ON payout (tenant_id, state, id);
-- For the integrator who asks after a time-out whether a payout was made under this key.
CREATE INDEX payout_tenant_id_idempotency_key_idx ON payout (tenant_id, idempotency_key, id);
CREATE INDEX payout_tenant_id_external_ref_idx ON payout (tenant_id, external_ref, id)
  WHERE external_ref IS NOT NULL;
CREATE INDEX payout_tenant_id_updated_at_idx ON payout (tenant_id, updated_at, id);
-- For the reconciliation, which looks across tenants for payouts that make no progress.
CREATE INDEX payout_in_flight_idx ON payout (state, updated_at, tenant_id, id)
  WHERE state IN ('approved', 'disbursed');

-- One record for each transition. The database holds the chain: a record continues its predecessor (same
-- payout, previous seq, from_state = the predecessor's to_state), and the payout's state is the to_state
-- of the record that its transition_count names.
CREATE TABLE payout_transition (
  tenant_id    text COLLATE "C" NOT NULL,
  payout_id    text COLLATE "C" NOT NULL,
  seq          integer NOT NULL,
  previous_seq integer,
  from_state   text NOT NULL,
  to_state     text NOT NULL,
  actor        jsonb NOT NULL,
  reason       text,
  -- The disbursement attempt whose outcome caused the transition, if one did. A hold that names an attempt
  -- was placed by the provider, and its release names the attempt.
  attempt_id   text COLLATE "C",
  -- The reason in a form that a later transition depends on; `reason` is for people.
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

-- The 24-hour window of a payout's idempotency key. The payout is inserted by the same statement and
-- payouts are never deleted, so a foreign key would cost and protect nothing.
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
  -- Whom the decision names, and who submitted it.
  evaluated_by   jsonb NOT NULL,
  submitted_by   jsonb NOT NULL,
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

-- ── Disbursement: attempts, and what providers say. ──

-- One disbursement through a provider. The row is committed before the call, and its outcome after it.
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
  -- When the latest call was committed. While the status is `prepared`, that call may still be under way.
  called_at            timestamptz(3) NOT NULL DEFAULT now(),
  submitted_at         timestamptz(3),
  acknowledged_at      timestamptz(3),
  completed_at         timestamptz(3),
  -- When the reconciliation last asked the provider about it.
  looked_up_at         timestamptz(3),
  -- By the provider's clock: the newest time at which it said that money was on its way or had arrived,
  -- and the earliest at which it said that the payment failed or was returned. After that no money moves.
  paid_told_at         timestamptz(3),
  ended_told_at        timestamptz(3),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, payout_id) REFERENCES payout (tenant_id, id),
  FOREIGN KEY (tenant_id, bank_account_id, bank_account_version)
    REFERENCES bank_account_version (tenant_id, bank_account_id, version),
  CONSTRAINT disbursement_attempt_status_check CHECK (status IN ('prepared', 'unknown', 'submitted', 'rejected'))
);
CREATE UNIQUE INDEX disbursement_attempt_tenant_id_payout_id_number_key ON disbursement_attempt (tenant_id, payout_id, number);
-- At most one attempt may have moved money. A new one needs a definite refusal of the one before.
CREATE UNIQUE INDEX disbursement_attempt_one_live_key ON disbursement_attempt (tenant_id, payout_id) WHERE status <> 'rejected';
-- One payment of a provider belongs to one attempt: an answer, or an operator's order, that names the
-- payment of another attempt is refused.
CREATE UNIQUE INDEX disbursement_attempt_provider_payout_id_key
  ON disbursement_attempt (tenant_id, provider, provider_payout_id) WHERE provider_payout_id IS NOT NULL;
-- For operators: attempts that wait for a person are rare.
CREATE INDEX disbursement_attempt_needs_operator_idx ON disbursement_attempt (tenant_id, id) WHERE needs_operator;
ALTER TABLE payout_transition ADD CONSTRAINT payout_transition_attempt_fkey FOREIGN KEY (tenant_id, attempt_id)
  REFERENCES disbursement_attempt (tenant_id, id);

-- A provider's event is stored before it is known which tenant it concerns.
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
-- For the job that deletes what has expired.
CREATE INDEX provider_event_closed_idx ON provider_event (received_at) WHERE status <> 'received';
-- For operators: events that match nothing are rare, and those of one payout are few among all.
CREATE INDEX provider_event_unmatched_idx ON provider_event (received_at) WHERE status = 'unmatched';
CREATE INDEX provider_event_subject_id_idx ON provider_event (subject_id) WHERE subject_id IS NOT NULL;

-- Something that a provider said that disagrees with what it was asked to pay, or with what it said before.
CREATE TABLE provider_contradiction (
  tenant_id   text COLLATE "C" NOT NULL REFERENCES tenant (id),
  id          uuid NOT NULL DEFAULT uuidv7(),
  -- The attempt or the enrollment that the contradiction is about.
  subject_id  text COLLATE "C" NOT NULL,
  -- The attempt's payout; null for an enrollment.
  payout_id   text COLLATE "C",
  provider    text NOT NULL,
  kind        text NOT NULL,
  -- Amounts, codes, ids and times only: a provider's free text may hold a payee's data.
  said        text NOT NULL,
  expected    text NOT NULL,
  source      text NOT NULL,
  -- The provider's id of the event that said it.
  event_id    text,
  noticed_at  timestamptz(3) NOT NULL DEFAULT now(),
  -- What a person found; null until somebody has examined it.
  finding     text,
  examined_at timestamptz(3),
  -- The line of ops.action_log that says who, why and on what evidence.
  action_id   uuid,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, payout_id) REFERENCES payout (tenant_id, id),
  CONSTRAINT provider_contradiction_kind_check CHECK (kind IN
    ('amount', 'currency', 'reference', 'payment', 'second_payment', 'payment_of_another', 'missing', 'refused', 'outcome', 'recipient')),
  CONSTRAINT provider_contradiction_source_check CHECK (source IN ('submission', 'look_up', 'event', 'enrollment')),
  CONSTRAINT provider_contradiction_finding_check CHECK (finding IN ('as_recorded', 'paid_otherwise')),
  CONSTRAINT provider_contradiction_examined_check
    CHECK ((finding IS NULL) = (examined_at IS NULL) AND (finding IS NULL) = (action_id IS NULL))
);
-- A provider that repeats itself makes one contradiction.
CREATE UNIQUE INDEX provider_contradiction_once_key ON provider_contradiction (tenant_id, subject_id, kind, said);
CREATE INDEX provider_contradiction_tenant_id_payout_id_idx ON provider_contradiction (tenant_id, payout_id);
CREATE INDEX provider_contradiction_open_idx ON provider_contradiction (tenant_id, id) WHERE finding IS NULL;

-- ── Events and webhooks. ──

-- What subscribers are told. `discriminator` makes each event unique: it is empty for an event that a
-- payout has once, the attempt's id for one that each attempt has, and the estimate's number for one that
-- each new estimate has.
CREATE SEQUENCE event_sequence AS bigint;
CREATE TABLE event (
  tenant_id     text COLLATE "C" NOT NULL,
  id            text COLLATE "C" NOT NULL,
  -- Null only for a test event.
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

-- One event on its way to one subscription. The row outlives the subscription as a record.
CREATE TABLE webhook_delivery (
  tenant_id       text COLLATE "C" NOT NULL,
  id              text COLLATE "C" NOT NULL,
  event_id        text COLLATE "C" NOT NULL,
  -- The event's type, repeated here: a list filtered by type finds rare types without reading each event.
  event_type      text NOT NULL DEFAULT '',
  subscription_id text COLLATE "C" NOT NULL,
  status          text NOT NULL DEFAULT 'pending',
  attempts        integer NOT NULL DEFAULT 0,
  -- The attempts made before the latest redelivery, which has a full number of attempts of its own.
  round_start     integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz(3),
  -- When a redelivery of a window planned the attempt. Null for all others, which go first.
  replay_at       timestamptz(3),
  created_at      timestamptz(3) NOT NULL DEFAULT now(),
  completed_at    timestamptz(3),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, event_id) REFERENCES event (tenant_id, id),
  CONSTRAINT webhook_delivery_status_check CHECK (status IN ('pending', 'delivered', 'dead', 'canceled')),
  CONSTRAINT webhook_delivery_next_attempt_check CHECK ((status = 'pending') = (next_attempt_at IS NOT NULL))
);
CREATE INDEX webhook_delivery_tenant_id_event_id_idx ON webhook_delivery (tenant_id, event_id);
CREATE INDEX webhook_delivery_tenant_id_status_idx ON webhook_delivery (tenant_id, status, id);
-- Of type and status either may be the rare one, which a prepared plan cannot know: hence both indexes.
CREATE INDEX webhook_delivery_tenant_id_event_type_idx ON webhook_delivery (tenant_id, event_type, id);
CREATE INDEX webhook_delivery_tenant_id_event_type_status_idx ON webhook_delivery (tenant_id, event_type, status, id);
-- Finds the end of a tenant's replay, so that the next replay follows it.
CREATE INDEX webhook_delivery_replay_idx ON webhook_delivery (tenant_id, replay_at)
  WHERE status = 'pending' AND replay_at IS NOT NULL;
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

-- ── Exports that a job writes. ──

CREATE TABLE export_schedule (
  tenant_id   text COLLATE "C" NOT NULL REFERENCES tenant (id),
  id          uuid NOT NULL DEFAULT uuidv7(),
  kind        text NOT NULL,
  -- The query parameters of the export's endpoint, for example {"state": ["settled"]}.
  filter      jsonb NOT NULL DEFAULT '{}',
  every       interval NOT NULL,
  next_run_at timestamptz(3) NOT NULL,
  created_by  text NOT NULL,
  created_at  timestamptz(3) NOT NULL DEFAULT now(),
  ended_at    timestamptz(3),
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT export_schedule_kind_check CHECK (kind IN ('transactions', 'beneficiaries')),
  -- No part is negative: an interval such as '1 month -29 days' may step backwards.
  CONSTRAINT export_schedule_every_check CHECK (
    every BETWEEN interval '1 hour' AND interval '10 years'
    AND least(
      extract(year FROM every), extract(month FROM every), extract(day FROM every),
      extract(hour FROM every), extract(minute FROM every), extract(second FROM every)
    ) >= 0
  )
);
-- For the job that starts what is due, which looks across tenants.
CREATE INDEX export_schedule_due_idx ON export_schedule (next_run_at) WHERE ended_at IS NULL;

CREATE TABLE export (
  tenant_id    text COLLATE "C" NOT NULL REFERENCES tenant (id),
  id           text COLLATE "C" NOT NULL,
  kind         text NOT NULL,
  filter       jsonb NOT NULL DEFAULT '{}',
  filename     text NOT NULL,
  status       text NOT NULL DEFAULT 'pending',
  -- The run of the job that wrote the chunks. A run that died left chunks of an older generation.
  generation   integer NOT NULL DEFAULT 0,
  row_count    bigint NOT NULL DEFAULT 0,
  byte_count   bigint NOT NULL DEFAULT 0,
  error        text,
  schedule_id  uuid,
  requested_by jsonb NOT NULL,
  created_at   timestamptz(3) NOT NULL DEFAULT now(),
  started_at   timestamptz(3),
  completed_at timestamptz(3),
  expires_at   timestamptz(3),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, schedule_id) REFERENCES export_schedule (tenant_id, id),
  CONSTRAINT export_kind_check CHECK (kind IN ('transactions', 'beneficiaries')),
  CONSTRAINT export_status_check CHECK (status IN ('pending', 'running', 'completed', 'failed', 'expired'))
);
-- For the jobs that look across tenants for expired files and for exports that make no progress.
CREATE INDEX export_expiry_idx ON export (expires_at) WHERE status = 'completed';
CREATE INDEX export_live_idx ON export (tenant_id, created_at) WHERE status IN ('pending', 'running');

-- The file in pieces of 1 MiB, so that the pieces of a range follow from their numbers.
CREATE TABLE export_chunk (
  tenant_id  text COLLATE "C" NOT NULL,
  export_id  text COLLATE "C" NOT NULL,
  generation integer NOT NULL,
  seq        integer NOT NULL,
  content    bytea NOT NULL,
  PRIMARY KEY (tenant_id, export_id, generation, seq),
  FOREIGN KEY (tenant_id, export_id) REFERENCES export (tenant_id, id)
);
-- Not compressed: the server's compression is slower than the COPY that fills the pieces.
ALTER TABLE export_chunk ALTER COLUMN content SET STORAGE EXTERNAL;

-- ── The worker: which processes live, so that the jobs of a dead one are given back; and what they did,
-- since graphile-worker forgets a job that has ended. ──

CREATE TABLE worker_heartbeat (
  id         text COLLATE "C" PRIMARY KEY,
  pool_id    text COLLATE "C" NOT NULL,
  hostname   text NOT NULL,
  pid        integer NOT NULL,
  started_at timestamptz(3) NOT NULL DEFAULT now(),
  beat_at    timestamptz(3) NOT NULL DEFAULT now(),
  -- How soon the next heartbeat follows, in milliseconds.
  beat_ms    integer NOT NULL DEFAULT 5000,
  -- The state of the worker's circuit breaker for each provider.
  circuits   jsonb NOT NULL DEFAULT '{}'
);

CREATE TABLE job_run (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  job_id       bigint NOT NULL,
  task         text NOT NULL,
  tenant_id    text COLLATE "C",
  -- The id of the payout, delivery, enrollment … that the job is about.
  subject_id   text COLLATE "C",
  attempt      integer NOT NULL,
  max_attempts integer NOT NULL,
  outcome      text NOT NULL,
  error        text,
  worker_id    text COLLATE "C",
  run_at       timestamptz(3) NOT NULL,
  started_at   timestamptz(3) NOT NULL,
  ended_at     timestamptz(3) NOT NULL,
  CONSTRAINT job_run_outcome_check CHECK (outcome IN ('succeeded', 'failed', 'canceled'))
);
CREATE INDEX job_run_ended_at_idx ON job_run (ended_at);
CREATE INDEX job_run_subject_id_idx ON job_run (subject_id, id) WHERE subject_id IS NOT NULL;

-- A task that workers do not start. Every worker notices within seconds.
CREATE TABLE paused_task (
  task      text PRIMARY KEY,
  paused_by text NOT NULL,
  reason    text NOT NULL,
  paused_at timestamptz(3) NOT NULL DEFAULT now()
);

-- ── Rate limits (src/access/rate-limit/store.ts): one row for each tenant or client address of the last
-- window. UNLOGGED, so that a commit waits for no disk; a crash empties the table and forgets one window. ──

CREATE UNLOGGED TABLE rate_limit (
  scope      text COLLATE "C" PRIMARY KEY,
  used       integer NOT NULL,
  expires_at timestamptz(3) NOT NULL
) WITH (fillfactor = 50);
CREATE INDEX rate_limit_expires_at_idx ON rate_limit (expires_at);

-- ── Operators in psql. Their views and functions are made by the files in prisma/repeatable. ──

-- The migrating role needs CREATEROLE for the two group roles. Roles belong to the cluster: another of
-- its databases may have made them, even at the same moment.

DO $$
BEGIN
  BEGIN
    CREATE ROLE ops_read NOLOGIN;
  EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
  END;
  BEGIN
    CREATE ROLE ops_operate NOLOGIN;
  EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
  END;
  IF NOT pg_has_role('ops_operate', 'ops_read', 'MEMBER') THEN
    BEGIN
      GRANT ops_read TO ops_operate;
    EXCEPTION WHEN unique_violation OR internal_error THEN NULL; -- granted at the same moment
    END;
  END IF;
END
$$;

CREATE SCHEMA ops;
REVOKE ALL ON SCHEMA ops FROM PUBLIC;
GRANT USAGE ON SCHEMA ops TO ops_read, ops_operate;

-- What operators did, in SQL and over GraphQL. The line is added in the transaction of the change itself.
CREATE TABLE ops.action_log (
  id         uuid PRIMARY KEY DEFAULT uuidv7(),
  at         timestamptz(3) NOT NULL DEFAULT now(),
  -- session_user is the person's login role, in a SECURITY DEFINER function too.
  who        text NOT NULL DEFAULT session_user,
  action     text NOT NULL,
  tenant_id  text COLLATE "C",
  subject_id text COLLATE "C",
  reason     text NOT NULL,
  detail     jsonb NOT NULL DEFAULT '{}',
  affected   integer NOT NULL,
  -- The result of an action that the worker carries out; null until it has done so.
  outcome    text,
  outcome_at timestamptz(3)
);
CREATE INDEX action_log_subject_id_idx ON ops.action_log (subject_id, id) WHERE subject_id IS NOT NULL;

-- The tasks of the worker. prisma/repeatable fills the table.
CREATE TABLE ops.task (
  name           text PRIMARY KEY,
  description    text NOT NULL,
  -- The kind of id that ops.schedule asks for; null for a task that is not about one thing.
  subject        text,
  -- The name of that id in the job's payload, and whether the payload also has the tenant's id.
  subject_field  text,
  with_tenant    boolean NOT NULL DEFAULT false,
  -- What else the payload holds.
  constant       jsonb NOT NULL DEFAULT '{}',
  -- The job's key is this prefix and the subject; null for a job without a key.
  key_prefix     text,
  -- Of the jobs that are due, those with the smallest number run first.
  priority       integer NOT NULL DEFAULT 0,
  -- The states of the subject in which the task has an effect; null for any.
  subject_states text[],
  -- When the worker adds the job by itself, as five crontab fields (UTC); null for never.
  clock          text,
  -- Why ops.schedule does not add the job, and what does; null where it does.
  not_by_hand    text
);
