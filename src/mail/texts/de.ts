import type { MailTexts } from './en.ts';

/** The mail in German. */
export const de: MailTexts = {
  locale: 'de',
  colon: ':',
  greeting: (name) => `Guten Tag ${name},`,
  greetingWithoutName: 'Guten Tag,',
  subject: {
    full_onboarding: (business) => `${business} bittet um Ihre Angaben für Auszahlungen`,
    bank_details: (business) => `${business} bittet um Ihre Bankverbindung`,
    tax_documents: (business) => `${business} bittet um ein Steuerformular`,
  },
  why: {
    full_onboarding: (business) =>
      `${business} möchte Sie bezahlen und muss dafür wissen, wer Sie sind und wohin das Geld gehen soll: Angaben zur Person oder Firma, Anschrift und Bankkonto.`,
    bank_details: (business) =>
      `${business} möchte Sie bezahlen und muss dafür wissen, auf welches Konto das Geld gehen soll.`,
    tax_documents: (business) =>
      `${business} bezahlt Sie und braucht dafür Ihre Steuernummer und ein Steuerformular: als PDF oder als Foto.`,
  },
  open: 'Formular öffnen',
  until: (until) => `Der Link funktioniert bis ${until}.`,
  copy: 'Falls die Schaltfläche nicht funktioniert, kopieren Sie diese Adresse in Ihren Browser:',
  rules:
    'Der Link öffnet das Formular ohne Kennwort. Bitte geben Sie diese Mail deshalb nicht weiter. Er lässt sich ein einziges Mal benutzen. Bis dahin können Sie unterbrechen und später mit dem weitermachen, was Sie gespeichert haben.',
  strangers: (business) =>
    `Wenn Sie ${business} nicht kennen oder von dort keine Zahlung erwarten, füllen Sie das Formular nicht aus. Sie können diese Mail ignorieren: Der Link läuft dann ab, und weiter geschieht nichts. Fragen Sie im Zweifel bei ${business} auf einem Weg nach, den Sie schon kennen, und nicht als Antwort auf diese Mail.`,
  test: 'Test',
  testing:
    'Dies ist ein Test aus der Testumgebung. Es fließt kein Geld. Bitte geben Sie keine echten Daten ein.',
  questions: 'Fragen?',
  privacyNotice: 'Datenschutzhinweise',
};
