-- Part of other commands: adds rows to a batch of payouts that the caller has locked, or has just made.
CREATE OR REPLACE FUNCTION command.keep_payout_batch_rows(
  _tenant text,
  _batch text,
  _actor jsonb,
  _rows jsonb
) RETURNS void
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  INSERT INTO public.payout_batch_row (
    tenant_id, batch_id, n, beneficiary_id, bank_account_id, amount_given, amount_minor, currency, purpose_of_payment,
    external_ref, metadata, added_by
  )
  SELECT _tenant, _batch, r.n, r.beneficiary_id, r.bank_account_id, r.amount_given, r.amount_minor, r.currency,
    r.purpose_of_payment, r.external_ref, r.metadata, _actor
  FROM jsonb_to_recordset(_rows) AS r (
    n integer, beneficiary_id text, bank_account_id text, amount_given text, amount_minor bigint, currency text,
    purpose_of_payment text, external_ref text, metadata jsonb
  );
END
$$;
