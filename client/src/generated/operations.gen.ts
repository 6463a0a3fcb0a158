// Generated from docs/openapi.json by `npm run generate`.

import type {
  AcknowledgeBeneficiaryData,
  AcknowledgeBeneficiaryResponses,
  ApprovePayoutData,
  ApprovePayoutResponses,
  ArchiveBeneficiaryData,
  ArchiveBeneficiaryResponses,
  CancelCollectionRequestData,
  CancelCollectionRequestResponses,
  CancelPayoutData,
  CancelPayoutResponses,
  CreateBeneficiaryData,
  CreateBeneficiaryResponses,
  CreateDecisionData,
  CreateDecisionResponses,
  CreatePayoutData,
  CreatePayoutResponses,
  CreatePayoutsInBulkData,
  CreatePayoutsInBulkResponses,
  DecideScreeningHitData,
  DecideScreeningHitResponses,
  DeleteWebhookSubscriptionData,
  DeleteWebhookSubscriptionResponses,
  DownloadExportData,
  DownloadExportResponses,
  DownloadTaxDocumentData,
  DownloadTaxDocumentResponses,
  EnrollBeneficiaryData,
  EnrollBeneficiaryResponses,
  EraseBeneficiaryData,
  EraseBeneficiaryResponses,
  ExportBeneficiariesData,
  ExportBeneficiariesResponses,
  ExportLedgerEntriesData,
  ExportLedgerEntriesResponses,
  ExportPersonalDataData,
  ExportPersonalDataResponses,
  ExportTransactionsData,
  ExportTransactionsResponses,
  GetBeneficiaryData,
  GetBeneficiaryResponses,
  GetBeneficiaryScreeningData,
  GetBeneficiaryScreeningResponses,
  GetBooksData,
  GetBooksResponses,
  GetBusinessProfileData,
  GetBusinessProfileResponses,
  GetCollectionBrandingData,
  GetCollectionBrandingResponses,
  GetCorridorData,
  GetCorridorResponses,
  GetEventData,
  GetEventResponses,
  GetFundingAccountData,
  GetFundingAccountResponses,
  GetPayoutData,
  GetPayoutResponses,
  GetScreeningData,
  GetScreeningHitData,
  GetScreeningHitResponses,
  GetScreeningResponses,
  GetWebhookDeliveryData,
  GetWebhookDeliveryResponses,
  GetWebhookSubscriptionData,
  GetWebhookSubscriptionResponses,
  InviteBeneficiariesData,
  InviteBeneficiariesInBulkData,
  InviteBeneficiariesInBulkResponses,
  InviteBeneficiariesResponses,
  ListAllBankAccountsData,
  ListAllBankAccountsResponses,
  ListBankAccountsData,
  ListBankAccountsResponses,
  ListBeneficiariesData,
  ListBeneficiariesResponses,
  ListDecisionsData,
  ListDecisionsResponses,
  ListEventsData,
  ListEventsResponses,
  ListExportsData,
  ListExportsResponses,
  ListLedgerEntriesData,
  ListLedgerEntriesResponses,
  ListPayoutsData,
  ListPayoutsResponses,
  ListProvidersData,
  ListProvidersResponses,
  ListPurposesData,
  ListPurposesResponses,
  ListScreeningHitsData,
  ListScreeningHitsResponses,
  ListScreeningResultsData,
  ListScreeningResultsResponses,
  ListTaxDocumentsData,
  ListTaxDocumentsResponses,
  ListWebhookDeliveriesData,
  ListWebhookDeliveriesResponses,
  RedeliverWebhookData,
  RedeliverWebhookResponses,
  RedeliverWebhooksData,
  RedeliverWebhooksResponses,
  RegisterBankAccountData,
  RegisterBankAccountResponses,
  RegisterData,
  RegisterResponses,
  RegisterWebhookSubscriptionData,
  RegisterWebhookSubscriptionResponses,
  RejectPayoutData,
  RejectPayoutResponses,
  SetSandboxBalanceData,
  SetSandboxBalanceResponses,
  SimulatePayoutData,
  SimulatePayoutResponses,
  TestWebhookSubscriptionData,
  TestWebhookSubscriptionResponses,
  UpdateBankAccountData,
  UpdateBankAccountResponses,
  UpdateBeneficiaryData,
  UpdateBeneficiaryResponses,
  UpdateBusinessProfileData,
  UpdateBusinessProfileResponses,
  UpdateCollectionBrandingData,
  UpdateCollectionBrandingResponses,
  UpdateWebhookSubscriptionData,
  UpdateWebhookSubscriptionResponses,
  VerifyBankAccountData,
  VerifyBankAccountResponses,
} from './types.gen.ts';

/** The version of the API that these types describe. */
export const apiVersion = '2026-11-01';

/** A code of the error reference. */
export type ErrorCode =
  | 'BANK_ACCOUNT_AMBIGUOUS'
  | 'BANK_ACCOUNT_BENEFICIARY_MISMATCH'
  | 'BANK_ACCOUNT_CHANGED'
  | 'BANK_ACCOUNT_MISSING_ROUTING'
  | 'BANK_ACCOUNT_NOT_FOUND'
  | 'BANK_ACCOUNT_NOT_PAYOUT_USABLE'
  | 'BANK_ACCOUNT_NOT_PENDING'
  | 'BANK_ACCOUNT_NOT_VALIDATED'
  | 'BANK_ACCOUNT_NOT_VERIFIED'
  | 'BANK_ACCOUNT_RAIL_REJECTED'
  | 'BANK_ACCOUNT_VALIDATION_FAILED'
  | 'BENEFICIARY_ARCHIVED'
  | 'BENEFICIARY_EMAIL_ALREADY_EXISTS'
  | 'BENEFICIARY_ENROLLMENT_FAILED'
  | 'BENEFICIARY_IDENTITY_INCOMPLETE'
  | 'BENEFICIARY_IDENTITY_INVALID'
  | 'BENEFICIARY_MISMATCH'
  | 'BENEFICIARY_NOT_COMPLIANT'
  | 'BENEFICIARY_NOT_ERASABLE'
  | 'BENEFICIARY_REACKNOWLEDGMENT_REQUIRED'
  | 'COMPANY_DOMAIN_ALREADY_CLAIMED'
  | 'EMAIL_ALREADY_REGISTERED'
  | 'EXPORT_EXPIRED'
  | 'EXPORT_FAILED'
  | 'EXTERNAL_REF_ALREADY_EXISTS'
  | 'FUNDING_CURRENCY_MISMATCH'
  | 'FUNDING_DEDICATED_ACCOUNT_NOT_PROVISIONED'
  | 'FUNDING_INSUFFICIENT'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'INVALID_MONEY'
  | 'INVALID_PURPOSE_OF_PAYMENT'
  | 'INVALID_STATE_TRANSITION'
  | 'NAME_CHECK_NOT_PASSED'
  | 'NO_PAYOUT_USABLE_BANK_ACCOUNT'
  | 'PAYEE_ADDRESS_INCOMPLETE'
  | 'PAYOUT_BLOCKED_BY_POLICY'
  | 'PAYOUT_CONCURRENCY_CONFLICT'
  | 'PAYOUT_NOT_FOUND'
  | 'PAYOUT_ROUTE_MISSING'
  | 'PAYOUT_ROUTE_UNFIT'
  | 'PREDECESSOR_ALREADY_REPLACED'
  | 'PREDECESSOR_NOT_REPLACEABLE'
  | 'RATE_LIMITED'
  | 'REGISTRATION_RATE_LIMITED'
  | 'REJECTION_REASON_REQUIRED'
  | 'SANDBOX_ONLY'
  | 'SANDBOX_WALLET_UNFUNDED'
  | 'STEP_UP_REQUIRED'
  | 'bad_request'
  | 'conflict'
  | 'forbidden'
  | 'internal_error'
  | 'not_found'
  | 'service_unavailable'
  | 'too_many_requests'
  | 'unauthorized'
  | 'unprocessable_entity'
  | 'validation_failed';

/** Every operation, by its operationId, with what it takes and answers. */
export interface Operations {
  /** Invite up to 100 beneficiaries by e-mail to a hosted form for their details. */
  readonly inviteBeneficiaries: { readonly data: InviteBeneficiariesData; readonly responses: InviteBeneficiariesResponses };
  /** Invite up to 1,000 beneficiaries by their e-mail addresses, as JSON or as a CSV file. */
  readonly inviteBeneficiariesInBulk: { readonly data: Omit<InviteBeneficiariesInBulkData, 'body'> & { body: InviteBeneficiariesInBulkData['body'] | string }; readonly responses: InviteBeneficiariesInBulkResponses };
  /** Cancel a collection request; its link stops working. */
  readonly cancelCollectionRequest: { readonly data: CancelCollectionRequestData; readonly responses: CancelCollectionRequestResponses };
  /** List the tax documents of a beneficiary, oldest first. */
  readonly listTaxDocuments: { readonly data: ListTaxDocumentsData; readonly responses: ListTaxDocumentsResponses };
  /** Register a beneficiary. */
  readonly createBeneficiary: { readonly data: CreateBeneficiaryData; readonly responses: CreateBeneficiaryResponses };
  /** List the beneficiaries that are not archived, newest first. */
  readonly listBeneficiaries: { readonly data: ListBeneficiariesData; readonly responses: ListBeneficiariesResponses };
  /** Read a beneficiary, archived or not. */
  readonly getBeneficiary: { readonly data: GetBeneficiaryData; readonly responses: GetBeneficiaryResponses };
  /** Change fields of a beneficiary; a changed identity must be acknowledged again. */
  readonly updateBeneficiary: { readonly data: UpdateBeneficiaryData; readonly responses: UpdateBeneficiaryResponses };
  /** Archive a beneficiary for good; its payouts under way continue. */
  readonly archiveBeneficiary: { readonly data: ArchiveBeneficiaryData; readonly responses: ArchiveBeneficiaryResponses };
  /** Attest that the business verified the beneficiary, which becomes compliant. */
  readonly acknowledgeBeneficiary: { readonly data: AcknowledgeBeneficiaryData; readonly responses: AcknowledgeBeneficiaryResponses };
  /** Enroll a bank account with the payout provider; 202 if the provider has not answered yet. */
  readonly enrollBeneficiary: { readonly data: EnrollBeneficiaryData; readonly responses: EnrollBeneficiaryResponses };
  /** Erase a beneficiary's personal data for good. */
  readonly eraseBeneficiary: { readonly data: EraseBeneficiaryData; readonly responses: EraseBeneficiaryResponses };
  /** Export everything that is held about one beneficiary, as its right of access demands. */
  readonly exportPersonalData: { readonly data: ExportPersonalDataData; readonly responses: ExportPersonalDataResponses };
  /** Register a bank account, which is verified at once if its owner is compliant. */
  readonly registerBankAccount: { readonly data: RegisterBankAccountData; readonly responses: RegisterBankAccountResponses };
  /** List a beneficiary's bank accounts, oldest first, identifiers masked. */
  readonly listBankAccounts: { readonly data: ListBankAccountsData; readonly responses: ListBankAccountsResponses };
  /** List the bank accounts of all beneficiaries, identifiers masked. */
  readonly listAllBankAccounts: { readonly data: ListAllBankAccountsData; readonly responses: ListAllBankAccountsResponses };
  /** Replace the details of a bank account. */
  readonly updateBankAccount: { readonly data: UpdateBankAccountData; readonly responses: UpdateBankAccountResponses };
  /** Verify a bank account that is pending although its owner is compliant. */
  readonly verifyBankAccount: { readonly data: VerifyBankAccountData; readonly responses: VerifyBankAccountResponses };
  /** Register a business and get its first sandbox key, which is shown only once. */
  readonly register: { readonly data: RegisterData; readonly responses: RegisterResponses };
  /** Read the business profile. */
  readonly getBusinessProfile: { readonly data: GetBusinessProfileData; readonly responses: GetBusinessProfileResponses };
  /** Change the business profile; a complete one is submitted and the sandbox gets its test balance. */
  readonly updateBusinessProfile: { readonly data: UpdateBusinessProfileData; readonly responses: UpdateBusinessProfileResponses };
  /** Read how the collection pages and mails look. */
  readonly getCollectionBranding: { readonly data: GetCollectionBrandingData; readonly responses: GetCollectionBrandingResponses };
  /** Change logo, colour, support contact, privacy link and language of the collection pages and mails. */
  readonly updateCollectionBranding: { readonly data: UpdateCollectionBrandingData; readonly responses: UpdateCollectionBrandingResponses };
  /** List exports that a job writes or has written, newest first, recurring ones included. */
  readonly listExports: { readonly data: ListExportsData; readonly responses: ListExportsResponses };
  /** Read the funding account and its reported balance. */
  readonly getFundingAccount: { readonly data: GetFundingAccountData; readonly responses: GetFundingAccountResponses };
  /** Read what the books say in each currency. */
  readonly getBooks: { readonly data: GetBooksData; readonly responses: GetBooksResponses };
  /** List the entries of the books, newest first. */
  readonly listLedgerEntries: { readonly data: ListLedgerEntriesData; readonly responses: ListLedgerEntriesResponses };
  /** Set the sandbox wallet's balance. */
  readonly setSandboxBalance: { readonly data: SetSandboxBalanceData; readonly responses: SetSandboxBalanceResponses };
  /** Create up to 1,000 payouts, each under its own idempotency key. */
  readonly createPayoutsInBulk: { readonly data: CreatePayoutsInBulkData; readonly responses: CreatePayoutsInBulkResponses };
  /** Create a payout, idempotent on idempotency_key for 24 hours. */
  readonly createPayout: { readonly data: CreatePayoutData; readonly responses: CreatePayoutResponses };
  /** List payouts, newest first. */
  readonly listPayouts: { readonly data: ListPayoutsData; readonly responses: ListPayoutsResponses };
  /** Read a payout. */
  readonly getPayout: { readonly data: GetPayoutData; readonly responses: GetPayoutResponses };
  /** Approve a payout; its disbursement starts. */
  readonly approvePayout: { readonly data: ApprovePayoutData; readonly responses: ApprovePayoutResponses };
  /** Reject a payout, with at least one reason. */
  readonly rejectPayout: { readonly data: RejectPayoutData; readonly responses: RejectPayoutResponses };
  /** Cancel a payout that is not yet handed over to the provider. */
  readonly cancelPayout: { readonly data: CancelPayoutData; readonly responses: CancelPayoutResponses };
  /** Record a decision, idempotent on decision_id within the payout. */
  readonly createDecision: { readonly data: CreateDecisionData; readonly responses: CreateDecisionResponses };
  /** List a payout's decisions, oldest first. */
  readonly listDecisions: { readonly data: ListDecisionsData; readonly responses: ListDecisionsResponses };
  /** Read what a bank account in a country needs. */
  readonly getCorridor: { readonly data: GetCorridorData; readonly responses: GetCorridorResponses };
  /** List the values of purpose_of_payment. */
  readonly listPurposes: { readonly data: ListPurposesData; readonly responses: ListPurposesResponses };
  /** List who can pay, and what. */
  readonly listProviders: { readonly data: ListProvidersData; readonly responses: ListProvidersResponses };
  /** Simulate what a provider reports about a sandbox payout. */
  readonly simulatePayout: { readonly data: SimulatePayoutData; readonly responses: SimulatePayoutResponses };
  /** Read how the screening stands: settings, lists, figures. */
  readonly getScreening: { readonly data: GetScreeningData; readonly responses: GetScreeningResponses };
  /** List the hits of the screening, newest first. */
  readonly listScreeningHits: { readonly data: ListScreeningHitsData; readonly responses: ListScreeningHitsResponses };
  /** Read a hit, with what was decided on it. */
  readonly getScreeningHit: { readonly data: GetScreeningHitData; readonly responses: GetScreeningHitResponses };
  /** Clear or confirm a hit, with a reason. */
  readonly decideScreeningHit: { readonly data: DecideScreeningHitData; readonly responses: DecideScreeningHitResponses };
  /** Read what lists of sanctions say of a beneficiary. */
  readonly getBeneficiaryScreening: { readonly data: GetBeneficiaryScreeningData; readonly responses: GetBeneficiaryScreeningResponses };
  /** List each look at a beneficiary, newest first. */
  readonly listScreeningResults: { readonly data: ListScreeningResultsData; readonly responses: ListScreeningResultsResponses };
  /** Register the webhook endpoint, or replace it and rotate its secret. */
  readonly registerWebhookSubscription: { readonly data: RegisterWebhookSubscriptionData; readonly responses: RegisterWebhookSubscriptionResponses };
  /** Read the webhook endpoint. */
  readonly getWebhookSubscription: { readonly data: GetWebhookSubscriptionData; readonly responses: GetWebhookSubscriptionResponses };
  /** Change the webhook endpoint without rotating its secret. */
  readonly updateWebhookSubscription: { readonly data: UpdateWebhookSubscriptionData; readonly responses: UpdateWebhookSubscriptionResponses };
  /** Delete the webhook endpoint and cancel its pending deliveries. */
  readonly deleteWebhookSubscription: { readonly data: DeleteWebhookSubscriptionData; readonly responses: DeleteWebhookSubscriptionResponses };
  /** Send an event of the type webhook.test to the endpoint. */
  readonly testWebhookSubscription: { readonly data: TestWebhookSubscriptionData; readonly responses: TestWebhookSubscriptionResponses };
  /** List webhook deliveries, newest first. */
  readonly listWebhookDeliveries: { readonly data: ListWebhookDeliveriesData; readonly responses: ListWebhookDeliveriesResponses };
  /** Read a webhook delivery with its attempts. */
  readonly getWebhookDelivery: { readonly data: GetWebhookDeliveryData; readonly responses: GetWebhookDeliveryResponses };
  /** Send the deliveries of a window of time again, spread over time. */
  readonly redeliverWebhooks: { readonly data: RedeliverWebhooksData; readonly responses: RedeliverWebhooksResponses };
  /** Send a delivery again, with the same event id and a new set of attempts. */
  readonly redeliverWebhook: { readonly data: RedeliverWebhookData; readonly responses: RedeliverWebhookResponses };
  /** List events, with what was sent and what was not. */
  readonly listEvents: { readonly data: ListEventsData; readonly responses: ListEventsResponses };
  /** Read an event, with what was sent and what was not. */
  readonly getEvent: { readonly data: GetEventData; readonly responses: GetEventResponses };
  /** Download all payouts that match as CSV, oldest first. */
  readonly exportTransactions: { readonly data: ExportTransactionsData; readonly responses: ExportTransactionsResponses };
  /** Download the beneficiaries as CSV, without archived ones. */
  readonly exportBeneficiaries: { readonly data: ExportBeneficiariesData; readonly responses: ExportBeneficiariesResponses };
  /** Download all entries of the books that match as CSV, oldest first. */
  readonly exportLedgerEntries: { readonly data: ExportLedgerEntriesData; readonly responses: ExportLedgerEntriesResponses };
  /** Download the file of an export; 202 with its progress while it is being written. */
  readonly downloadExport: { readonly data: DownloadExportData; readonly responses: DownloadExportResponses };
  /** Download the file of a tax document. */
  readonly downloadTaxDocument: { readonly data: DownloadTaxDocumentData; readonly responses: DownloadTaxDocumentResponses };
}

export interface Operation {
  readonly method: string;
  readonly path: string;
  /** The field of the body that makes it take effect once; `rows`: each row has one. */
  readonly key?: string;
  /** The field of the answer that holds the rows of a page. */
  readonly items?: string;
  /** The media types of the files that it answers in the place of JSON. */
  readonly files?: readonly string[];
}

export const operations: Readonly<Record<keyof Operations, Operation>> = {
  inviteBeneficiaries: { method: 'POST', path: '/v1/beneficiaries/collection-invites' },
  inviteBeneficiariesInBulk: { method: 'POST', path: '/v1/beneficiaries/bulk-invites' },
  cancelCollectionRequest: { method: 'DELETE', path: '/v1/beneficiaries/{id}/collection-requests/{requestId}' },
  listTaxDocuments: { method: 'GET', path: '/v1/beneficiaries/{id}/tax-documents' },
  createBeneficiary: { method: 'POST', path: '/v1/beneficiaries', key: 'idempotency_key' },
  listBeneficiaries: { method: 'GET', path: '/v1/beneficiaries', items: 'beneficiaries' },
  getBeneficiary: { method: 'GET', path: '/v1/beneficiaries/{id}' },
  updateBeneficiary: { method: 'PUT', path: '/v1/beneficiaries/{id}' },
  archiveBeneficiary: { method: 'DELETE', path: '/v1/beneficiaries/{id}' },
  acknowledgeBeneficiary: { method: 'POST', path: '/v1/beneficiaries/{id}/compliance-acknowledgment' },
  enrollBeneficiary: { method: 'POST', path: '/v1/beneficiaries/{id}/enroll' },
  eraseBeneficiary: { method: 'POST', path: '/v1/beneficiaries/{id}/erase' },
  exportPersonalData: { method: 'POST', path: '/v1/beneficiaries/{id}/personal-data' },
  registerBankAccount: { method: 'POST', path: '/v1/beneficiaries/{id}/bank-accounts', key: 'idempotency_key' },
  listBankAccounts: { method: 'GET', path: '/v1/beneficiaries/{id}/bank-accounts' },
  listAllBankAccounts: { method: 'GET', path: '/v1/bank-accounts', items: 'bank_accounts' },
  updateBankAccount: { method: 'PUT', path: '/v1/beneficiaries/{id}/bank-accounts/{accountId}' },
  verifyBankAccount: { method: 'POST', path: '/v1/beneficiaries/{id}/bank-accounts/{accountId}/verify' },
  register: { method: 'POST', path: '/v1/registration' },
  getBusinessProfile: { method: 'GET', path: '/v1/business/profile' },
  updateBusinessProfile: { method: 'PUT', path: '/v1/business/profile' },
  getCollectionBranding: { method: 'GET', path: '/v1/business/collection-branding' },
  updateCollectionBranding: { method: 'PUT', path: '/v1/business/collection-branding' },
  listExports: { method: 'GET', path: '/v1/exports', items: 'exports' },
  getFundingAccount: { method: 'GET', path: '/v1/funding/account' },
  getBooks: { method: 'GET', path: '/v1/funding/books' },
  listLedgerEntries: { method: 'GET', path: '/v1/funding/entries', items: 'entries' },
  setSandboxBalance: { method: 'POST', path: '/v1/business/funding-account/sandbox-balance' },
  createPayoutsInBulk: { method: 'POST', path: '/v1/payouts/bulk', key: 'rows' },
  createPayout: { method: 'POST', path: '/v1/payouts', key: 'idempotency_key' },
  listPayouts: { method: 'GET', path: '/v1/payouts', items: 'payouts' },
  getPayout: { method: 'GET', path: '/v1/payouts/{payoutId}' },
  approvePayout: { method: 'POST', path: '/v1/payouts/{payoutId}/approve', key: 'decision_id' },
  rejectPayout: { method: 'POST', path: '/v1/payouts/{payoutId}/reject', key: 'decision_id' },
  cancelPayout: { method: 'POST', path: '/v1/payouts/{payoutId}/cancel' },
  createDecision: { method: 'POST', path: '/v1/payouts/{payoutId}/decisions', key: 'decision_id' },
  listDecisions: { method: 'GET', path: '/v1/payouts/{payoutId}/decisions', items: 'decisions' },
  getCorridor: { method: 'GET', path: '/v1/reference/corridors/{country}' },
  listPurposes: { method: 'GET', path: '/v1/reference/purposes' },
  listProviders: { method: 'GET', path: '/v1/reference/providers' },
  simulatePayout: { method: 'POST', path: '/v1/sandbox/payouts/{payoutId}/simulate' },
  getScreening: { method: 'GET', path: '/v1/screening' },
  listScreeningHits: { method: 'GET', path: '/v1/screening/hits', items: 'hits' },
  getScreeningHit: { method: 'GET', path: '/v1/screening/hits/{hitId}' },
  decideScreeningHit: { method: 'POST', path: '/v1/screening/hits/{hitId}/decide' },
  getBeneficiaryScreening: { method: 'GET', path: '/v1/beneficiaries/{id}/screening' },
  listScreeningResults: { method: 'GET', path: '/v1/beneficiaries/{id}/screening/results', items: 'results' },
  registerWebhookSubscription: { method: 'POST', path: '/v1/webhook-subscriptions' },
  getWebhookSubscription: { method: 'GET', path: '/v1/webhook-subscriptions' },
  updateWebhookSubscription: { method: 'PATCH', path: '/v1/webhook-subscriptions' },
  deleteWebhookSubscription: { method: 'DELETE', path: '/v1/webhook-subscriptions' },
  testWebhookSubscription: { method: 'POST', path: '/v1/webhook-subscriptions/test' },
  listWebhookDeliveries: { method: 'GET', path: '/v1/webhook-subscriptions/deliveries', items: 'deliveries' },
  getWebhookDelivery: { method: 'GET', path: '/v1/webhook-subscriptions/deliveries/{deliveryId}' },
  redeliverWebhooks: { method: 'POST', path: '/v1/webhook-subscriptions/deliveries/redeliver' },
  redeliverWebhook: { method: 'POST', path: '/v1/webhook-subscriptions/deliveries/{deliveryId}/redeliver' },
  listEvents: { method: 'GET', path: '/v1/events', items: 'events' },
  getEvent: { method: 'GET', path: '/v1/events/{id}' },
  exportTransactions: { method: 'GET', path: '/v1/reporting/transactions/export', files: ['text/csv'] },
  exportBeneficiaries: { method: 'GET', path: '/v1/beneficiaries/export', files: ['text/csv'] },
  exportLedgerEntries: { method: 'GET', path: '/v1/funding/entries/export', files: ['text/csv'] },
  downloadExport: { method: 'GET', path: '/v1/exports/{exportId}', files: ['text/csv'] },
  downloadTaxDocument: { method: 'GET', path: '/v1/beneficiaries/{id}/tax-documents/{documentId}/content', files: ['application/pdf', 'image/png', 'image/jpeg'] },
};
