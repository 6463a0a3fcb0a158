/**
 * What the mail with a collection link says, in English. The other languages have this object's type,
 * so a text that is missing in one of them does not compile. Names are put in as plain text.
 */
export const en = {
  /** For dates. */
  locale: 'en-GB',
  /** Behind a label that stands before an address. */
  colon: ':',
  greeting: (name: string) => `Hello ${name},`,
  greetingWithoutName: 'Hello,',
  subject: {
    full_onboarding: (business: string) => `${business} asks for your payout details`,
    bank_details: (business: string) => `${business} asks for your bank details`,
    tax_documents: (business: string) => `${business} asks for a tax document`,
  },
  why: {
    full_onboarding: (business: string) =>
      `${business} wants to pay you, and needs to know who you are and where to send the money: your identity details, your address and a bank account.`,
    bank_details: (business: string) =>
      `${business} wants to pay you, and needs to know the bank account that the money is to be sent to.`,
    tax_documents: (business: string) =>
      `${business} pays you, and needs your tax number and a tax document: a PDF, or a photo of the form.`,
  },
  open: 'Open the form',
  until: (until: string) => `The link works until ${until}.`,
  copy: 'If the button does not work, copy this address into your browser:',
  rules:
    'The link opens the form without a password, so please keep this mail to yourself. It can be used once. Until then you can stop halfway and come back to what you saved.',
  strangers: (business: string) =>
    `If you do not know ${business}, or do not expect to be paid by them, do not fill in the form. You can ignore this mail: the link then expires, and nothing else happens. If in doubt, ask ${business} in a way that you already know, not by answering this mail.`,
  test: 'Test',
  testing: 'This is a test from the sandbox. No money moves, and no real details should be given.',
  questions: 'Questions?',
  privacyNotice: 'Privacy notice',
};

/** What each language says. */
export type MailTexts = typeof en;
