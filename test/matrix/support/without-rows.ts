/** Reads that name no row of the caller's tenant. */
export const withoutRows = new Set([
  // Files, forms and sums, which hold no ids.
  'downloadExport',
  'downloadTaxDocument',
  'query beneficiariesExport',
  'query ledgerEntriesExport',
  'query transactionsExport',
  'query collectionForm',
  'query registrationProof',
  'query figures',
  'query approvalPolicyVersions',
  'query screening',
  'query books',
  'query booksChanges',
  'query bankConnectionChecks',
  'query payoutRoutesPreview',
  'getBooks',
  // The same for everybody.
  'getCorridor',
  'listPurposes',
  'query accountProviders',
  'query corridor',
  'query purposesOfPayment',
  // Of a business, which has both tenants.
  'getBusinessProfile',
  'getCollectionBranding',
  'query accessChanges',
  'query apiKeys',
  'query businessProfile',
  'query collectionBranding',
  'query members',
  'query memberSessions',
  // Of a person.
  'query me',
  'query passkeys',
  'query sessions',
  'query viewer',
]);
