-- Generated from src/domain/ledger/expected.ts by `npm run generate`: how often the amount of a payout is reserved,
-- in transit and paid, by its state.

CREATE VIEW ops.payout_effect AS
SELECT v.* FROM (VALUES
  ('pending_approval', 0, 0, 0),
  ('approved', 1, 0, 0),
  ('rejected', 0, 0, 0),
  ('disbursed', 0, 1, 0),
  ('failed', 0, 0, 0),
  ('returned', 0, 0, 0),
  ('canceled', 0, 0, 0),
  ('settled', 0, 0, 1),
  ('compliance_hold', 0, 0, 0)
) AS v (state, held, in_transit, paid);
COMMENT ON VIEW ops.payout_effect IS
  'How often the amount of a payout is reserved, in transit and paid, by its state.';
