-- Part of other commands: what an approval of a payout is about at this moment (approval-digests.sql); NULL where its account
-- changed since its creation.
CREATE OR REPLACE FUNCTION command.approval_digest(
  _tenant text,
  _payout text,
  _business text
) RETURNS text
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  RETURN encode(sha256(convert_to(command.approved_text(
    _tenant => _tenant, _payout => _payout, _business => _business, _expires => 'epoch'
  ), 'UTF8')), 'hex');
END
$$;
