import { bool, id, object, stored, text, time } from '../../values/columns.ts';
import { ownShownFields } from '../../values/own-fields.ts';

/**
 * What everybody who may read a bank account is shown, in the order in which REST answers it behind the id. GraphQL
 * shows more, which stands with its resolvers.
 */
export const shownFields = {
  beneficiaryId: id('The owner.'),
  accountHolderName: text('Legal name on the account.'),
  currency: text('ISO 4217.'),
  country: text('Country of the bank, alpha-2.'),
  status: stored('BankAccountStatus', 'Whether the account is verified.'),
  validationStatus: stored('ValidationStatus', 'Whether the routing details are validated.'),
  payoutUsable: bool('Verified, validated and not rejected by the rail.'),
  unusableReason: object.orNull(
    'BankAccountUnusable',
    'Why no payout can go there: why payoutUsable is false, or no_route for an account that is in order. Null where payouts can go there. Of several reasons, what only other details can change comes first.',
  ),
  last4: text('Last four characters of the identifier.'),
  accountType: stored.orNull(
    'AccountType',
    'US ACH account type; enrolled as checking when unset.',
  ),
  bankName: text.orNull('Name of the bank.'),
  nameCheck: object.orNull(
    'BankAccountNameCheck',
    'Whether the bank has the holder by that name; null where it was not asked.',
  ),
  railRejectionReason: text.orNull("The rail's reason when it refused the account."),
  ...ownShownFields('accounts of payees that are not archived'),
  createdAt: time('Time of registration.'),
  updatedAt: time('Time of the last change.'),
};
