/**
 * Every error a caller can get: HTTP status, what it means and what to call next. `/docs/errors` and
 * the OpenAPI document are made from this table, so no code is thrown that it does not document.
 */
interface CatalogueEntry {
  readonly status: number;
  readonly meaning: string;
  readonly resolution: string;
}

export const catalogue = {
  bad_request: {
    status: 400,
    meaning: 'The request is malformed.',
    resolution: 'Correct the shape of the request and send it again.',
  },
  validation_failed: {
    status: 400,
    meaning: 'The input failed validation; details lists each rejected field.',
    resolution: 'Correct each field that details names.',
  },
  unauthorized: {
    status: 401,
    meaning: 'The credential is missing or invalid.',
    resolution:
      'Send a valid API key in the header Authorization: Bearer <API_KEY>; a revoked key does not work again.',
  },
  forbidden: {
    status: 403,
    meaning: 'The credential is valid but may not do this.',
    resolution:
      'Use a key whose role has the permission; a retry with the same key gets the same answer.',
  },
  not_found: {
    status: 404,
    meaning: 'The resource does not exist or is outside your environment.',
    resolution: 'Check the id and the environment of the key.',
  },
  conflict: {
    status: 409,
    meaning: "The request conflicts with the resource's current state.",
    resolution: 'GET the resource, and send the request again if it still applies.',
  },
  unprocessable_entity: {
    status: 422,
    meaning: 'The request is well-formed but a precondition is not met.',
    resolution: 'Meet the precondition that the message names, then send the request again.',
  },
  too_many_requests: {
    status: 429,
    meaning: 'Too many requests.',
    resolution:
      'Wait as long as Retry-After says, or double the wait with each try, then send the request again.',
  },
  internal_error: {
    status: 500,
    meaning: 'An unexpected error on our side.',
    resolution:
      'Send the request again once; if it fails again, contact support with the request_id.',
  },
  service_unavailable: {
    status: 503,
    meaning: 'The service cannot answer at the moment.',
    resolution:
      'Wait as long as Retry-After says and send the same request again; a command with its own idempotency key takes effect once.',
  },
  RATE_LIMITED: {
    status: 429,
    meaning: 'Too many requests of this business in the current window.',
    resolution:
      'Wait as long as Retry-After says, then send the request again. A complete business profile has a higher limit: PUT /v1/business/profile.',
  },
  REGISTRATION_RATE_LIMITED: {
    status: 429,
    meaning: 'Too many registrations from this client address in the current window.',
    resolution:
      'Wait and retry POST /v1/registration, or ask an admin of your company for an invite.',
  },
  EMAIL_ALREADY_REGISTERED: {
    status: 409,
    meaning: 'An account already exists for this e-mail address.',
    resolution: 'Use a key of the existing account, or ask an admin of your company for an invite.',
  },
  COMPANY_DOMAIN_ALREADY_CLAIMED: {
    status: 409,
    meaning: 'Another registrant already claimed this corporate e-mail domain.',
    resolution: 'Ask the admin of your company for an invite.',
  },
  BENEFICIARY_NOT_COMPLIANT: {
    status: 422,
    meaning: 'The beneficiary is not compliant, which payouts require.',
    resolution:
      'Complete the identity with PUT /v1/beneficiaries/{id}, then POST /v1/beneficiaries/{id}/compliance-acknowledgment. A suspended beneficiary has to be reinstated by the platform.',
  },
  BENEFICIARY_REACKNOWLEDGMENT_REQUIRED: {
    status: 422,
    meaning: 'Identity details changed since the acknowledgment; new payouts are blocked.',
    resolution:
      'Attest again with POST /v1/beneficiaries/{id}/compliance-acknowledgment, then retry.',
  },
  BENEFICIARY_IDENTITY_INVALID: {
    status: 422,
    meaning: 'An identity field does not belong to the chosen beneficiary_type.',
    resolution: 'Send only the fields of the chosen type.',
  },
  BENEFICIARY_IDENTITY_INCOMPLETE: {
    status: 422,
    meaning: 'Required identity details of the beneficiary_type are missing.',
    resolution:
      'Send them when you register the beneficiary, or with PUT /v1/beneficiaries/{id} before you acknowledge it.',
  },
  BENEFICIARY_ARCHIVED: {
    status: 422,
    meaning: 'The beneficiary is archived: it takes no changes, invites, bank accounts or payouts.',
    resolution: 'Register it again with POST /v1/beneficiaries and use the new id.',
  },
  BENEFICIARY_EMAIL_ALREADY_EXISTS: {
    status: 409,
    meaning: 'A beneficiary with this e-mail address exists already.',
    resolution: 'Find it with GET /v1/beneficiaries and update it, or use another address.',
  },
  BANK_ACCOUNT_MISSING_ROUTING: {
    status: 422,
    meaning: 'The bank account has no routing identifier.',
    resolution: 'Include one of iban, account_number, swift_bic, clabe, pix_key.',
  },
  BANK_ACCOUNT_VALIDATION_FAILED: {
    status: 422,
    meaning:
      'The bank details failed a format or checksum test; nothing was stored. details names the field.',
    resolution: 'Correct the fields that details names and send the bank details again.',
  },
  BANK_ACCOUNT_NOT_PENDING: {
    status: 409,
    meaning: 'A bank account can be verified only while it is pending_verification.',
    resolution:
      'GET /v1/beneficiaries/{id}/bank-accounts: a verified account needs no further call.',
  },
  BANK_ACCOUNT_CHANGED: {
    status: 409,
    meaning:
      'The bank account changed after the payout was created, so the payout cannot be approved.',
    resolution:
      'POST /v1/payouts/{id}/cancel, check the details of the account, and create a new payout with POST /v1/payouts.',
  },
  BANK_ACCOUNT_NOT_FOUND: {
    status: 404,
    meaning: 'The bank account does not exist.',
    resolution: 'Use an id of GET /v1/beneficiaries/{id}/bank-accounts.',
  },
  BANK_ACCOUNT_BENEFICIARY_MISMATCH: {
    status: 422,
    meaning: 'The bank account belongs to another beneficiary.',
    resolution: 'Use an id of GET /v1/beneficiaries/{id}/bank-accounts.',
  },
  BANK_ACCOUNT_NOT_VERIFIED: {
    status: 422,
    meaning: 'The bank account must be verified to receive payouts.',
    resolution:
      'Acknowledge its owner with POST /v1/beneficiaries/{id}/compliance-acknowledgment, then send the request again.',
  },
  BANK_ACCOUNT_NOT_VALIDATED: {
    status: 422,
    meaning: 'The bank account is verified, but its routing details are not validated.',
    resolution:
      'For a US account or a SEPA or UK IBAN, send corrected details with PUT and retry. Accounts of other countries are not checked: use one in the US or the SEPA area.',
  },
  BANK_ACCOUNT_RAIL_REJECTED: {
    status: 422,
    meaning: 'The payment rail refused this bank account; rail_rejection_reason says why.',
    resolution:
      'Correct the details with PUT and call POST /v1/beneficiaries/{id}/enroll with bank_account_id, or register and enroll another account.',
  },
  NO_PAYOUT_USABLE_BANK_ACCOUNT: {
    status: 422,
    meaning: 'There is no verified and validated bank account to enroll.',
    resolution:
      'Register a bank account with POST /v1/beneficiaries/{id}/bank-accounts; it is verified when the beneficiary is compliant.',
  },
  BANK_ACCOUNT_AMBIGUOUS: {
    status: 422,
    meaning: 'Several bank accounts can receive payouts and none was named.',
    resolution: 'Send bank_account_id to POST /v1/beneficiaries/{id}/enroll.',
  },
  BANK_ACCOUNT_NOT_PAYOUT_USABLE: {
    status: 422,
    meaning: 'The named bank account is not verified and validated.',
    resolution: 'Name an account whose payout_usable is true, or correct this one with PUT.',
  },
  BENEFICIARY_ENROLLMENT_FAILED: {
    status: 422,
    meaning: 'The enrollment with the payout provider was rejected, suspended or closed.',
    resolution:
      'Correct the bank details with PUT, call POST /v1/beneficiaries/{id}/enroll, then create the payout.',
  },
  PAYOUT_NOT_FOUND: {
    status: 404,
    meaning: 'The payout does not exist.',
    resolution: 'Check the id and the environment of the key.',
  },
  INVALID_STATE_TRANSITION: {
    status: 409,
    meaning: "The payout's current state does not permit this.",
    resolution: 'GET /v1/payouts/{id} and act on the state that it has.',
  },
  REJECTION_REASON_REQUIRED: {
    status: 400,
    meaning: 'A rejection needs at least one reason.',
    resolution: 'Send at least one reason in reasons.',
  },
  BENEFICIARY_MISMATCH: {
    status: 422,
    meaning: 'The identity in the payout differs from that of the beneficiary.',
    resolution: 'Send the fields as GET /v1/beneficiaries/{id} returns them, or leave them out.',
  },
  INVALID_PURPOSE_OF_PAYMENT: {
    status: 422,
    meaning: 'purpose_of_payment is missing or not a recognised value.',
    resolution: 'Send one of the values of GET /v1/reference/purposes.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    meaning: 'The key was used before with different content; nothing was written.',
    resolution: 'Send the original content to replay it, or a new key for a new request.',
  },
  PREDECESSOR_NOT_REPLACEABLE: {
    status: 422,
    meaning: 'Only a failed or returned payout can be replaced.',
    resolution:
      'GET the predecessor; replace it once it is failed or returned and no contradiction about it waits for an operator.',
  },
  PREDECESSOR_ALREADY_REPLACED: {
    status: 422,
    meaning: 'The predecessor was replaced already.',
    resolution:
      'Use the existing replacement: the payout whose replaces_payout_id is the predecessor.',
  },
  PAYOUT_CONCURRENCY_CONFLICT: {
    status: 409,
    meaning: 'The payout was modified concurrently.',
    resolution: 'GET /v1/payouts/{id}, and send the same request again if it still applies.',
  },
  SANDBOX_WALLET_UNFUNDED: {
    status: 422,
    meaning:
      'The sandbox wallet holds no test money; the payout was refused and nothing was written.',
    resolution:
      'Complete the business profile, which funds the wallet shortly after. Poll GET /v1/funding/account until available_balance_minor is above zero, then send the same create again.',
  },
  EXPORT_EXPIRED: {
    status: 410,
    meaning:
      'The export could be downloaded for a limited time, which is over; its file is deleted.',
    resolution: 'Request a new export.',
  },
  EXPORT_FAILED: {
    status: 422,
    meaning: 'The file of the export could not be written; the message says why.',
    resolution: 'Request a new export; if it fails again, contact support with its id.',
  },
  FUNDING_DEDICATED_ACCOUNT_NOT_PROVISIONED: {
    status: 404,
    meaning: 'The business has no funding account yet.',
    resolution:
      'Complete the business profile with PUT /v1/business/profile, then poll until the account exists.',
  },
  FUNDING_CURRENCY_MISMATCH: {
    status: 422,
    meaning: "The reported currency differs from the funding account's.",
    resolution: "Report the balance in the account's currency.",
  },
  SANDBOX_ONLY: {
    status: 409,
    meaning: 'This is available in the sandbox only.',
    resolution: 'Use a sandbox key.',
  },
  INVALID_MONEY: {
    status: 400,
    meaning:
      'The amount is malformed: unknown currency, not an integer of minor units, or out of range.',
    resolution: 'Send integer minor units with an ISO 4217 code.',
  },
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof catalogue;

/** Whether a string is a code of the catalogue, for codes that travelled as text (GraphQL extensions). */
export function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(catalogue, code);
}
