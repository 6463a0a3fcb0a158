import { count, counted } from '../plural.ts';

/** Texts of the import of a CSV. */
export const importTexts = {
  title: 'Import payouts',
  lead: 'A CSV of up to 1,000 rows. Each row is checked before anything is made.',
  file: 'CSV file',
  columnsTitle: 'Columns',
  columnsLead: 'The first line names the columns, in any order:',
  columns: {
    beneficiary_id: 'id of the payee',
    bank_account_id: 'id of the payee’s account',
    amount: 'in major units, such as 1234.50',
    currency: 'ISO 4217, the account’s',
    purpose_of_payment: 'a value of the reference list',
    external_ref: 'optional: your reference',
    idempotency_key: 'optional: a key of your own, by which a repetition is known',
  },
  template: 'Download a template',
  again:
    'A row without a key gets one from its content: the same file, or the same row in another file, makes nothing twice. A second payment that is meant needs a key of its own. The list of what was refused can be corrected and chosen here again.',
  problem: {
    empty: 'The file has no rows.',
    tooMany: (n: number) => `The file has ${count(n)} rows; 1,000 is the most.`,
    tooLarge: 'The file is larger than 2 MB.',
    columns: (names: string) => `Columns are missing: ${names}.`,
    unknown: (names: string) => `Columns are unknown: ${names}.`,
    twice: (name: string) => `The column ${name} is there twice.`,
    encoding: 'The file is not in UTF-8. Save it as “CSV UTF-8” in your spreadsheet.',
    quotes: (line: number) =>
      `Line ${line} is no CSV: its quotes or its number of cells are wrong.`,
  },
  fault: {
    missing: (name: string) => `${name} is missing.`,
    amount: 'The amount is no amount of the currency. Write a point before its fraction.',
    twice: (line: number) => `The row stands in line ${line} too, under the same key.`,
  },
  checking: 'Checking each row …',
  creating: 'Making the payouts …',
  outcome: {
    fits: 'Fits',
    failed: 'Refused',
    earlier: 'Made before',
    created: 'Made',
    replayed: 'Made before',
  },
  summary: (fits: number, failed: number, earlier: number) =>
    [
      `${counted(fits, 'row')} ${fits === 1 ? 'fits' : 'fit'}`,
      `${count(failed)} ${failed === 1 ? 'is' : 'are'} refused`,
      ...(earlier > 0 ? [`${count(earlier)} ${earlier === 1 ? 'was' : 'were'} made before`] : []),
    ].join(', '),
  result: (made: number, failed: number, earlier: number) =>
    [
      `${counted(made, 'payout')} made`,
      `${count(failed)} refused`,
      ...(earlier > 0 ? [`${count(earlier)} made before`] : []),
    ].join(', '),
  create: (n: number) => `Make ${counted(n, 'payout')}`,
  sum: 'Together',
  download: 'Download what is refused',
  downloadName: 'refused-payouts.csv',
  other: 'Choose another file',
  caption: 'Rows of the file',
  column: {
    line: 'Line',
    outcome: 'Outcome',
    payee: 'Payee',
    amount: 'Amount',
    reference: 'Reference',
    why: 'Why',
  },
  earlier: 'A payout was made with this key before: ',
  confirm: {
    title: (n: number) => `Make ${counted(n, 'payout')}?`,
    text: 'They then wait for an approval. Rows that are refused or were made before are left out.',
  },
  mayNot: 'Your role does not make payouts. Owners, administrators and preparers do.',
};
