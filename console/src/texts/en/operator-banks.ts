import { count, counted } from '../plural.ts';

/** Names in a sentence: `ada and ben`. */
const named = (names: readonly string[]): string =>
  new Intl.ListFormat('en', { type: 'conjunction' }).format(names);

/** Texts of the pages of operators about banks. */
export const operatorBankTexts = {
  title: 'Banks',
  lead: 'Files that go to banks, and whether what banks answer can be fetched.',
  actions: 'Actions',
  log: 'What was done',
  connections: {
    title: 'Connections',
    none: 'No business has a bank connection.',
    noneHint: 'An operator connects an account at a bank over GraphQL, with operatorBankConnect.',
    connection: 'Connection',
    account: (currency: string, last4: string) => `${currency} account …${last4}`,
    state: 'State',
    active: 'Active',
    paused: 'Paused',
    pausedMeans: 'No file is made or sent; payouts wait.',
    broken: 'Its files cannot be fetched',
    brokenFor: 'For',
    brokenHint:
      'Nothing is lost: the files stay at the bank, and the next look that succeeds clears this.',
    noFile: 'No file can be made',
    fetched: 'Fetched',
    neverFetched: 'Its files were never fetched yet.',
    way: 'Way of the files',
    ways: { sftp: 'SFTP', folder: 'A folder', manual: 'By hand' },
    hasCredentials: 'Login is stored',
    noCredentials: 'No login is stored',
    cutOff: 'Next cut-off',
    nothingWaits: 'Nothing waits.',
    waits: (payouts: number) =>
      payouts === 1 ? '1 payout waits, for' : `${count(payouts)} payouts wait, the first for`,
    close: 'Make files now',
    closeOf: (name: string) => `Make files now for ${name}`,
    closeMeans: (payouts: number) =>
      `${counted(payouts, 'payout')} will be in files within moments, and not at the cut-off. A payout in a file cannot be canceled or held any more.`,
    closed: 'It is ordered; the files are below within moments.',
  },
  batches: {
    title: 'Files on their way',
    lead: 'First those that wait for a person.',
    none: 'Every file is at its bank.',
    file: 'File',
    name: 'Name of the file',
    sum: 'Sum',
    payments: (payments: number) => counted(payments, 'payment'),
    execution: (day: string) => `To be executed on ${day}`,
    state: 'State',
    states: {
      closed: 'Fixed, not at the bank',
      sending: 'On its way',
      sent: 'At the bank',
      unknown: 'Nobody knows',
      rejected: 'Refused by the bank',
    },
    step: 'Next step',
  },
  step: {
    worker: 'A worker brings it to the bank.',
    recording: 'A worker records its payouts as handed over.',
    download:
      'Download it and upload it at the bank. Another person then records that it is there.',
    yours:
      'You downloaded this file, so another person records that it was uploaded. Two people see to it that the bank gets this very file, and gets it once.',
    theirs: (names: readonly string[]) =>
      `${named(names)} downloaded it. Look in the bank’s portal yourself whether it has a file of this name and SHA-256, and then record the upload.`,
    ask: 'Ask the bank whether it has a file of this name and SHA-256. Nothing is sent again to find out.',
    askedByYou:
      'You found that the bank has not got it. Another person has to ask the bank too: if you were wrong, each payment would be paid twice.',
    askedBy: (name: string) =>
      `${name} found that the bank has not got it. Ask the bank yourself; if you find the same, the same file is sent again.`,
    downloadFile: 'Download',
    downloadAgain: 'Download again',
    downloadOf: (file: string) => `Download ${file}`,
    downloadAgainOf: (file: string) => `Download again ${file}`,
    downloadMeans:
      'The record keeps that you have the file. From then on another person has to record its upload.',
    downloaded: (file: string) => `${file} is among your downloads.`,
    damagedTitle: 'The file was damaged on its way.',
    damaged: 'Its SHA-256 is another one than was fixed. Do not upload it; download it again.',
    upload: 'Record the upload',
    uploadOf: (file: string) => `Record the upload of ${file}`,
    uploadMeans:
      'Its payouts count as handed over from now on. Record it only if you saw the file at the bank, with this SHA-256.',
    uploaded: 'Recorded. Its payouts count as handed over.',
    sent: 'The bank has it',
    sentOf: (file: string) => `The bank has it: ${file}`,
    sentMeans: 'Its payouts count as handed over, and what the bank answers moves them.',
    sentDone: 'Recorded. Its payouts count as handed over.',
    notSent: 'The bank has not got it',
    notSentOf: (file: string) => `The bank has not got it: ${file}`,
    notSentMeans:
      'Only if the bank has not got it and will certainly not process it later. Once two people say so, the same bytes are sent again; if they are wrong, each payment is paid twice.',
    notSentAsked: 'Recorded. Another person has to find the same before it is sent again.',
    notSentDone: 'Recorded. The same file is sent again.',
    sha256: 'SHA-256',
  },
};
