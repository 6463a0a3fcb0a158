import type { FailureCode, Verdict } from '../port.ts';

/** What each reason means for which an outbound payment failed. One that is not here becomes `other`. */
export const failedMeanings: Readonly<Record<string, FailureCode>> = {
  fx_rate_drift_exceeded_after_review: 'provider_rejected',
  payout_method_amount_limit_exceeded: 'provider_rejected',
  payout_method_declined: 'provider_rejected',
  payout_method_does_not_exist: 'invalid_account',
  payout_method_expired: 'invalid_account',
  payout_method_unsupported: 'invalid_account',
  payout_method_usage_frequency_limit_exceeded: 'provider_rejected',
  review_rejected: 'compliance_rejected',
  unknown_failure: 'other',
};

/** What each reason means for which a bank returned one. */
export const returnedMeanings: Readonly<Record<string, FailureCode>> = {
  payout_method_canceled_by_customer: 'account_closed',
  payout_method_closed: 'account_closed',
  payout_method_currency_unsupported: 'invalid_account',
  payout_method_does_not_exist: 'invalid_account',
  payout_method_holder_address_incorrect: 'name_mismatch',
  payout_method_holder_details_incorrect: 'name_mismatch',
  payout_method_holder_name_incorrect: 'name_mismatch',
  payout_method_invalid_account_number: 'invalid_account',
  payout_method_restricted: 'invalid_account',
  recalled: 'other',
  unknown_failure: 'other',
};

interface Refusal {
  readonly verdict: Verdict;
  readonly code: FailureCode;
}

const refusal = (verdict: Verdict, code: FailureCode): Refusal => ({ verdict, code });

/**
 * What each kind of error means for the money, by its `type` or, where it has none, its `code`. Stripe runs a request
 * again that failed, with the same idempotency key. A kind that is not here says nothing of the money.
 */
export const errorMeanings: Readonly<Record<string, Refusal>> = {
  // Stripe asks for more of the payee, or has not looked at it yet.
  capability_not_enabled: refusal('held', 'compliance_rejected'),
  blocked_by_stripe: refusal('rejected', 'compliance_rejected'),
  insufficient_funds: refusal('rejected', 'insufficient_provider_funds'),
  invalid_payout_method: refusal('rejected', 'invalid_account'),
  quota_exceeded: refusal('rejected', 'provider_rejected'),
  recipient_not_notifiable: refusal('rejected', 'provider_rejected'),
  invalid_fields: refusal('rejected', 'provider_rejected'),
  invalid_request_error: refusal('rejected', 'provider_rejected'),
  cannot_proceed: refusal('rejected', 'provider_rejected'),
  verification_expired: refusal('rejected', 'name_mismatch'),
  verification_not_initiated: refusal('rejected', 'name_mismatch'),
  verification_attempt_failed: refusal('rejected', 'name_mismatch'),
  // An operator has to act at Stripe, and the payout waits.
  feature_not_enabled: refusal('retry', 'other'),
  financial_account_not_open: refusal('retry', 'other'),
  fx_quote_needs_refresh: refusal('retry', 'other'),
  rate_limit: refusal('retry', 'other'),
  idempotency_error: refusal('unknown', 'other'),
};
