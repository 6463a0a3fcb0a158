import { purposesOfPayment } from '../reference/purposes.ts';

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
    resolution:
      'Correct what the message names, then send the request again. GET /v1/openapi.json says what each operation takes.',
  },
  validation_failed: {
    status: 400,
    meaning: 'The input failed validation; details lists each rejected field.',
    resolution:
      'Correct each field that details names: its message says what is expected. Then send the request again. GET /v1/openapi.json describes every field.',
  },
  unauthorized: {
    status: 401,
    meaning:
      'There is no credential (an API key, or the session of a person), or it is mistyped, unknown, revoked or has ended; the message says which.',
    resolution:
      'Send the whole of a key in the header Authorization: Bearer <API_KEY>. POST /v1/registration gives the first one; in the place of a revoked key, an owner or admin makes another with apiKeyCreate in POST /graphql. In the console, sign in again.',
  },
  forbidden: {
    status: 403,
    meaning: 'The credential is valid but may not do this.',
    resolution:
      'Use a key that has what the message names: x-roles of GET /v1/openapi.json lists the roles of each operation, and an owner or admin makes a key with apiKeyCreate in POST /graphql. The same key gets the same answer again.',
  },
  not_found: {
    status: 404,
    meaning: 'The resource does not exist or is outside your environment.',
    resolution:
      'Check the id, and that the key is of the environment in which it was made. The list of the resource, for example GET /v1/beneficiaries, has the ids that the key finds.',
  },
  conflict: {
    status: 409,
    meaning: "The request conflicts with the resource's current state.",
    resolution:
      'The message says which state forbids the request, or that another request came between. GET the resource, for example GET /v1/beneficiaries/{id}; send the request again once that state has changed, or at once where another request came between.',
  },
  unprocessable_entity: {
    status: 422,
    meaning: 'The request is well-formed but a precondition is not met.',
    resolution:
      'Meet the precondition that the message names, then send the request again; unchanged, it gets the same answer.',
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
      'Send the request again once, with the same idempotency_key if it has one, so that it takes effect once. If it fails again, give the request_id to support.',
  },
  service_unavailable: {
    status: 503,
    meaning: 'The service cannot answer at the moment.',
    resolution:
      'Wait as long as Retry-After says and send the same request again, with the same idempotency_key if it has one, so that it takes effect once.',
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
      'Wait as long as Retry-After says, then POST /v1/registration again. If your company has an account, its owner or admin invites you with memberInvite in POST /graphql.',
  },
  EMAIL_ALREADY_REGISTERED: {
    status: 409,
    meaning: 'An account already exists for this e-mail address.',
    resolution:
      'Use a key of the existing account, or sign in to the console with the address. If nobody has proven that account yet, the address gets a mail: its link proves that the address is yours, and takes it over. Or register with another address by POST /v1/registration.',
  },
  COMPANY_DOMAIN_ALREADY_CLAIMED: {
    status: 409,
    meaning: 'Another registrant already claimed this corporate e-mail domain.',
    resolution:
      'Ask the owner or an admin of your company to invite you with memberInvite in POST /graphql. If nobody has proven that registration yet, your address gets a mail: its link proves yours, and takes the domain over.',
  },
  BENEFICIARY_NOT_COMPLIANT: {
    status: 422,
    meaning: 'The beneficiary is not compliant, which payouts require.',
    resolution:
      'Complete the identity with PUT /v1/beneficiaries/{id}, then POST /v1/beneficiaries/{id}/compliance-acknowledgment. Where compliance_status is suspended, only the platform can lift that: ask its support.',
  },
  BENEFICIARY_REACKNOWLEDGMENT_REQUIRED: {
    status: 422,
    meaning: 'Identity details changed since the acknowledgment; new payouts are blocked.',
    resolution:
      'Attest again with POST /v1/beneficiaries/{id}/compliance-acknowledgment, then send the request again.',
  },
  BENEFICIARY_IDENTITY_INVALID: {
    status: 422,
    meaning: 'An identity field does not belong to the chosen beneficiary_type.',
    resolution:
      'Leave out the fields that the message names, which belong to the other type, and send the request again. GET /v1/beneficiaries/{id} shows the type, which cannot change.',
  },
  BENEFICIARY_IDENTITY_INCOMPLETE: {
    status: 422,
    meaning: 'Required identity details of the beneficiary_type are missing.',
    resolution:
      'Add the fields that the message names: to POST /v1/beneficiaries at registration, later with PUT /v1/beneficiaries/{id}. Then acknowledge the beneficiary.',
  },
  BENEFICIARY_ARCHIVED: {
    status: 422,
    meaning: 'The beneficiary is archived: it takes no changes, invites, bank accounts or payouts.',
    resolution: 'Register it again with POST /v1/beneficiaries and use the new id.',
  },
  BENEFICIARY_NOT_ERASABLE: {
    status: 409,
    meaning: 'The beneficiary cannot be erased yet; the message lists what is still under way.',
    resolution:
      'Let the payouts that the message names end, or cancel them with POST /v1/payouts/{payoutId}/cancel, and wait for what the payout provider or our support has to answer. Then send the request again.',
  },
  BENEFICIARY_EMAIL_ALREADY_EXISTS: {
    status: 409,
    meaning: 'A beneficiary with this e-mail address exists already.',
    resolution:
      'Find it with GET /v1/beneficiaries?email=<address> and change it with PUT /v1/beneficiaries/{id}, or send another address.',
  },
  EXTERNAL_REF_ALREADY_EXISTS: {
    status: 409,
    meaning: 'Another beneficiary, or another bank account, has this external_ref already.',
    resolution:
      'Find it with GET /v1/beneficiaries?external_ref=<reference> or GET /v1/bank-accounts?external_ref=<reference> and use it, or send another reference.',
  },
  BANK_ACCOUNT_MISSING_ROUTING: {
    status: 422,
    meaning: 'The bank account has no routing identifier.',
    resolution:
      'Include one of iban, account_number, swift_bic, clabe, pix_key. GET /v1/reference/corridors/{country} says which of them the country needs.',
  },
  BANK_ACCOUNT_VALIDATION_FAILED: {
    status: 422,
    meaning:
      'The bank details failed a format or checksum test; nothing was stored. details names the field.',
    resolution:
      'Correct the fields that details names and send the bank details again. GET /v1/reference/corridors/{country} has the form of each.',
  },
  BANK_ACCOUNT_NOT_PENDING: {
    status: 409,
    meaning: 'A bank account can be verified only while it is pending_verification.',
    resolution:
      'Nothing more to do: GET /v1/beneficiaries/{id}/bank-accounts shows the account as verified, and payouts can go there.',
  },
  PAYOUT_BLOCKED_BY_POLICY: {
    status: 422,
    meaning: 'A rule of the approval policy blocks payouts like this one.',
    resolution:
      'The message has the reason that the rule gives. Pay in another way that the rules permit, or ask an owner or admin, who see the rules with approvalPolicy in POST /graphql. Unchanged, the request gets the same answer.',
  },
  STEP_UP_REQUIRED: {
    status: 403,
    meaning:
      'The approval policy asks for the signature of a passkey over what is approved; nothing was approved. An API key cannot give one.',
    resolution:
      'Let a person approve the payout in the console, who has a passkey there. With a session, payoutStepUpBegin in POST /graphql says what is to be signed. Unchanged, the request gets the same answer.',
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
    resolution:
      'Use an id of GET /v1/beneficiaries/{id}/bank-accounts, or register the account with POST /v1/beneficiaries/{id}/bank-accounts.',
  },
  BANK_ACCOUNT_BENEFICIARY_MISMATCH: {
    status: 422,
    meaning: 'The bank account belongs to another beneficiary.',
    resolution:
      'Use an id of GET /v1/beneficiaries/{id}/bank-accounts for the beneficiary that is to be paid.',
  },
  BANK_ACCOUNT_NOT_VERIFIED: {
    status: 422,
    meaning: 'The bank account must be verified to receive payouts.',
    resolution:
      'Acknowledge its owner with POST /v1/beneficiaries/{id}/compliance-acknowledgment, then send the request again.',
  },
  BANK_ACCOUNT_NOT_VALIDATED: {
    status: 422,
    meaning:
      'The bank account is verified, but its details cannot be checked, so it is never paid: a UK account without an IBAN, or a country without a check.',
    resolution:
      'GET /v1/beneficiaries/{id}/bank-accounts says why in unusable_reason. iban_required: send the IBAN with PUT /v1/beneficiaries/{id}/bank-accounts/{accountId}. country_not_supported: register an account in the United States or a SEPA country.',
  },
  BANK_ACCOUNT_RAIL_REJECTED: {
    status: 422,
    meaning: 'The payment rail refused this bank account; rail_rejection_reason says why.',
    resolution:
      'Correct the details with PUT /v1/beneficiaries/{id}/bank-accounts/{accountId} and call POST /v1/beneficiaries/{id}/enroll with bank_account_id, or register and enroll another account.',
  },
  PAYOUT_ROUTE_MISSING: {
    status: 422,
    meaning:
      'No route of the business pays in this currency and amount to the country of the bank account.',
    resolution:
      'payoutRoutes in POST /graphql lists what is paid. Pay to another account of the beneficiary, or ask whoever runs the service for a route; in the sandbox an owner or admin sets them with sandboxRoutesReplace.',
  },
  PAYEE_ADDRESS_INCOMPLETE: {
    status: 422,
    meaning:
      "The payout leaves in a file for a bank, which refuses it without the payee's address; details lists what is missing.",
    resolution:
      'Complete postal_address with PUT /v1/beneficiaries/{id}: line1, city and country are needed. Then attest again that you have verified the payee with POST /v1/beneficiaries/{id}/compliance-acknowledgment, and create the payout again.',
  },
  PAYOUT_ROUTE_UNFIT: {
    status: 422,
    meaning:
      'The payout leaves in a file for a bank, and a field does not fit into it; details lists each.',
    resolution:
      'Correct the fields that details names: those of the bank account with PUT /v1/beneficiaries/{id}/bank-accounts/{accountId}, postal_address with PUT /v1/beneficiaries/{id}, after which the payee is acknowledged again with POST /v1/beneficiaries/{id}/compliance-acknowledgment. Then create the payout again.',
  },
  NO_PAYOUT_USABLE_BANK_ACCOUNT: {
    status: 422,
    meaning: 'There is no verified and validated bank account to enroll.',
    resolution:
      'GET /v1/beneficiaries/{id}/bank-accounts says in unusable_reason what each account lacks. Where there is none, register one with POST /v1/beneficiaries/{id}/bank-accounts.',
  },
  BANK_ACCOUNT_AMBIGUOUS: {
    status: 422,
    meaning: 'Several bank accounts can receive payouts and none was named.',
    resolution:
      'Name one with bank_account_id in POST /v1/beneficiaries/{id}/enroll; GET /v1/beneficiaries/{id}/bank-accounts lists them.',
  },
  BANK_ACCOUNT_NOT_PAYOUT_USABLE: {
    status: 422,
    meaning: 'The named bank account is not verified and validated.',
    resolution:
      'GET /v1/beneficiaries/{id}/bank-accounts and name an account whose payout_usable is true. For the others unusable_reason has the call that helps.',
  },
  BENEFICIARY_ENROLLMENT_FAILED: {
    status: 422,
    meaning: 'The enrollment with the payout provider was rejected, suspended or closed.',
    resolution:
      'Correct the bank details with PUT /v1/beneficiaries/{id}/bank-accounts/{accountId}, call POST /v1/beneficiaries/{id}/enroll, then create the payout.',
  },
  NAME_CHECK_NOT_PASSED: {
    status: 409,
    meaning:
      "What the bank of the account says of its holder's name stops the approval: it has not answered, or the business wants a confirmation, or pays no such account.",
    resolution:
      'GET /v1/beneficiaries/{id}/bank-accounts: name_check says what the bank answered. Correct the details with PUT /v1/beneficiaries/{id}/bank-accounts/{accountId}, or let an approver confirm the name.',
  },
  PAYOUT_NOT_FOUND: {
    status: 404,
    meaning: 'The payout does not exist.',
    resolution:
      'Use an id of GET /v1/payouts, with a key of the environment in which the payout was made.',
  },
  INVALID_STATE_TRANSITION: {
    status: 409,
    meaning: "The payout's current state does not permit this.",
    resolution:
      'GET /v1/payouts/{id} and act on its state; permittedActions of Query.payout in POST /graphql lists what the state permits. The same request helps only after the state has changed.',
  },
  REJECTION_REASON_REQUIRED: {
    status: 400,
    meaning: 'A rejection needs at least one reason.',
    resolution:
      'Send {"reasons": [{"message": "…"}]} to POST /v1/payouts/{id}/reject, or the same reasons with a rejecting decision.',
  },
  BENEFICIARY_MISMATCH: {
    status: 422,
    meaning: 'The identity in the payout differs from that of the beneficiary.',
    resolution:
      'Send the fields of beneficiary as GET /v1/beneficiaries/{id} returns them, or leave beneficiary out.',
  },
  INVALID_PURPOSE_OF_PAYMENT: {
    status: 422,
    meaning: 'purpose_of_payment is missing or not a recognised value.',
    resolution: `Send one of ${purposesOfPayment.join(', ')}. GET /v1/reference/purposes lists them too.`,
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    meaning: 'The key was used before with different content; nothing was written.',
    resolution:
      'Send the original content to get the original answer, or a new key for a new request. GET /v1/payouts?idempotency_key=<key> shows the payout of a key, GET /v1/payouts/{id}/decisions the decisions.',
  },
  PREDECESSOR_NOT_REPLACEABLE: {
    status: 422,
    meaning: 'Only a failed or returned payout can be replaced.',
    resolution:
      'GET /v1/payouts/{id} of the predecessor, and replace it once it is failed or returned. Where it is already and the message says that it may have been paid, wait until the platform has found that it was not.',
  },
  PREDECESSOR_ALREADY_REPLACED: {
    status: 422,
    meaning: 'The predecessor was replaced already.',
    resolution:
      'Use the existing replacement: in GET /v1/payouts?beneficiary_id=<id>, the payout whose replaces_payout_id is the predecessor. If that one failed, replace it in turn.',
  },
  PAYOUT_CONCURRENCY_CONFLICT: {
    status: 409,
    meaning: 'The payout was modified concurrently.',
    resolution:
      'GET /v1/payouts/{id}, and send the same request again if it still applies; that is safe.',
  },
  SANDBOX_WALLET_UNFUNDED: {
    status: 422,
    meaning:
      'The sandbox wallet holds no test money; the payout was refused and nothing was written.',
    resolution:
      'Complete the business profile with PUT /v1/business/profile, which funds the wallet shortly after. Poll GET /v1/funding/account until available_balance_minor is above zero, then send the same create again with the same idempotency_key.',
  },
  FUNDING_INSUFFICIENT: {
    status: 422,
    meaning:
      'Approving needs more than the funds available: those posted, less what is held for approved payouts. details has the shortfall; nothing was written.',
    resolution:
      'Add at least shortfall_minor of the currency to your funds, or cancel approved payouts with POST /v1/payouts/{id}/cancel. GET /v1/funding/account shows what is available; then send the same request again.',
  },
  EXPORT_EXPIRED: {
    status: 410,
    meaning:
      'The export could be downloaded for a limited time, which is over; its file is deleted.',
    resolution:
      'Ask for a new file: the export with the header Prefer: respond-async, GET /v1/beneficiaries/export or GET /v1/reporting/transactions/export.',
  },
  EXPORT_FAILED: {
    status: 422,
    meaning: 'The file of the export could not be written; the message says why.',
    resolution:
      'Ask for a new file: the export with the header Prefer: respond-async, GET /v1/beneficiaries/export or GET /v1/reporting/transactions/export. If it fails again, give its id to support.',
  },
  FUNDING_DEDICATED_ACCOUNT_NOT_PROVISIONED: {
    status: 404,
    meaning: 'The business has no funding account yet.',
    resolution:
      'Complete the business profile with PUT /v1/business/profile, then poll GET /v1/funding/account until it is there. What there is without one, as with a bank of your own, is read with GET /v1/funding/books.',
  },
  FUNDING_CURRENCY_MISMATCH: {
    status: 422,
    meaning: "The reported currency differs from the funding account's.",
    resolution:
      'GET /v1/funding/account shows the currency of the account; report the balance in that one.',
  },
  SANDBOX_ONLY: {
    status: 409,
    meaning: 'This is available in the sandbox only.',
    resolution: 'Use a sandbox key: the call has no counterpart in production.',
  },
  INVALID_MONEY: {
    status: 400,
    meaning:
      'The amount is malformed: unknown currency, not an integer of minor units, or out of range.',
    resolution:
      'Send an integer of minor units, 1 to 999,999,999,999, with an active ISO 4217 code in upper case: 12.50 EUR is {"amount_minor": 1250, "currency": "EUR"}.',
  },
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof catalogue;

/** Whether a string is a code of the catalogue, for codes that travelled as text (GraphQL extensions). */
export function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(catalogue, code);
}
