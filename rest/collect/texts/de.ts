import type { Texts } from './en.ts';

/** The pages in German. */
export const de: Texts = {
  name: 'Deutsch',
  locale: 'de',

  frame: {
    skip: 'Zum Inhalt springen',
    secure: 'Sicheres Formular',
    language: 'Sprache',
    sandbox: 'Testumgebung',
    sandboxMeaning:
      'Was Sie hier eingeben, führt zu keiner Zahlung. Bitte geben Sie keine echten Daten ein.',
    registered: 'Eingetragene Firma:',
    optional: 'freiwillig',
    errorPrefix: 'Fehler',
    questions: 'Fragen?',
    privacyNotice: 'Datenschutzhinweise',
    privacyLine: (business) =>
      `Verschlüsselt. Nur ${business} und der beauftragte Zahlungsdienst erhalten diese Daten.`,
  },

  start: {
    title: {
      full_onboarding: (business) => `${business} bittet um Ihre Angaben`,
      bank_details: (business) => `${business} bittet um Ihre Bankverbindung`,
      tax_documents: (business) => `${business} bittet um ein Steuerformular`,
    },
    lead: {
      full_onboarding: (business) =>
        `Um Sie bezahlen zu können, muss ${business} wissen, wer Sie sind und auf welches Konto das Geld gehen soll.`,
      bank_details: (business) =>
        `Um Sie bezahlen zu können, muss ${business} wissen, auf welches Konto das Geld gehen soll.`,
      tax_documents: (business) =>
        `Um Sie bezahlen zu können, braucht ${business} ein Steuerformular von Ihnen.`,
    },
    asked: 'Danach werden Sie gefragt',
    askedPerson: 'Ihr amtlicher Name, Ihr Geburtsdatum und das Land Ihres Wohnsitzes',
    askedBusiness: 'Firma, Registernummer und Sitzland Ihres Unternehmens',
    askedAddress: 'Ihre Anschrift',
    askedBank: 'Das Konto, auf das Sie bezahlt werden möchten',
    askedTaxId: 'Ihre Steuernummer',
    askedFile: 'Das Formular als eine Datei: PDF, PNG oder JPEG, höchstens {mb} MB',
    begin: 'Beginnen',
    resume: 'Dort weitermachen, wo Sie aufgehört haben',
    until: 'Dieser Link funktioniert ein einziges Mal, und zwar bis',
    unexpected: (business) =>
      `Das kommt unerwartet? Schließen Sie die Seite und fragen Sie ${business} auf einem Weg, den Sie schon kennen. Bei ${business} kommt nichts an, bevor Sie es am Ende bestätigen.`,
  },

  use: {
    title: 'So werden Ihre Daten verwendet',
    encrypted:
      'Sie werden verschlüsselt, sobald sie eintreffen. Nummern, Daten und Straßen zeigen diese Seiten danach nur noch teilweise.',
    whoGets: (business) => `Nur ${business} und der beauftragte Zahlungsdienst erhalten sie.`,
    purpose:
      'Sie dienen dazu, Sie zu bezahlen und die Vorschriften zur Identitätsprüfung zu erfüllen.',
  },

  steps: {
    progress: (step, of) => `Schritt ${step} von ${of}`,
    navigation: 'Schritte',
    done: 'erledigt',
    about: 'Person',
    aboutBusiness: 'Firma',
    address: 'Anschrift',
    bank: 'Konto',
    document: 'Formular',
    send: 'Prüfen und senden',
    continue: 'Speichern und weiter',
    back: 'Zurück',
    given: 'Diese Angaben haben Sie schon gemacht.',
    givenMeaning:
      'Sie sind gespeichert. Zu Ihrer Sicherheit werden Nummern, Daten und Straßen nicht wieder eingesetzt. Ändern Sie das Formular nur, wenn etwas nicht stimmt.',
    keep: 'Beibehalten und weiter',
    notKept:
      'Zu Ihrer Sicherheit bleiben Kontonummern und Steuernummern nach einem Fehler nicht stehen. Bitte geben Sie sie noch einmal ein.',
  },

  about: {
    title: 'Angaben zu Ihrer Person',
    titleBusiness: 'Angaben zu Ihrem Unternehmen',
    lead: 'So, wie es in Ihrem Reisepass oder Personalausweis steht.',
    leadBusiness: 'So, wie es im Handelsregister steht.',
  },
  address: {
    title: 'Ihre Anschrift',
    titleBusiness: 'Die Anschrift Ihres Unternehmens',
    lead: 'Wo Sie wohnen und Post erhalten.',
    leadBusiness: 'Der eingetragene Sitz.',
  },
  bank: {
    title: 'Ihre Bankverbindung',
    lead: 'Welche Angaben nötig sind, hängt vom Land Ihrer Bank ab.',
    showFields: 'Mit diesem Land weiter',
    otherWay: 'Ich habe nur Sort Code und Kontonummer',
    otherWayMeaning:
      'Bitte geben Sie die IBAN an: Auf ein Konto, von dem nur Sort Code und Kontonummer bekannt sind, kann nichts gezahlt werden. Beide Nummern sind Teil Ihrer IBAN. Sie steht in der App Ihrer Bank und auf Ihren Kontoauszügen, oft neben der Kontonummer oder unter „international payments“.',
    either: 'Geben Sie die IBAN oder die Kontonummer an, je nachdem, was Ihre Bank verwendet.',
    notChecked: (business) =>
      `Konten in diesem Land lassen sich noch nicht automatisch prüfen. Es kann sein, dass ${business} Sie um ein anderes Konto bittet.`,
    accountType: { checking: 'Girokonto (Checking)', savings: 'Sparkonto (Savings)' },
  },
  document: {
    title: 'Ihr Steuerformular',
    lead: 'Wählen Sie das Formular, geben Sie Ihre Steuernummer an und fügen Sie das unterschriebene Formular als Datei hinzu.',
    formType: {
      w9: 'W-9 (Personen und Unternehmen in den USA)',
      w8ben: 'W-8BEN (Personen außerhalb der USA)',
      w8bene: 'W-8BEN-E (Unternehmen außerhalb der USA)',
      other: 'Ein anderes Dokument',
    },
    send: 'Dokument senden',
  },
  send: {
    title: 'Prüfen und senden',
    lead: (business) => `Sobald Sie senden, gehen Ihre Angaben an ${business}.`,
    ready: 'Angegeben',
    missing: 'Fehlt noch',
    change: 'Ändern',
    give: 'Ausfüllen',
    hidden: 'Zu Ihrer Sicherheit werden Nummern, Daten und Straßen nur teilweise angezeigt.',
    ending: (end) => `endet auf ${end}`,
    confirm:
      'Mit dem Senden bestätigen Sie, dass die Angaben stimmen und Sie sie machen dürfen. Danach funktioniert der Link nicht mehr.',
    button: (business) => `An ${business} senden`,
  },

  thanks: {
    title: 'Vielen Dank, alles ist angekommen',
    lead: (business) => `${business} hat Ihre Angaben erhalten.`,
    next: 'Sie müssen nichts weiter tun und können diese Seite schließen.',
    change: (business) =>
      `Falls sich später etwas ändert, bitten Sie ${business} um einen neuen Link.`,
  },

  ended: {
    submitted: {
      title: 'Dieser Link wurde schon benutzt',
      text: (business) =>
        `Über diesen Link wurden bereits Angaben an ${business} gesendet. Er funktioniert nur ein einziges Mal. Wenn Sie das waren, ist alles angekommen.`,
    },
    expired: {
      title: 'Dieser Link ist abgelaufen',
      text: (business) =>
        `Zu Ihrer Sicherheit funktioniert ein Link nur wenige Tage. Bitten Sie ${business} um einen neuen.`,
    },
    canceled: {
      title: 'Dieser Link wurde zurückgezogen',
      text: (business) =>
        `${business} fragt über diesen Link nicht mehr nach Angaben. Wenn Sie das wundert, fragen Sie bei ${business} nach.`,
    },
    superseded: {
      title: 'Es gibt einen neueren Link',
      text: (business) =>
        `${business} hat Ihnen inzwischen einen anderen Link geschickt. Bitte öffnen Sie die neueste E-Mail und benutzen Sie den Link darin.`,
    },
    notUs: 'Wenn Sie das nicht waren, melden Sie es sofort auf einem Weg, den Sie schon kennen.',
  },

  failure: {
    notFound: {
      title: 'Dieser Link funktioniert nicht',
      text: 'Bitte öffnen Sie den Link aus der E-Mail noch einmal, oder kopieren Sie die ganze Adresse in den Browser.',
    },
    noPage: {
      title: 'Diese Seite gibt es nicht',
      text: 'Bitte öffnen Sie den Link aus der E-Mail noch einmal.',
    },
    tooMany: {
      title: 'Zu viele Versuche',
      text: (seconds) =>
        `Bitte warten Sie zur Sicherheit ${seconds} und versuchen Sie es dann erneut.`,
    },
    tooLarge: {
      title: 'Das war zu groß',
      text: 'Eine Datei darf höchstens {mb} MB groß sein. Gehen Sie zurück und wählen Sie eine kleinere.',
    },
    badRequest: {
      title: 'Das ließ sich nicht verstehen',
      text: 'Ihr Browser hat etwas gesendet, das diese Seite nicht annimmt. Öffnen Sie den Link aus der E-Mail noch einmal.',
    },
    foreign: {
      title: 'Das kam nicht von unserer Seite',
      text: 'Das Formular wurde von einer anderen Website gesendet; es wurde nichts übernommen. Öffnen Sie den Link aus der E-Mail und füllen Sie das Formular dort aus.',
    },
    busy: {
      title: 'Gerade treffen viele Dateien ein',
      text: 'Bitte gehen Sie zurück und senden Sie die Datei gleich noch einmal.',
    },
    away: {
      title: 'Wir können gerade nicht antworten',
      text: 'Bitte versuchen Sie es gleich noch einmal. Was Sie schon gespeichert haben, bleibt erhalten.',
    },
    ours: {
      title: 'Bei uns ist etwas schiefgegangen',
      text: 'Bitte versuchen Sie es in ein paar Minuten noch einmal. Was Sie schon gespeichert haben, bleibt erhalten.',
    },
    method: {
      title: 'Das geht hier nicht',
      text: 'Öffnen Sie den Link aus der E-Mail noch einmal.',
    },
    reference: 'Kennung für den Support',
  },

  faults: {
    too_long: 'Das ist zu lang.',
    too_short: 'Das ist zu kurz.',
    invalid_format: 'Das ist nicht in der erwarteten Form geschrieben.',
    invalid_value: 'Dieser Wert ist nicht möglich.',
    iban_checksum_failed:
      'Die Prüfziffern dieser IBAN passen nicht. Bitte suchen Sie nach einem Tippfehler.',
    iban_format_invalid:
      'Das ist keine vollständige IBAN dieses Landes. Bitte vergleichen Sie die Länge.',
    iban_country_mismatch: 'Diese IBAN gehört zu einem anderen Land als dem oben gewählten.',
    iban_required:
      'Bitte geben Sie die IBAN an: Mit Sort Code und Kontonummer allein kann auf ein Konto nichts gezahlt werden.',
    aba_checksum_failed:
      'In dieser Routing Number ist ein Tippfehler: Ihre Prüfziffer passt nicht.',
    aba_format_invalid: 'Eine Routing Number hat neun Ziffern.',
    account_number_format_invalid: 'Das ist keine vollständige Kontonummer.',
    bic_format_invalid: 'Ein BIC hat 8 oder 11 Buchstaben und Ziffern.',
    clabe_checksum_failed:
      'Das ist keine gültige CLABE: 18 Ziffern, von denen die letzte eine Prüfziffer ist.',
    pix_key_format_invalid:
      'Das ist kein PIX-Schlüssel: CPF, CNPJ, Telefonnummer mit +55, E-Mail-Adresse oder Zufallsschlüssel.',
    file_type_unsupported: 'Diese Datei ist kein vollständiges PDF, PNG oder JPEG.',
    file_too_large: 'Diese Datei ist größer als {mb} MB.',
    date: 'Geben Sie ein Datum an, das es gibt und das vergangen ist, zum Beispiel 27 3 1985.',
    other: 'Bitte prüfen Sie diese Angabe.',
  },
  faultSummary: 'Bitte berichtigen Sie Folgendes',
  faultGeneral: 'Bitte prüfen Sie Ihre Angaben.',

  fields: {
    firstName: { label: 'Vornamen', hint: '', missing: 'Geben Sie Ihre Vornamen an' },
    lastName: { label: 'Nachname', hint: '', missing: 'Geben Sie Ihren Nachnamen an' },
    dateOfBirth: {
      label: 'Geburtsdatum',
      hint: 'Zum Beispiel 27 3 1985',
      missing: 'Geben Sie Ihr Geburtsdatum an',
    },
    day: { label: 'Tag', hint: '', missing: 'Geben Sie den Tag an' },
    month: { label: 'Monat', hint: '', missing: 'Geben Sie den Monat an' },
    year: { label: 'Jahr', hint: '', missing: 'Geben Sie das Jahr an' },
    countryOfResidence: {
      label: 'Land des Wohnsitzes',
      hint: 'Wo Sie leben',
      missing: 'Wählen Sie das Land Ihres Wohnsitzes',
    },
    businessName: {
      label: 'Firma',
      hint: 'Mit Rechtsform, zum Beispiel GmbH',
      missing: 'Geben Sie die Firma an',
    },
    countryOfIncorporation: {
      label: 'Land der Eintragung',
      hint: 'Wo das Unternehmen eingetragen ist',
      missing: 'Wählen Sie das Land der Eintragung',
    },
    registrationNumber: {
      label: 'Registernummer',
      hint: 'Zum Beispiel HRB 12345',
      missing: 'Geben Sie die Registernummer an',
    },
    line1: {
      label: 'Straße und Hausnummer',
      hint: '',
      missing: 'Geben Sie Straße und Hausnummer an',
    },
    line2: { label: 'Adresszusatz', hint: '', missing: 'Geben Sie den Adresszusatz an' },
    city: { label: 'Ort', hint: '', missing: 'Geben Sie den Ort an' },
    state: { label: 'Bundesland oder Region', hint: '', missing: 'Geben Sie die Region an' },
    postalCode: { label: 'Postleitzahl', hint: '', missing: 'Geben Sie die Postleitzahl an' },
    country: { label: 'Land', hint: '', missing: 'Wählen Sie das Land' },
    bankCountry: { label: 'Land der Bank', hint: '', missing: 'Wählen Sie das Land der Bank' },
    accountHolderName: {
      label: 'Kontoinhaber',
      hint: 'Der Name genau so, wie ihn Ihre Bank führt',
      missing: 'Geben Sie den Namen des Kontoinhabers an',
    },
    currency: {
      label: 'Währung des Kontos',
      hint: '',
      missing: 'Wählen Sie die Währung des Kontos',
    },
    iban: {
      label: 'IBAN',
      hint: 'Sie beginnt mit zwei Buchstaben. Leerzeichen spielen keine Rolle.',
      missing: 'Geben Sie die IBAN an',
    },
    ukIban: {
      label: 'IBAN',
      hint: '22 Buchstaben und Ziffern, die mit GB beginnen. Sort Code und Kontonummer sind ein Teil davon.',
      missing: 'Geben Sie die IBAN an',
    },
    usRouting: {
      label: 'Routing Number',
      hint: 'Neun Ziffern (ABA). Auf einem Scheck stehen sie unten links.',
      missing: 'Geben Sie die Routing Number an',
    },
    usAccount: {
      label: 'Kontonummer',
      hint: '4 bis 17 Ziffern, nicht die Nummer einer Karte',
      missing: 'Geben Sie die Kontonummer an',
    },
    accountType: { label: 'Art des Kontos', hint: '', missing: 'Wählen Sie die Art des Kontos' },
    clabe: { label: 'CLABE', hint: '18 Ziffern', missing: 'Geben Sie die CLABE an' },
    pixKey: {
      label: 'PIX-Schlüssel',
      hint: 'CPF, CNPJ, Telefonnummer mit +55, E-Mail-Adresse oder Zufallsschlüssel',
      missing: 'Geben Sie den PIX-Schlüssel an',
    },
    accountNumber: { label: 'Kontonummer', hint: '', missing: 'Geben Sie die Kontonummer an' },
    bankCode: {
      label: 'Bankleitzahl oder Filialnummer',
      hint: 'Falls Ihre Bank eine verwendet',
      missing: 'Geben Sie die Bankleitzahl an',
    },
    bic: {
      label: 'BIC (SWIFT-Code)',
      hint: '8 oder 11 Buchstaben und Ziffern',
      missing: 'Geben Sie den BIC an',
    },
    bankName: { label: 'Name der Bank', hint: '', missing: 'Geben Sie den Namen der Bank an' },
    formType: {
      label: 'Welches Formular ist es?',
      hint: '',
      missing: 'Wählen Sie das Formular',
    },
    taxId: {
      label: 'Steuernummer',
      hint: 'Zum Beispiel Steuer-ID, SSN, EIN oder die Nummer, die Ihr Finanzamt Ihnen gegeben hat',
      missing: 'Geben Sie Ihre Steuernummer an',
    },
    file: {
      label: 'Datei',
      hint: 'PDF, PNG oder JPEG, höchstens {mb} MB',
      missing: 'Wählen Sie eine Datei',
    },
  },
  choose: 'Bitte wählen',
};
