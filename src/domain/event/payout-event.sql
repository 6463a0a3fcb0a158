-- Part of other commands: an event as command.record_events takes it, with the fields of `data` that all types have.
-- `_event` is what `eventFields` made (record.ts); NULL is no event. PostgreSQL puts the expression in the place of
-- the call. Not for a RETURNING: Citus takes no function there that makes JSON.
CREATE OR REPLACE FUNCTION command.payout_event(
  _event jsonb,
  _payout text,
  _external_ref text,
  _beneficiary text,
  _amount text,
  _currency text,
  _rail_ref text
) RETURNS jsonb
LANGUAGE sql STABLE AS $$
  SELECT _event || jsonb_build_object(
    'payout_id', _payout,
    'data', jsonb_build_object(
      'payout_id', _payout, 'external_ref', _external_ref, 'beneficiary_id', _beneficiary,
      'amount', _amount, 'currency', _currency, 'rail_ref', _rail_ref
    ) || (_event -> 'tail')
  )
$$;
