-- ── Who may let money go: the approval policy of a tenant (src/domain/approval-policy). ──

-- The versions of a policy. The last one holds; a version never changes.
CREATE TABLE approval_policy (
  tenant_id    text COLLATE "C" NOT NULL REFERENCES tenant (id),
  version      integer NOT NULL CHECK (version > 0),
  -- NULL where there is no policy from here on.
  rules        jsonb,
  -- The sums that the rules ask for: [{over, hours}].
  sums         jsonb NOT NULL,
  proposed_by  text COLLATE "C" NOT NULL,
  proposed_at  timestamptz(3) NOT NULL,
  -- The same person where the business has no other one.
  confirmed_by text COLLATE "C" NOT NULL,
  confirmed_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, version)
);

-- What is edited until it is proposed.
CREATE TABLE approval_policy_draft (
  tenant_id text COLLATE "C" NOT NULL REFERENCES tenant (id),
  rules     jsonb,
  revision  integer NOT NULL DEFAULT 1,
  edited_by text COLLATE "C" NOT NULL,
  edited_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id)
);

-- Named sets of members. Each role is a group, too, and has no row.
CREATE TABLE approval_group (
  tenant_id  text COLLATE "C" NOT NULL REFERENCES tenant (id),
  id         text COLLATE "C" NOT NULL,
  name       text NOT NULL,
  -- Ids of users.
  members    text[] COLLATE "C" NOT NULL,
  revision   integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX approval_group_name_key ON approval_group (tenant_id, lower(name COLLATE "pg_c_utf8"));

-- What a policy demands of a payout, as it was written down. The latest round counts.
CREATE TABLE payout_requirement (
  tenant_id      text COLLATE "C" NOT NULL,
  payout_id      text COLLATE "C" NOT NULL,
  round          integer NOT NULL CHECK (round > 0),
  cause          text COLLATE "C" NOT NULL CHECK (cause IN ('created', 'asked')),
  -- 0 where no policy held and distinct_approver alone demands it.
  policy_version integer NOT NULL,
  -- The numbers of the rules that held.
  rules          integer[] NOT NULL,
  -- Of each step of each rule: command.approval_demands says how.
  demands        jsonb NOT NULL,
  actor          jsonb NOT NULL,
  written_at     timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, payout_id, round),
  CONSTRAINT payout_requirement_tenant_id_payout_id_fkey FOREIGN KEY (tenant_id, payout_id) REFERENCES payout (tenant_id, id)
    DEFERRABLE INITIALLY DEFERRED
);

-- How an approval was counted: NULL for one that was made without a policy, and for a decision that is none.
ALTER TABLE payout_decision
  ADD COLUMN round integer,
  -- The number of the transition with which the payout began to wait: another wait needs other approvals.
  ADD COLUMN waiting_seq integer,
  -- The places of the demands for which it counts, from 0.
  ADD COLUMN demands integer[],
  -- The groups that its maker held at that moment, of those that the demands name.
  ADD COLUMN held_groups text[] COLLATE "C",
  -- SHA-256 over what was approved (command.approved_facts).
  ADD COLUMN facts bytea,
  ADD CONSTRAINT payout_decision_counted_check CHECK (
    (round IS NULL) = (demands IS NULL) AND (round IS NULL) = (waiting_seq IS NULL) AND (round IS NULL) = (held_groups IS NULL) AND (round IS NULL) = (facts IS NULL)
    AND (round IS NULL OR status = 'approved')
  ) NOT VALID;
ALTER TABLE payout_decision VALIDATE CONSTRAINT payout_decision_counted_check;

-- Who changed what a payment goes to. NULL for what was made before, and for what no member made.
ALTER TABLE beneficiary ADD COLUMN edited_by text COLLATE "C";

ALTER TABLE proposed_change
  DROP CONSTRAINT proposed_change_kind_check,
  ADD CONSTRAINT proposed_change_kind_check CHECK (kind IN (
    'bank_connect', 'bank_connection_change', 'routes_replace', 'production_key', 'member_invitation', 'webhook_address',
    'bank_file_take', 'bank_line_match', 'approval_policy', 'approval_group'
  ));
ALTER TABLE access_change
  DROP CONSTRAINT access_change_kind_check,
  ADD CONSTRAINT access_change_kind_check CHECK (kind IN (
    'business_registered', 'settings_changed', 'member_invited', 'member_invitation_sent', 'member_accepted',
    'member_role_changed', 'member_removed', 'member_sessions_revoked', 'key_created', 'key_revoked',
    'bank_connected', 'bank_connection_changed', 'routes_replaced', 'webhook_address_proposed', 'webhook_address_changed',
    'registration_proven', 'registration_released', 'key_confirmed',
    'approval_policy_proposed', 'approval_policy_changed', 'approval_group_proposed', 'approval_group_changed'
  ));
