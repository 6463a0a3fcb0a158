-- Part of other commands: makes a digest of what an approval is about. Where one of these is another one by now, the
-- approval no longer counts.
CREATE OR REPLACE FUNCTION command.approved_facts(
  _amount_minor bigint,
  _currency text,
  _beneficiary text,
  _account text,
  _account_version integer
) RETURNS bytea
LANGUAGE sql IMMUTABLE AS $$
  SELECT sha256(convert_to(jsonb_build_array(
    'payout.approve', _amount_minor, _currency, _beneficiary, _account, _account_version
  )::text, 'UTF8'))
$$;
