-- One payment of a provider is one attempt's: an operator's order, or an answer, that names the payment
-- of another attempt is refused.
CREATE UNIQUE INDEX disbursement_attempt_provider_payout_id_key
  ON disbursement_attempt (tenant_id, provider, provider_payout_id) WHERE provider_payout_id IS NOT NULL;
