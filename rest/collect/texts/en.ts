/**
 * Everything that the collection pages say, in English. The other languages have this object's type,
 * so a text that is missing in one of them does not compile. Business names are put in as plain
 * text; the page escapes them. `{mb}` stands for the size of a file (`textsFor`).
 */
export const en = {
  name: 'English',
  /** The tag of the `lang` attribute and of `Intl`. */
  locale: 'en',

  frame: {
    skip: 'Skip to the content',
    secure: 'Secure form',
    language: 'Language',
    sandbox: 'Test environment',
    sandboxMeaning: 'Nothing entered here leads to a payment. Do not enter real details.',
    /** Before the legal name, the registration number and the country of the company. */
    registered: 'Registered company:',
    optional: 'optional',
    errorPrefix: 'Error',
    questions: 'Questions?',
    privacyNotice: 'Privacy notice',
    privacyLine: (business: string) =>
      `Encrypted. Only ${business} and its payment provider receive it.`,
  },

  start: {
    title: {
      full_onboarding: (business: string) => `${business} asks for your details`,
      bank_details: (business: string) => `${business} asks for your bank account`,
      tax_documents: (business: string) => `${business} asks for a tax document`,
    },
    lead: {
      full_onboarding: (business: string) =>
        `To pay you, ${business} needs to know who you are and which account the money should go to.`,
      bank_details: (business: string) =>
        `To pay you, ${business} needs to know which account the money should go to.`,
      tax_documents: (business: string) => `To pay you, ${business} needs a tax document of yours.`,
    },
    asked: 'What you will be asked for',
    askedPerson: 'Your legal name, date of birth and country of residence',
    askedBusiness: 'The legal name, registration number and country of your company',
    askedAddress: 'Your postal address',
    askedBank: 'The bank account that you want to be paid to',
    askedTaxId: 'Your tax identification number',
    askedFile: 'The form as one file: PDF, PNG or JPEG, {mb} MB at most',
    begin: 'Begin',
    resume: 'Continue where you stopped',
    until: 'This link works once, until',
    unexpected: (business: string) =>
      `You did not expect this? Close the page, and contact ${business} in a way you already know. Nothing reaches ${business} before you confirm it at the end.`,
  },

  use: {
    title: 'How your data is used',
    encrypted:
      'It is encrypted as soon as it arrives. These pages show numbers, dates and streets in part only afterwards.',
    whoGets: (business: string) => `Only ${business} and its payment provider receive it.`,
    purpose: 'It serves to pay you and to meet the rules on checking identities.',
  },

  steps: {
    progress: (step: number, of: number) => `Step ${step} of ${of}`,
    navigation: 'Steps',
    done: 'done',
    about: 'About you',
    aboutBusiness: 'Your company',
    address: 'Address',
    bank: 'Bank account',
    document: 'Tax document',
    send: 'Check and send',
    continue: 'Save and continue',
    back: 'Back',
    given: 'You have already given this.',
    givenMeaning:
      'It is stored. For your safety, numbers, dates and streets are not filled in again, so change the form only if something is wrong.',
    keep: 'Keep it and continue',
    notKept:
      'For your safety, account numbers and tax numbers are not kept after an error. Please enter them again.',
  },

  about: {
    title: 'About you',
    titleBusiness: 'About your company',
    lead: 'As written in your passport or identity card.',
    leadBusiness: 'As written in the commercial register.',
  },
  address: {
    title: 'Your address',
    titleBusiness: 'The address of your company',
    lead: 'Where you live and receive letters.',
    leadBusiness: 'The registered office.',
  },
  bank: {
    title: 'Your bank account',
    lead: 'What is needed depends on the country of your bank.',
    showFields: 'Continue with this country',
    otherWay: 'I only have a sort code and an account number',
    otherWayMeaning:
      'Please give the IBAN: an account that is known by its sort code and account number alone cannot be paid. Both numbers are part of your IBAN. You find it in your bank’s app and on your statements, often beside the account number or under “international payments”.',
    either: 'Give the IBAN or the account number, whichever your bank uses.',
    notChecked: (business: string) =>
      `Accounts in this country cannot be checked automatically yet. ${business} may ask you for another account.`,
    accountType: { checking: 'Checking account', savings: 'Savings account' },
  },
  document: {
    title: 'Your tax document',
    lead: 'Choose the form, give your tax number and add the signed form as a file.',
    formType: {
      w9: 'W-9 (US persons and companies)',
      w8ben: 'W-8BEN (persons outside the US)',
      w8bene: 'W-8BEN-E (companies outside the US)',
      other: 'Another document',
    },
    send: 'Send the document',
  },
  send: {
    title: 'Check and send',
    lead: (business: string) => `This goes to ${business} as soon as you send it.`,
    ready: 'Given',
    missing: 'Still missing',
    change: 'Change',
    give: 'Fill in',
    hidden: 'For your safety, numbers, dates and streets are shown in part only.',
    /** Read aloud in the place of dots before the last characters of a number. */
    ending: (end: string) => `ending in ${end}`,
    confirm:
      'By sending, you confirm that the details are correct and that you may give them. The link stops working afterwards.',
    button: (business: string) => `Send to ${business}`,
  },

  thanks: {
    title: 'Thank you, everything has arrived',
    lead: (business: string) => `${business} has received your details.`,
    next: 'There is nothing more to do, and you can close this page.',
    change: (business: string) =>
      `If something has to be changed later, ask ${business} for a new link.`,
  },

  ended: {
    submitted: {
      title: 'This link has been used',
      text: (business: string) =>
        `Details were already sent to ${business} through this link. It works once only. If that was you, everything has arrived.`,
    },
    expired: {
      title: 'This link has expired',
      text: (business: string) =>
        `For your safety, a link works for a few days only. Ask ${business} for a new one.`,
    },
    canceled: {
      title: 'This link was withdrawn',
      text: (business: string) =>
        `${business} no longer asks for details through this link. If that surprises you, ask ${business}.`,
    },
    superseded: {
      title: 'There is a newer link',
      text: (business: string) =>
        `${business} has sent you another link since. Please open the latest e-mail and use that one.`,
    },
    notUs: 'If you did not do that, tell them at once in a way you already know.',
  },

  failure: {
    notFound: {
      title: 'This link does not work',
      text: 'Please open the link from the e-mail again, or copy the whole address into the browser.',
    },
    noPage: {
      title: 'There is no such page',
      text: 'Please open the link from the e-mail again.',
    },
    tooMany: {
      title: 'Too many attempts',
      text: (seconds: string) => `For safety, please wait ${seconds} and then try again.`,
    },
    tooLarge: {
      title: 'That was too large',
      text: 'A file may have {mb} MB at most. Go back and choose a smaller one.',
    },
    badRequest: {
      title: 'That could not be understood',
      text: 'Your browser sent something that this page cannot read. Open the link from the e-mail again.',
    },
    foreign: {
      title: 'This did not come from our page',
      text: 'The form was sent from another website, so nothing was taken. Open the link from the e-mail and fill in the form there.',
    },
    busy: {
      title: 'Many files are arriving at the moment',
      text: 'Nothing was lost. Please go back and send the file again in a moment.',
    },
    away: {
      title: 'We cannot answer at the moment',
      text: 'Please try again in a moment. What you saved before is kept.',
    },
    ours: {
      title: 'Something went wrong on our side',
      text: 'Please try again in a few minutes. What you saved before is kept.',
    },
    method: {
      title: 'That does not work here',
      text: 'Open the link from the e-mail again.',
    },
    reference: 'Reference for support',
  },

  /** By detail code of a rejected field; `other` where there is no text for the code. */
  faults: {
    too_long: 'This is too long.',
    too_short: 'This is too short.',
    invalid_format: 'This does not have the expected format.',
    invalid_value: 'This value is not possible.',
    iban_checksum_failed:
      'The check digits of this IBAN do not match. Please look for a typing error.',
    iban_format_invalid: 'This is not a complete IBAN for the country. Please compare its length.',
    iban_country_mismatch: 'This IBAN belongs to another country than the one chosen above.',
    iban_required:
      'Please give the IBAN: an account cannot be paid by its sort code and account number alone.',
    aba_checksum_failed: 'This routing number has a typing error: its check digit does not match.',
    aba_format_invalid: 'A routing number has nine digits.',
    account_number_format_invalid: 'This is not a complete account number.',
    bic_format_invalid: 'A BIC has 8 or 11 letters and digits.',
    clabe_checksum_failed:
      'This is not a valid CLABE: 18 digits, the last of which is a check digit.',
    pix_key_format_invalid:
      'This is not a PIX key: a CPF, CNPJ, phone number with +55, e-mail address or random key.',
    file_type_unsupported: 'This file is not a complete PDF, PNG or JPEG.',
    file_too_large: 'This file is larger than {mb} MB.',
    date: 'Enter a real date in the past, for example 27 3 1985.',
    other: 'Please check this entry.',
  },
  faultSummary: 'Please correct the following',
  faultGeneral: 'Please check what you entered.',

  fields: {
    firstName: { label: 'First names', hint: '', missing: 'Enter your first names' },
    lastName: { label: 'Last name', hint: '', missing: 'Enter your last name' },
    dateOfBirth: {
      label: 'Date of birth',
      hint: 'For example 27 3 1985',
      missing: 'Enter your date of birth',
    },
    day: { label: 'Day', hint: '', missing: 'Enter the day' },
    month: { label: 'Month', hint: '', missing: 'Enter the month' },
    year: { label: 'Year', hint: '', missing: 'Enter the year' },
    countryOfResidence: {
      label: 'Country of residence',
      hint: 'Where you live',
      missing: 'Choose your country of residence',
    },
    businessName: {
      label: 'Legal name',
      hint: 'With the legal form, for example Ltd or Inc.',
      missing: 'Enter the legal name',
    },
    countryOfIncorporation: {
      label: 'Country of incorporation',
      hint: 'Where the company is registered',
      missing: 'Choose the country of incorporation',
    },
    registrationNumber: {
      label: 'Registration number',
      hint: 'From the commercial register',
      missing: 'Enter the registration number',
    },
    line1: { label: 'Street and number', hint: '', missing: 'Enter street and number' },
    line2: { label: 'Apartment, building, c/o', hint: '', missing: 'Enter the address line' },
    city: { label: 'Town or city', hint: '', missing: 'Enter the town or city' },
    state: { label: 'State or region', hint: '', missing: 'Enter the state or region' },
    postalCode: { label: 'Postal code', hint: '', missing: 'Enter the postal code' },
    country: { label: 'Country', hint: '', missing: 'Choose the country' },
    bankCountry: {
      label: 'Country of the bank',
      hint: '',
      missing: 'Choose the country of the bank',
    },
    accountHolderName: {
      label: 'Account holder',
      hint: 'The name exactly as your bank has it',
      missing: 'Enter the name of the account holder',
    },
    currency: {
      label: 'Currency of the account',
      hint: '',
      missing: 'Choose the currency of the account',
    },
    iban: {
      label: 'IBAN',
      hint: 'It begins with two letters. Spaces do not matter.',
      missing: 'Enter the IBAN',
    },
    ukIban: {
      label: 'IBAN',
      hint: '22 letters and digits that begin with GB. The sort code and the account number are a part of it.',
      missing: 'Enter the IBAN',
    },
    usRouting: {
      label: 'Routing number',
      hint: 'Nine digits (ABA). On a check, they are at the bottom left.',
      missing: 'Enter the routing number',
    },
    usAccount: {
      label: 'Account number',
      hint: '4 to 17 digits, not the number of a card',
      missing: 'Enter the account number',
    },
    accountType: {
      label: 'Kind of account',
      hint: '',
      missing: 'Choose the kind of account',
    },
    clabe: { label: 'CLABE', hint: '18 digits', missing: 'Enter the CLABE' },
    pixKey: {
      label: 'PIX key',
      hint: 'CPF, CNPJ, phone number with +55, e-mail address or random key',
      missing: 'Enter the PIX key',
    },
    accountNumber: { label: 'Account number', hint: '', missing: 'Enter the account number' },
    bankCode: {
      label: 'Bank or branch code',
      hint: 'If your bank uses one',
      missing: 'Enter the bank code',
    },
    bic: {
      label: 'BIC (SWIFT code)',
      hint: '8 or 11 letters and digits',
      missing: 'Enter the BIC',
    },
    bankName: { label: 'Name of the bank', hint: '', missing: 'Enter the name of the bank' },
    formType: { label: 'Which form is it?', hint: '', missing: 'Choose the form' },
    taxId: {
      label: 'Tax identification number',
      hint: 'For example SSN, EIN or the number that your country’s tax office gave you',
      missing: 'Enter your tax identification number',
    },
    file: {
      label: 'File',
      hint: 'PDF, PNG or JPEG, {mb} MB at most',
      missing: 'Choose a file',
    },
  },
  choose: 'Please choose',
};

type Widened<T> = T extends string
  ? string
  : T extends (...given: infer Given) => string
    ? (...given: Given) => string
    : { readonly [K in keyof T]: Widened<T[K]> };

/** What each language says. */
export type Texts = Widened<typeof en>;

/** The key of a field's label, hint and message. */
export type FieldText = keyof Texts['fields'];
