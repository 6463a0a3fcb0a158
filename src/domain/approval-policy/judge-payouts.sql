-- Part of other commands: judges the payouts of a request, and answers with the verdict of each by its `n`; none for a payout
-- whose payee or account is not there. All payouts of the request whose keys are new count for the sums of each, in
-- whichever order they stand.
CREATE OR REPLACE FUNCTION command.judge_payouts(
  _tenant text,
  _rules jsonb,
  _sums jsonb,
  _payouts jsonb,
  _actor jsonb,
  _business text,
  _kept_since timestamptz
) RETURNS jsonb
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  demanded boolean;
  given record;
  verdicts jsonb := '{}';
BEGIN
  SELECT b.distinct_approver INTO demanded FROM public.business b WHERE b.id = _business;
  FOR given IN
    SELECT i.*, a.version,
      sum(i.counts) OVER (PARTITION BY i.beneficiary_id, i.currency) - i.counts AS beside_payee,
      sum(i.counts) OVER (PARTITION BY i.currency) - i.counts AS beside_all
    FROM (
      SELECT r.*, CASE WHEN k.idempotency_key IS NULL THEN r.amount_minor ELSE 0 END AS counts
      FROM jsonb_to_recordset(_payouts) AS r (
        n integer, idempotency_key text, beneficiary_id text, bank_account_id text, amount_minor bigint, currency text,
        purpose_of_payment text, metadata jsonb, provider text
      )
      LEFT JOIN public.payout_idempotency k
        ON k.tenant_id = _tenant AND k.idempotency_key = r.idempotency_key AND k.created_at > _kept_since
    ) i
    JOIN public.bank_account a ON a.tenant_id = _tenant AND a.id = i.bank_account_id
    JOIN public.beneficiary b ON b.tenant_id = _tenant AND b.id = i.beneficiary_id
    -- In the order of the payees: two requests with the same ones cannot wait for each other.
    ORDER BY i.beneficiary_id, i.n
  LOOP
    verdicts := verdicts || jsonb_build_object(given.n, command.judge_payout(
      _tenant => _tenant, _rules => _rules, _sums => _sums, _distinct => demanded, _beneficiary => given.beneficiary_id,
      _account => given.bank_account_id, _account_version => given.version, _amount_minor => given.amount_minor,
      _currency => given.currency, _purpose => given.purpose_of_payment, _metadata => given.metadata, _actor => _actor,
      _provider => given.provider, _beside_payee => given.beside_payee::bigint, _beside_all => given.beside_all::bigint,
      _itself => NULL
    ));
  END LOOP;
  RETURN verdicts;
END
$$;
