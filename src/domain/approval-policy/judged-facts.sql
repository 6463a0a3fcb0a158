-- Part of other commands: what the rules of a policy are judged by, of one payout (conditions.ts). Its creation and the
-- trial of a draft (try-policy.sql) make it here, so both judge by the same.
CREATE OR REPLACE FUNCTION command.judged_facts(
  _amount_minor bigint,
  _currency text,
  _purpose text,
  _metadata jsonb,
  _payee_type text,
  _payee_country text,
  _payee_seconds numeric,
  _account_seconds numeric,
  _actor jsonb,
  _provider text,
  _sums jsonb
) RETURNS jsonb
LANGUAGE sql IMMUTABLE AS $$
  SELECT jsonb_build_object(
    'amountMinor', _amount_minor, 'currency', _currency, 'purpose', _purpose, 'metadata', _metadata,
    'payeeType', _payee_type, 'payeeCountry', _payee_country,
    'payeeSeconds', _payee_seconds, 'accountSeconds', _account_seconds,
    'origin', CASE WHEN _actor ? 'session_id' THEN 'console' WHEN _actor ? 'key_id' THEN 'api_key' END,
    'provider', _provider, 'sums', _sums
  )
$$;
