-- ── The books: what they say, and whether they are right (docs/ledger.md). ──

-- What each entry reserves and moves. hold and release move nothing.
CREATE VIEW ops.ledger_effect AS
SELECT l.tenant_id, l.id AS entry_id, l.currency, l.payout_id, l.transition_seq,
  CASE l.kind WHEN 'hold' THEN l.amount_minor WHEN 'release' THEN -l.amount_minor WHEN 'disburse' THEN -l.amount_minor
    ELSE 0 END AS held,
  CASE WHEN l.kind IN ('hold', 'release') THEN 0 WHEN l.debit_account = 'funds' THEN l.amount_minor
    WHEN l.credit_account = 'funds' THEN -l.amount_minor ELSE 0 END AS funds,
  CASE WHEN l.kind IN ('hold', 'release') THEN 0 WHEN l.debit_account = 'in_transit' THEN l.amount_minor
    WHEN l.credit_account = 'in_transit' THEN -l.amount_minor ELSE 0 END AS in_transit,
  CASE WHEN l.debit_account = 'paid' THEN l.amount_minor WHEN l.credit_account = 'paid' THEN -l.amount_minor ELSE 0 END AS paid,
  CASE WHEN l.debit_account = 'fees' THEN l.amount_minor WHEN l.credit_account = 'fees' THEN -l.amount_minor ELSE 0 END AS fees,
  CASE WHEN l.kind IN ('hold', 'release') THEN 0 WHEN l.debit_account = 'external' THEN l.amount_minor
    WHEN l.credit_account = 'external' THEN -l.amount_minor ELSE 0 END AS external
FROM public.ledger_entry l;
COMMENT ON VIEW ops.ledger_effect IS
  'What each entry reserves (held) and moves on the five accounts, in minor units of its currency; below zero where it takes away.';

-- A balance is the sum of its slots. A sandbox reserves on `external`, so its funds are never drawn down.
CREATE VIEW ops.balances AS
SELECT t.id AS tenant_id, t.environment, b.currency, coalesce(m.mode, 'reported') AS mode, b.funds, b.held,
  b.funds - CASE t.environment WHEN 'sandbox' THEN 0 ELSE b.held END AS available, b.in_transit, b.paid, b.fees, b.external
FROM (
  SELECT s.tenant_id, s.currency, sum(s.funds_minor) AS funds, sum(s.held_minor) AS held,
    sum(s.in_transit_minor) AS in_transit, sum(s.paid_minor) AS paid, sum(s.fees_minor) AS fees,
    sum(s.external_minor) AS external
  FROM public.ledger_balance s GROUP BY s.tenant_id, s.currency
) b
JOIN public.tenant t ON t.id = b.tenant_id
LEFT JOIN public.ledger_mode m ON m.tenant_id = b.tenant_id;
COMMENT ON VIEW ops.balances IS
  'What the books of each tenant say in each currency, in minor units of it. funds is what is posted; external is the negative of the other accounts together.';

-- While funds are enforced no approval takes more than there is, but money can go out afterwards. Those short of it are
-- the payouts that were created last, first those that nobody has yet (src/domain/ledger/short-payouts.ts).
CREATE VIEW ops.short_payouts AS
SELECT s.tenant_id, t.environment, s.payout_id, s.currency, s.amount_minor, least(s.amount_minor, s.lacking - s.later)::bigint
    AS shortfall_minor, s.attempt_id, s.created_at,
  CASE WHEN s.attempt_id IS NULL
    THEN 'Have the business pay money in, or cancel it.'
    ELSE 'Its bank or provider has it and decides.'
  END AS next_step
FROM (
  SELECT p.tenant_id, p.id AS payout_id, p.currency, p.amount_minor, p.live_attempt_id AS attempt_id,
    p.created_at, b.held - b.funds AS lacking,
    sum(p.amount_minor) OVER (
      PARTITION BY p.tenant_id, p.currency ORDER BY p.live_attempt_id IS NULL DESC, p.id DESC
    ) - p.amount_minor AS later
  FROM ops.balances b
  JOIN public.payout p ON p.tenant_id = b.tenant_id AND p.currency = b.currency AND p.state = 'approved'
  WHERE b.mode = 'enforced' AND b.held > b.funds
) s
JOIN public.tenant t ON t.id = s.tenant_id
WHERE s.later < s.lacking;
COMMENT ON VIEW ops.short_payouts IS
  'Approved payouts that the enforced funds of their tenant do not cover any more, because money went out after the approval, in minor units of their currency, and what can be done.';

-- What should be equal is grouped together and not joined, so that neither side can be missing unseen, and so
-- that a condition on the tenant reaches every table. A tenant whose payouts from before the ledger are still
-- being booked has payouts without entries, which is no mistake.
CREATE VIEW ops.ledger_imbalances AS
SELECT f.kind, f.tenant_id, t.environment, f.currency, f.payout_id, f.account, f.booked, f.expected
FROM (
  SELECT 'zero' AS kind, b.tenant_id, b.currency, NULL::text AS payout_id, NULL::text AS account,
    b.funds + b.in_transit + b.paid + b.fees + b.external AS booked, 0::numeric AS expected
  FROM ops.balances b
  WHERE b.funds + b.in_transit + b.paid + b.fees + b.external <> 0

  UNION ALL
  SELECT 'entries', c.tenant_id, c.currency, NULL, v.account, v.booked, v.expected
  FROM (
    SELECT u.tenant_id, u.currency, sum(u.held) AS held, sum(u.funds) AS funds, sum(u.in_transit) AS in_transit,
      sum(u.paid) AS paid, sum(u.fees) AS fees, sum(u.external) AS external, sum(u.held_due) AS held_due,
      sum(u.funds_due) AS funds_due, sum(u.in_transit_due) AS in_transit_due, sum(u.paid_due) AS paid_due,
      sum(u.fees_due) AS fees_due, sum(u.external_due) AS external_due
    FROM (
      SELECT s.tenant_id, s.currency, sum(s.held_minor) AS held, sum(s.funds_minor) AS funds,
        sum(s.in_transit_minor) AS in_transit, sum(s.paid_minor) AS paid, sum(s.fees_minor) AS fees,
        sum(s.external_minor) AS external, 0 AS held_due, 0 AS funds_due, 0 AS in_transit_due, 0 AS paid_due,
        0 AS fees_due, 0 AS external_due
      FROM public.ledger_balance s GROUP BY s.tenant_id, s.currency
      UNION ALL
      SELECT e.tenant_id, e.currency, 0, 0, 0, 0, 0, 0, sum(e.held), sum(e.funds), sum(e.in_transit), sum(e.paid),
        sum(e.fees), sum(e.external)
      FROM ops.ledger_effect e GROUP BY e.tenant_id, e.currency
    ) u GROUP BY u.tenant_id, u.currency
  ) c CROSS JOIN LATERAL (VALUES
    ('held', c.held, c.held_due), ('funds', c.funds, c.funds_due), ('in_transit', c.in_transit, c.in_transit_due),
    ('paid', c.paid, c.paid_due), ('fees', c.fees, c.fees_due), ('external', c.external, c.external_due)
  ) AS v (account, booked, expected)
  WHERE v.booked <> v.expected

  UNION ALL
  SELECT 'holds', u.tenant_id, u.currency, NULL, 'held', sum(u.held), sum(u.held_due)
  FROM (
    SELECT s.tenant_id, s.currency, sum(s.held_minor) AS held, 0 AS held_due
    FROM public.ledger_balance s GROUP BY s.tenant_id, s.currency
    UNION ALL
    SELECT p.tenant_id, p.currency, 0, sum(p.amount_minor * x.held)
    FROM public.payout p JOIN ops.payout_effect x ON x.state = p.state AND x.held <> 0
    GROUP BY p.tenant_id, p.currency
  ) u
  GROUP BY u.tenant_id, u.currency HAVING sum(u.held) <> sum(u.held_due)

  UNION ALL
  SELECT 'payout', c.tenant_id, c.currency, c.payout_id, v.account, v.booked, v.expected
  FROM (
    SELECT u.tenant_id, u.currency, u.payout_id, sum(u.held) AS held, sum(u.funds) AS funds,
      sum(u.in_transit) AS in_transit, sum(u.paid) AS paid, sum(u.external) AS external, sum(u.held_due) AS held_due,
      sum(u.funds_due) AS funds_due, sum(u.in_transit_due) AS in_transit_due, sum(u.paid_due) AS paid_due,
      sum(u.external_due) AS external_due
    FROM (
      SELECT p.tenant_id, p.currency, p.id AS payout_id, 0 AS held, 0 AS funds, 0 AS in_transit, 0 AS paid, 0 AS external,
        p.amount_minor * x.held AS held_due,
        CASE o.environment WHEN 'sandbox' THEN 0 ELSE -p.amount_minor * (x.in_transit + x.paid) END AS funds_due,
        p.amount_minor * x.in_transit AS in_transit_due, p.amount_minor * x.paid AS paid_due,
        CASE o.environment WHEN 'sandbox' THEN -p.amount_minor * (x.in_transit + x.paid) ELSE 0 END AS external_due
      FROM public.payout p
      JOIN ops.payout_effect x ON x.state = p.state AND x.held + x.in_transit + x.paid > 0
      JOIN public.tenant o ON o.id = p.tenant_id
      UNION ALL
      SELECT e.tenant_id, e.currency, e.payout_id, e.held, e.funds, e.in_transit, e.paid, e.external, 0, 0, 0, 0, 0
      FROM ops.ledger_effect e WHERE e.transition_seq IS NOT NULL
    ) u
    GROUP BY u.tenant_id, u.payout_id, u.currency
    HAVING sum(u.held) <> sum(u.held_due) OR sum(u.funds) <> sum(u.funds_due) OR sum(u.in_transit) <> sum(u.in_transit_due)
      OR sum(u.paid) <> sum(u.paid_due) OR sum(u.external) <> sum(u.external_due)
  ) c CROSS JOIN LATERAL (VALUES
    ('held', c.held, c.held_due), ('funds', c.funds, c.funds_due), ('in_transit', c.in_transit, c.in_transit_due),
    ('paid', c.paid, c.paid_due), ('external', c.external, c.external_due)
  ) AS v (account, booked, expected)
  WHERE v.booked <> v.expected
) f
JOIN public.tenant t ON t.id = f.tenant_id
LEFT JOIN public.ledger_carry_over c ON c.tenant_id = f.tenant_id
WHERE f.kind IN ('zero', 'entries') OR c.tenant_id IS NULL;
COMMENT ON VIEW ops.ledger_imbalances IS
  'Where the books are wrong; it must be empty. zero: the accounts of a currency are not zero together. entries: a balance is not the sum of its entries. holds: what is held is not what the approved payouts need. payout: the entries of a payout are not what its state says. A tenant whose payouts from before the ledger are being booked has neither holds nor payout. It reads every entry and payout; give a tenant or a kind to read less.';
