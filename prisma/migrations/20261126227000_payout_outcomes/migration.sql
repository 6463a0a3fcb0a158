-- ── How payouts end, counted for the metrics (src/domain/payout/outcomes.ts). ──

-- The counter names no tenant and no payout. Of a provider and currency that occurred it has a row for every outcome.
CREATE TABLE payout_outcome (
  environment text COLLATE "C" NOT NULL,
  -- `bank` for every bank connection, `none` for a payout that no provider had.
  provider    text COLLATE "C" NOT NULL,
  -- The currency, by which routes choose.
  route       text COLLATE "C" NOT NULL,
  state       text COLLATE "C" NOT NULL,
  -- Empty where nothing failed.
  code        text COLLATE "C" NOT NULL,
  payouts     bigint NOT NULL CHECK (payouts >= 0),
  PRIMARY KEY (environment, provider, route, state, code)
);

-- One row: the records before this time are counted.
CREATE TABLE payout_outcome_mark (
  id            smallint PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  counted_until timestamptz(3) NOT NULL
);
INSERT INTO payout_outcome_mark (counted_until) VALUES (now());

CREATE INDEX payout_transition_ended_idx ON payout_transition (recorded_at)
  WHERE to_state IN ('settled', 'failed', 'returned', 'rejected', 'canceled');
