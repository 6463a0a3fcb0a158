-- What is left of an entry that names a batch is money of its payments, so it is decided about like any other line. That it
-- is a remainder is known before. Every row that the earlier condition permits fits this one.
ALTER TABLE bank_line DROP CONSTRAINT bank_line_doubt_check;
ALTER TABLE bank_line ADD CONSTRAINT bank_line_doubt_check CHECK (
  (match = 'unmatched') = (doubt IS NOT NULL) OR (match = 'open' AND doubt = 'remainder')
) NOT VALID;
