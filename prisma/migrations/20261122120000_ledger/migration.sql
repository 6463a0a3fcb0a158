-- ── The ledger: double-entry books of each tenant and currency (docs/ledger.md). ──

-- The accounts of a tenant in a currency. All are kept as assets: a debit adds to an account and a credit
-- takes from it, so the five together are always zero, and `external` is the negative of what came in.
CREATE TABLE ledger_account (
  tenant_id text COLLATE "C" NOT NULL,
  currency  text COLLATE "C" NOT NULL,
  name      text COLLATE "C" NOT NULL,
  opened_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, currency, name),
  FOREIGN KEY (tenant_id) REFERENCES tenant (id),
  CONSTRAINT ledger_account_name_check
    CHECK (name IN ('funds', 'in_transit', 'paid', 'fees', 'external'))
);

-- One row moves an amount from one account to another, so it balances by construction. `hold` and `release`
-- move nothing yet: they reserve on the credit account what a later entry may take from it, and give it back.
CREATE TABLE ledger_entry (
  tenant_id      text COLLATE "C" NOT NULL,
  id             text COLLATE "C" NOT NULL,
  kind           text COLLATE "C" NOT NULL,
  currency       text COLLATE "C" NOT NULL,
  amount_minor   bigint NOT NULL,
  debit_account  text COLLATE "C" NOT NULL,
  credit_account text COLLATE "C" NOT NULL,
  -- The payout whose money it is; the transition that caused the entry, if one did.
  payout_id      text COLLATE "C",
  transition_seq integer,
  -- What caused an entry that no transition did: each report, line or order is booked once.
  source         text COLLATE "C",
  recorded_at    timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT ledger_entry_amount_check CHECK (amount_minor > 0),
  CONSTRAINT ledger_entry_kind_check CHECK (
    (kind IN ('hold', 'release', 'disburse') AND debit_account = 'in_transit' AND credit_account IN ('funds', 'external'))
    OR (kind = 'settle' AND debit_account = 'paid' AND credit_account = 'in_transit')
    OR (kind = 'return' AND debit_account IN ('funds', 'external') AND credit_account IN ('in_transit', 'paid'))
    OR (kind = 'fail' AND debit_account IN ('funds', 'external') AND credit_account = 'in_transit')
    OR (kind = 'fee' AND debit_account = 'fees' AND credit_account = 'funds')
    OR (kind = 'funding' AND debit_account = 'funds' AND credit_account = 'external')
    OR (kind = 'withdrawal' AND debit_account = 'external' AND credit_account = 'funds')
  ),
  CONSTRAINT ledger_entry_cause_check CHECK (
    CASE WHEN kind IN ('fee', 'funding', 'withdrawal') THEN source IS NOT NULL AND transition_seq IS NULL
      ELSE source IS NULL AND payout_id IS NOT NULL AND transition_seq IS NOT NULL END
  ),
  FOREIGN KEY (tenant_id, currency, debit_account) REFERENCES ledger_account (tenant_id, currency, name),
  FOREIGN KEY (tenant_id, currency, credit_account) REFERENCES ledger_account (tenant_id, currency, name),
  CONSTRAINT ledger_entry_payout_fkey FOREIGN KEY (tenant_id, payout_id)
    REFERENCES payout (tenant_id, id) DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT ledger_entry_transition_fkey FOREIGN KEY (tenant_id, payout_id, transition_seq)
    REFERENCES payout_transition (tenant_id, payout_id, seq) DEFERRABLE INITIALLY DEFERRED
);
-- A transition posts at most one entry, and a source is booked at most once.
CREATE UNIQUE INDEX ledger_entry_transition_key ON ledger_entry (tenant_id, payout_id, transition_seq)
  WHERE payout_id IS NOT NULL;
CREATE UNIQUE INDEX ledger_entry_source_key ON ledger_entry (tenant_id, source) WHERE source IS NOT NULL;
CREATE INDEX ledger_entry_recorded_idx ON ledger_entry (tenant_id, recorded_at, id);

-- The sums of the entries, in minor units of the currency. All of a tenant's commands would meet on one row,
-- so the sums are spread over slots: a balance is the sum of its slots, and a slot alone means nothing.
CREATE TABLE ledger_balance (
  tenant_id        text COLLATE "C" NOT NULL,
  currency         text COLLATE "C" NOT NULL,
  slot             smallint NOT NULL,
  funds_minor      bigint NOT NULL DEFAULT 0,
  -- Reserved on `funds`, and on `external` in a sandbox, whose payouts draw nothing down.
  held_minor       bigint NOT NULL DEFAULT 0,
  in_transit_minor bigint NOT NULL DEFAULT 0,
  paid_minor       bigint NOT NULL DEFAULT 0,
  fees_minor       bigint NOT NULL DEFAULT 0,
  external_minor   bigint NOT NULL DEFAULT 0,
  -- The account that payouts draw on: `external` in a sandbox. The statement that posts an entry updates this
  -- row, and finds here what it would otherwise have to read elsewhere.
  draws_on         text COLLATE "C" NOT NULL DEFAULT 'funds',
  -- The mode of the tenant (`ledger_mode`). A change of it waits for every posting under way, since both
  -- lock this row.
  enforced         boolean NOT NULL DEFAULT false,
  PRIMARY KEY (tenant_id, currency, slot),
  FOREIGN KEY (tenant_id) REFERENCES tenant (id),
  CONSTRAINT ledger_balance_draws_on_check CHECK (draws_on IN ('funds', 'external'))
) WITH (fillfactor = 40);

-- Whether more may be approved than there is: `reported` refuses nothing, `enforced` does. An operator
-- changes it with a reason. No row means `reported`.
CREATE TABLE ledger_mode (
  tenant_id  text COLLATE "C" NOT NULL,
  mode       text COLLATE "C" NOT NULL,
  changed_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id),
  FOREIGN KEY (tenant_id) REFERENCES tenant (id),
  CONSTRAINT ledger_mode_check CHECK (mode IN ('reported', 'enforced'))
);

-- The tenants whose payouts moved before the ledger was there. The worker books what they imply, a page of
-- payouts at a time, and removes the row after the last page (src/domain/ledger/carry-over.ts).
CREATE TABLE ledger_carry_over (
  tenant_id  text COLLATE "C" NOT NULL,
  -- The last payout that was looked at.
  payout_id  text COLLATE "C" NOT NULL DEFAULT '',
  PRIMARY KEY (tenant_id),
  FOREIGN KEY (tenant_id) REFERENCES tenant (id)
);
INSERT INTO ledger_carry_over (tenant_id) SELECT id FROM tenant;
