import { id, minorUnits, stored, text, time } from '../../values/columns.ts';

/** What is shown of a movement of an account, to its business and to operators. */
export const lineFields = {
  fileId: id('The file that told of it first.'),
  direction: stored('BankLineDirection', 'credit: money came in. debit: money went out.'),
  amountMinor: minorUnits.orNull(
    'Minor units of currency; null where the bank gives none for it alone.',
  ),
  currency: text('ISO 4217 code.'),
  bookedOn: text.orNull(
    'The day on which the bank booked it, YYYY-MM-DD; null where it says none.',
  ),
  bankReference: text.orNull("The bank's own reference; null where it gives none."),
  endToEndId: text.orNull('The end-to-end reference that it names; null for none.'),
  returnCode: text.orNull('The code with which a payment came back; null where none did.'),
  createdAt: time('When it was read.'),
};
