import type { FailureCode, ProviderPayout } from '../port.ts';

/**
 * What each status of a transfer means for a payment to a bank account. `ask` is for a status that Adyen does not
 * document for one: the payment waits, and a person is told. So it is with a status that is not here.
 */
export const statusMeanings: Readonly<Record<string, ProviderPayout['status'] | 'ask'>> = {
  ...named(
    'received pending pendingApproval approvalPending pendingExecution authorised bookingPending',
    'processing',
  ),
  ...named('booked', 'disbursed'),
  ...named('credited', 'settled'),
  ...named('refused failed error rejected cancelled expired', 'failed'),
  ...named('returned', 'returned'),
  ...named(
    `adviceAuthorised adviceRefused atmWithdrawal atmWithdrawalReversalPending atmWithdrawalReversed
    authAdjustmentAuthorised authAdjustmentError authAdjustmentRefused bankTransfer bankTransferPending
    capturePending captureReversalPending captureReversed captured capturedExternally chargeback
    chargebackExternally chargebackPending chargebackReversalPending chargebackReversed depositCorrection
    depositCorrectionPending dispute disputeClosed disputeExpired disputeNeedsReview fee feePending
    interchangeAdjusted internalTransfer internalTransferPending invoiceDeduction invoiceDeductionPending
    manualCorrectionPending manuallyCorrected matchedStatement matchedStatementPending merchantPayin
    merchantPayinPending merchantPayinReversed merchantPayinReversedPending miscCost miscCostPending
    paymentCost paymentCostPending refundPending refundReversalPending refundReversed refunded
    refundedExternally reserveAdjustment reserveAdjustmentPending reversed secondChargeback
    secondChargebackPending undefined`,
    'ask',
  ),
};

/** What each reason of a transfer that ended means. One that is not here becomes `other`. */
export const reasonMeanings: Readonly<Record<string, FailureCode>> = {
  ...named(
    `counterpartyAccountNotFound counterpartyAccountBlocked counterpartyAddressRequired invalidAccount
    invalidToAccount transferInstrumentDoesNotExist noCheckingAccount noSavingsAccount`,
    'invalid_account',
  ),
  ...named('counterpartyAccountClosed', 'account_closed'),
  ...named('notEnoughBalance', 'insufficient_provider_funds'),
  ...named(
    `fraud fraudCancelled issuerSuspectedFraud declinedByTransactionRule
    balanceAccountTemporarilyBlockedByTransactionRule securityViolation`,
    'compliance_rejected',
  ),
  ...named(
    `accountHierarchyNotActive amountLimitExceeded approvalExpired cancelled counterpartyBankTimedOut
    counterpartyBankUnavailable declined declinedByBapValidation declinedNonGeneric directDebitNotSupported
    doNotHonor duplicateTransmissionDetected formatError invalidAmount invalidFromAccount invalidTransaction
    notSubmitted notSupported refusedByCounterpartyBank refusedByCustomer routeNotFound
    scaAuthenticationRequired scaFailed transactionNotPermitted unableToRouteTransaction
    withdrawalAmountExceeded withdrawalCountExceeded`,
    'provider_rejected',
  ),
  ...named(
    `approved avsDeclined blockCard callReferral captureCard cardExpired cardholderAuthenticationRequired
    cashbackAmountExceedsLimit cavvDeclined contactlessFallback contactlessLimitReached cryptographicFailure
    cvcDeclined domesticDebitTransactionNotAllowed error honorWithId internalTimeout
    invalidAuthorizationLifeCycle invalidCard invalidExpiryDate invalidIssuer invalidMerchant invalidPin
    lostCard mobilePinRequired not3dAuthenticated partiallyApproved pending pendingApproval pendingExecution
    pinNotChanged pinRequired pinTriesExceeded pinValidationNotPossible purchaseAmountOnlyNoCashBack
    restrictedCard revocationOfAuth schemeAdvice shopperCancelled stolenCard threedsDynamicLinkingMismatch
    unknown`,
    'other',
  ),
};

/** Gives all names, which are separated by white space, one meaning. */
function named<const Meaning extends string>(
  names: string,
  meaning: Meaning,
): Record<string, Meaning> {
  return Object.fromEntries(names.split(/\s+/).map((name) => [name, meaning]));
}
