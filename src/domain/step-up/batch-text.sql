-- Part of other commands: the canonical text of what a passkey signs for several approvals at once: their number, the
-- totals by currency, and SHA-256 over their own texts in the order of their bytes, with a line feed after each.
CREATE OR REPLACE FUNCTION command.batch_text(
  _tenant text,
  _business text,
  _payouts text[],
  _texts text[],
  _expires timestamptz
) RETURNS text
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  totals text;
  items bytea;
BEGIN
  SELECT string_agg(format('%s:%s', to_json(s.currency), to_json(s.total)), ',' ORDER BY s.currency COLLATE "C") INTO totals
  FROM (
    SELECT p.currency, sum(p.amount::numeric)::text AS total FROM public.payout p
    WHERE p.tenant_id = _tenant AND p.id = ANY (_payouts) GROUP BY p.currency
  ) s;
  SELECT sha256(convert_to(string_agg(t.text || E'\n', '' ORDER BY t.text COLLATE "C"), 'UTF8')) INTO items
  FROM unnest(_texts) t (text);
  RETURN format(
    '{"business":%s,"count":%s,"decision":"approve","environment":%s,"expires_at":%s,"items":%s,"purpose":"payout.approve_batch",'
      || '"totals":{%s},"v":1}',
    to_json(_business), cardinality(_texts),
    CASE WHEN command.is_sandbox(_tenant) THEN '"sandbox"' ELSE '"production"' END,
    to_json(to_char(_expires AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')), to_json(encode(items, 'hex')), totals
  );
END
$$;
