-- ── Banks that take files, and which provider pays what (docs/banks.md). ──

-- An account of a business at a bank, and how files go there and come back. Its provider has the name
-- `bank:<id>` on payouts, attempts, enrollments and events.
CREATE TABLE bank_connection (
  tenant_id              text COLLATE "C" NOT NULL,
  id                     text COLLATE "C" NOT NULL,
  name                   text NOT NULL,
  status                 text COLLATE "C" NOT NULL DEFAULT 'active',
  -- The debtor as the bank knows it. A structured address: town and country are always there.
  debtor_name            text NOT NULL,
  debtor_address         jsonb NOT NULL,
  account_country        text COLLATE "C" NOT NULL,
  account_currency       text COLLATE "C" NOT NULL,
  account_last4          text NOT NULL,
  -- The account's own identifiers and those of its bank, as JSON, encrypted.
  account_ciphertext     bytea NOT NULL,
  -- The number under which the bank knows the sender of ISO 20022 files.
  initiator_id           text,
  -- What the head of a Nacha file names; null where the bank takes none.
  ach                    jsonb,
  -- In the order in which they are tried for a payment whose route names none.
  schemes                text[] COLLATE "C" NOT NULL,
  -- What the bank wants otherwise than the scheme's usual form, by scheme.
  format_options         jsonb NOT NULL DEFAULT '{}',
  transport              text COLLATE "C" NOT NULL,
  transport_settings     jsonb NOT NULL DEFAULT '{}',
  -- What opens the transport, as JSON, encrypted; null where nothing does.
  credentials_ciphertext bytea,
  cut_off_time           text COLLATE "C" NOT NULL,
  time_zone              text COLLATE "C" NOT NULL,
  calendar               text COLLATE "C" NOT NULL,
  -- Bank days from the cut-off to the day of execution.
  lead_bank_days         integer NOT NULL,
  -- A payment that was not returned for so many bank days is settled.
  return_bank_days       integer NOT NULL,
  -- A batch closes when it has so many payments.
  max_payments           integer NOT NULL,
  -- Counts the changes: one is made only to the version that its author saw.
  version                integer NOT NULL DEFAULT 1,
  created_at             timestamptz(3) NOT NULL DEFAULT now(),
  updated_at             timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id) REFERENCES tenant (id),
  CONSTRAINT bank_connection_status_check CHECK (status IN ('active', 'paused', 'closed')),
  CONSTRAINT bank_connection_transport_check CHECK (transport IN ('sftp', 'folder', 'manual')),
  CONSTRAINT bank_connection_calendar_check
    CHECK (calendar IN ('target', 'england_and_wales', 'federal_reserve')),
  CONSTRAINT bank_connection_schemes_check CHECK (
    cardinality(schemes) > 0 AND schemes <@ ARRAY[
      'sepa_credit_transfer', 'sepa_instant', 'uk_domestic', 'us_wire', 'cross_border', 'ach'
    ]),
  CONSTRAINT bank_connection_ach_check CHECK (ach IS NOT NULL OR NOT 'ach' = ANY (schemes)),
  CONSTRAINT bank_connection_numbers_check CHECK (
    lead_bank_days BETWEEN 0 AND 10 AND return_bank_days BETWEEN 1 AND 90 AND max_payments BETWEEN 1 AND 10000
  )
);

-- Whether a tenant has routes, and the version of its list. The functions that create payouts look here, so
-- a tenant without a row costs them nothing more.
CREATE TABLE payout_routing (
  tenant_id  text COLLATE "C" NOT NULL,
  version    integer NOT NULL,
  routes     integer NOT NULL,
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id),
  FOREIGN KEY (tenant_id) REFERENCES tenant (id)
);

-- Which provider pays what: the first route that matches does. An empty condition matches everything. The
-- list is replaced as a whole.
CREATE TABLE payout_route (
  tenant_id         text COLLATE "C" NOT NULL,
  position          integer NOT NULL,
  provider          text COLLATE "C" NOT NULL,
  connection_id     text COLLATE "C",
  currency          text COLLATE "C",
  -- Of the payee's account.
  country           text COLLATE "C",
  -- Of the bank: by which of its schemes it pays.
  scheme            text COLLATE "C",
  -- Minor units of the payout's currency; both are part of the range.
  amount_from_minor bigint,
  amount_to_minor   bigint,
  PRIMARY KEY (tenant_id, position),
  FOREIGN KEY (tenant_id) REFERENCES payout_routing (tenant_id),
  CONSTRAINT payout_route_connection_fkey FOREIGN KEY (tenant_id, connection_id)
    REFERENCES bank_connection (tenant_id, id),
  CONSTRAINT payout_route_provider_check CHECK (
    CASE WHEN connection_id IS NULL THEN provider NOT LIKE 'bank:%' AND scheme IS NULL
      ELSE provider = 'bank:' || connection_id END
  ),
  CONSTRAINT payout_route_amount_check
    CHECK (amount_from_minor >= 0 AND amount_to_minor >= 0 AND amount_from_minor <= amount_to_minor),
  -- An amount means nothing without its currency.
  CONSTRAINT payout_route_currency_check
    CHECK (currency IS NOT NULL OR (amount_from_minor IS NULL AND amount_to_minor IS NULL))
);
CREATE INDEX payout_route_connection_idx ON payout_route (tenant_id, connection_id) WHERE connection_id IS NOT NULL;
