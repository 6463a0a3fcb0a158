import { id, int, minorUnitsTotal, stored, text, time } from '../../values/columns.ts';

/*
 * What is shown of a file for a bank and of its payments, declared once. The types of a business and those of operators
 * have these fields and further ones of their own.
 */

export const batchFields = {
  connectionId: id('The bank connection.'),
  scheme: stored('BankScheme', 'How the bank pays it.'),
  status: stored('BankBatchStatus', 'What is known of it.'),
  closedBy: stored('BankBatchClosing', 'Why it was closed.'),
  fileName: text('Name of the file at the bank.'),
  sha256: text('SHA-256 of the file, in hexadecimal digits.'),
  sizeBytes: int('Bytes of the file.'),
  messageId: text('Id of the message at the bank, which its status reports repeat.'),
  currency: text('ISO 4217 code.'),
  paymentCount: int('How many payments it has.'),
  controlSumMinor: minorUnitsTotal('What they come to, in minor units of currency.'),
  executionDate: text('The day on which the bank is asked to pay, YYYY-MM-DD.'),
  closedAt: time('When it was closed.'),
  sentAt: time.orNull('Since when it certainly is at the bank; null before.'),
  problem: text.orNull('Why the latest try did not bring it there; null where there is none.'),
};

export const batchPaymentFields = {
  position: int('Its place in the file, from 1.'),
  payoutId: id('The payout.'),
  attemptId: id('The submission of the payout.'),
  endToEndId: text("Reference of the payout, which the payee's bank and every report repeat."),
};
