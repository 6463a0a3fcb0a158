/** Words for the facts of what operators propose, by their names. */
const facts: Readonly<Record<string, string>> = {
  name: 'Name',
  status: 'State',
  debtorName: 'Payer',
  debtorAddress: 'Address of the payer',
  buildingNumber: 'Number',
  postalCode: 'Postal code',
  initiatorId: 'Id of the initiating party',
  ach: 'ACH',
  formatOptions: 'Format options',
  transport: 'Way of the files',
  kind: 'Kind',
  host: 'Server',
  username: 'User',
  hostKey: 'Key of the server',
  outFolder: 'Folder of files to the bank',
  inFolder: 'Folder of files of the bank',
  last4: 'Last four digits',
  furtherAccounts: 'Further account',
  credentials: 'Login',
  routes: 'Route',
  connectionId: 'Connection',
  amountFromMinor: 'Amount from',
  amountToMinor: 'Amount to',
  membershipId: 'Membership',
  sizeBytes: 'Bytes',
  sha256: 'SHA-256',
  amountMinor: 'Amount in minor units',
};

/** The word for a fact: `timeZone` without one of its own is `Time zone`. */
function factWord(name: string): string {
  const word = facts[name];
  if (word !== undefined) return word;
  const spaced = name
    .replaceAll(/(?=[A-Z])/g, ' ')
    .replaceAll('_', ' ')
    .toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

const objects = {
  bank_connect: 'a new bank connection',
  bank_connection_change: 'the change of a bank connection',
  routes_replace: 'other routes',
  production_key: 'a production key',
  member_invitation: 'a link to a production key for a member',
  bank_file_take: 'a file that was brought by hand',
  bank_line_match: 'a match by hand',
};

/** Texts about changes that need a second operator. */
export const operatorChangeTexts = {
  title: 'Changes that need a second operator',
  fact: factWord,
  what: 'Change',
  kinds: {
    bank_connect: 'A new bank connection',
    bank_connection_change: 'A bank connection changes',
    routes_replace: 'Other routes',
    production_key: 'A production key',
    member_invitation: 'A link to a production key for a member',
    bank_file_take: 'A file of a bank that was brought by hand',
    bank_line_match: 'A movement that was matched by hand',
  },
  of: 'Business',
  about: 'About',
  becomes: 'What is there → what it becomes',
  nothing: 'nothing',
  from: (before: string | null) => `${before ?? 'nothing'} → `,
  nothingDiffers: 'Nothing differs.',
  why: 'Why',
  by: 'Proposed by',
  until: 'Can be confirmed until',
  actions: 'Actions',
  confirm: 'Confirm',
  decline: 'Decline',
  asked: {
    confirmed: (kind: keyof typeof objects, of: string) => `Confirm ${objects[kind]} for ${of}`,
    declined: (kind: keyof typeof objects, of: string) => `Decline ${objects[kind]} for ${of}`,
  },
  answers: { confirmed: 'Confirmed', declined: 'Declined' },
  proposed: 'Proposed to a second operator',
  ofYours: 'You proposed it. Somebody else confirms it.',
  confirmMeans:
    'It is carried out at once, exactly as it stands here. Ask the business or the bank yourself first. Nobody confirms what they proposed themselves.',
  declineMeans: 'It ends without an effect. It can be proposed again.',
  issued: 'Production keys to hand over',
  key: (of: string) => `Production key of ${of}`,
  keyHint: 'It is shown this once. Copy it, and hand it to this member alone:',
  keyDone: 'I have handed it over',
};
