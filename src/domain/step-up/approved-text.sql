-- Part of other commands: the canonical text (RFC 8785) of what a passkey signs for the approval of a payout, as the payout
-- is at this moment. It is made when the person is asked and again when the approval is counted: where the two differ, the
-- signature is about something else. The digest stands for the account's details, which the text does not tell: it is over
-- what the account shows and the keyed hash of its identifiers.
CREATE OR REPLACE FUNCTION command.approved_text(
  _tenant text,
  _payout text,
  _business text,
  _expires timestamptz
) RETURNS text
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  environment CONSTANT text := CASE WHEN command.is_sandbox(_tenant) THEN '"sandbox"' ELSE '"production"' END;
  made text;
BEGIN
  SELECT format(
    '{"account":%s,"account_digest":%s,"account_version":%s,"amount":%s,"business":%s,"currency":%s,"decision":"approve",'
      || '"environment":%s,"expires_at":%s,"payee":%s,"payout":%s,"policy_version":%s,"purpose":"payout.approve","v":1}',
    to_json(p.bank_account_id),
    to_json(encode(sha256(convert_to(jsonb_build_array(
      a.id, a.version, a.currency, a.country, a.bank_name, a.account_type, a.last4, encode(a.details_hash, 'hex')
    )::text, 'UTF8')), 'hex')),
    p.bank_account_version, to_json(p.amount), to_json(_business), to_json(p.currency),
    environment,
    to_json(to_char(_expires AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
    to_json(p.beneficiary_id), to_json(p.id), coalesce((
      SELECT r.policy_version FROM public.payout_requirement r
      WHERE r.tenant_id = _tenant AND r.payout_id = _payout ORDER BY r.round DESC LIMIT 1
    ), 0)
  ) INTO made
  FROM public.payout p
  JOIN public.bank_account a ON a.tenant_id = _tenant AND a.id = p.bank_account_id AND a.version = p.bank_account_version
  WHERE p.tenant_id = _tenant AND p.id = _payout;
  RETURN made;
END
$$;
