import { bool, object, stored, text, time } from '../../values/columns.ts';
import { ownShownFields } from '../../values/own-fields.ts';

/**
 * What everybody who may read a payee is shown, in the order in which REST answers it behind the id. GraphQL shows more,
 * which stands with its resolvers.
 */
export const shownFields = {
  beneficiaryType: stored('BeneficiaryType', 'person or business; fixed at creation.'),
  name: text('Legal name.'),
  nickname: text.orNull('Label for your own use; it is never sent to a provider.'),
  displayName: text('The nickname when set, otherwise the legal name.'),
  email: text('E-mail address, unique ignoring case among active beneficiaries.'),
  phone: text.orNull('Contact phone.'),
  firstName: text.orNull('Person: given name.'),
  lastName: text.orNull('Person: family name.'),
  countryOfResidence: text.orNull('Person: ISO 3166-1 alpha-2.'),
  dateOfBirth: text.orNull('Person: YYYY-MM-DD. Encrypted at rest.'),
  businessName: text.orNull('Business: legal name.'),
  countryOfIncorporation: text.orNull('Business: ISO 3166-1 alpha-2.'),
  registrationNumber: text.orNull('Business: registration number; never sent to a provider.'),
  taxId: text.orNull('Tax identifier. Encrypted at rest.'),
  postalAddress: object.orNull('PostalAddress', 'Mailing or legal address.'),
  bankDetails: object.orNull(
    'DeprecatedBankDetails',
    'Deprecated. The bank_details of the creation, masked; null when there were none.',
  ),
  complianceStatus: stored('ComplianceStatus', 'Whether the beneficiary may be paid.'),
  identityComplete: bool('Whether every identity field that is required is present.'),
  acknowledgedAt: time.orNull('When the business last attested that it verified the beneficiary.'),
  reacknowledgmentRequired: bool(
    'Whether identity details changed after the acknowledgment. New payouts are refused until the business acknowledges again.',
  ),
  collectionStatus: stored('CollectionStatus', 'How far the collection of the identity is.'),
  detailsSubmittedAt: time.orNull('When the payee completed the collection form.'),
  status: stored(
    'BeneficiaryStatus',
    'What the beneficiary needs next. It follows from the other fields and cannot be set.',
  ),
  enrollmentStatus: stored.orNull(
    'EnrollmentStatus',
    'State of the enrollment with the provider; null when there was none.',
  ),
  pendingRequests: object.list(
    'PendingCollectionRequest',
    'Live collection links, of which there is one at most.',
  ),
  archivedAt: time.orNull('When it was archived; null while active.'),
  erasedAt: time.orNull(
    'When its personal data was erased; null otherwise. Then only the legal name is left, and email is an address at erased.invalid.',
  ),
  ...ownShownFields('payees that are not archived'),
  environment: stored('Environment', 'sandbox or production.'),
  createdAt: time('Time of creation.'),
  updatedAt: time('Time of the last change.'),
};
