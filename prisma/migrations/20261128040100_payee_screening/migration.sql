-- ── What lists of sanctions say of payees (src/domain/screening). ──

-- Beside what every gate locks anyway. NULL: the payee's tenant was not screened when it was last written.
ALTER TABLE beneficiary
  ADD COLUMN screening text COLLATE "C",
  ADD COLUMN screened_at timestamptz(3),
  ADD CONSTRAINT beneficiary_screening_check
    CHECK (screening IN ('pending', 'clear', 'incomplete', 'hit', 'confirmed')) NOT VALID;
ALTER TABLE beneficiary VALIDATE CONSTRAINT beneficiary_screening_check;
-- Those who are not clear are few.
CREATE INDEX beneficiary_screening_idx ON beneficiary (tenant_id, screening, id) WHERE screening <> 'clear';

-- How a tenant is screened, from the first list on, and how far its payees are.
CREATE TABLE screening_policy (
  tenant_id         text COLLATE "C" NOT NULL REFERENCES tenant (id),
  -- After how many days without a look at the lists in use a result holds payouts.
  max_age_days      integer NOT NULL DEFAULT 30 CHECK (max_age_days BETWEEN 1 AND 365),
  -- Whether a result in which a list is not current holds payouts.
  incomplete_blocks boolean NOT NULL DEFAULT false,
  -- The lists that are demanded. NULL: those of which a version was ever loaded.
  kinds             text[] COLLATE "C",
  revision          integer NOT NULL DEFAULT 1,
  -- The version of each list against which all payees are screened.
  screened          jsonb NOT NULL DEFAULT '{}',
  -- The versions of the pass under way, and the payee that it looked at last. NULL where there is none.
  target            jsonb,
  after             text COLLATE "C",
  -- When all payees were last known to be screened against the lists in use.
  confirmed_at      timestamptz(3),
  updated_at        timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id),
  CHECK ((target IS NULL) = (after IS NULL))
);

-- Each look at a payee. It stays as it was, without the subject once the payee is erased.
CREATE TABLE screening_result (
  tenant_id          text COLLATE "C" NOT NULL,
  id                 text COLLATE "C" NOT NULL,
  beneficiary_id     text COLLATE "C" NOT NULL,
  cause              text COLLATE "C" NOT NULL CHECK (cause IN ('payee', 'list', 'asked')),
  engine             text NOT NULL,
  -- Of each list that was demanded: kind, state, sequence, sha256, listedOn.
  lists              jsonb NOT NULL,
  incomplete         boolean NOT NULL,
  threshold          double precision NOT NULL,
  hits               integer NOT NULL,
  best_score         double precision,
  -- Whom the lists were asked for.
  subject_ciphertext bytea,
  subject_hash       bytea,
  screened_at        timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT screening_result_beneficiary_fkey FOREIGN KEY (tenant_id, beneficiary_id)
    REFERENCES beneficiary (tenant_id, id)
);
CREATE INDEX screening_result_beneficiary_idx ON screening_result (tenant_id, beneficiary_id, id);

-- A pair of a payee as it was and an entry as it was, which may be the same.
CREATE TABLE screening_hit (
  tenant_id            text COLLATE "C" NOT NULL,
  id                   text COLLATE "C" NOT NULL,
  beneficiary_id       text COLLATE "C" NOT NULL,
  -- The latest result that has it.
  result_id            text COLLATE "C" NOT NULL,
  kind                 text COLLATE "C" NOT NULL,
  ref                  text NOT NULL,
  entry_digest         text NOT NULL,
  subject_hash         bytea,
  score                double precision NOT NULL,
  ofac                 integer NOT NULL,
  -- The two names and the reasons, which name the payee.
  explained_ciphertext bytea,
  -- gone: a later result has it no more, and nobody decided on it.
  status               text COLLATE "C" NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'cleared', 'confirmed', 'gone')),
  found_at             timestamptz(3) NOT NULL DEFAULT now(),
  updated_at           timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT screening_hit_result_fkey FOREIGN KEY (tenant_id, result_id) REFERENCES screening_result (tenant_id, id)
);
CREATE UNIQUE INDEX screening_hit_pair_key
  ON screening_hit (tenant_id, beneficiary_id, kind, ref, entry_digest, subject_hash);
CREATE INDEX screening_hit_status_idx ON screening_hit (tenant_id, status, id);
CREATE INDEX screening_hit_open_idx ON screening_hit (found_at) WHERE status = 'open';

-- What people decided on hits.
CREATE TABLE screening_decision (
  tenant_id   text COLLATE "C" NOT NULL,
  hit_id      text COLLATE "C" NOT NULL,
  seq         integer NOT NULL CHECK (seq > 0),
  from_status text COLLATE "C" NOT NULL,
  to_status   text COLLATE "C" NOT NULL CHECK (to_status IN ('cleared', 'confirmed')),
  actor       jsonb NOT NULL,
  reason      text,
  evidence    text,
  decided_at  timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, hit_id, seq),
  CONSTRAINT screening_decision_hit_fkey FOREIGN KEY (tenant_id, hit_id) REFERENCES screening_hit (tenant_id, id)
);

ALTER TABLE export DROP CONSTRAINT export_kind_check,
  ADD CONSTRAINT export_kind_check
    CHECK (kind IN ('transactions', 'beneficiaries', 'ledger_entries', 'screenings', 'watchlist_days'));
ALTER TABLE export_schedule DROP CONSTRAINT export_schedule_kind_check,
  ADD CONSTRAINT export_schedule_kind_check
    CHECK (kind IN ('transactions', 'beneficiaries', 'ledger_entries', 'screenings', 'watchlist_days'));

ALTER TABLE payout_transition
  DROP CONSTRAINT payout_transition_cause_check,
  ADD CONSTRAINT payout_transition_cause_check CHECK (cause IN ('beneficiary_suspended', 'screening')) NOT VALID;
ALTER TABLE payout_transition VALIDATE CONSTRAINT payout_transition_cause_check;

-- By which key a value is encrypted, so that the use of each key is counted by an index.
CREATE INDEX screening_result_subject_key_id_idx ON screening_result (substring(subject_ciphertext FROM 3 FOR get_byte(substring(subject_ciphertext FROM 1 FOR 2) || '\x0000', 1)))
  WHERE subject_ciphertext IS NOT NULL;
CREATE INDEX screening_hit_explained_key_id_idx ON screening_hit (substring(explained_ciphertext FROM 3 FOR get_byte(substring(explained_ciphertext FROM 1 FOR 2) || '\x0000', 1)))
  WHERE explained_ciphertext IS NOT NULL;
