import type { MailTexts } from './en.ts';

/** The mail in French. */
export const fr: MailTexts = {
  locale: 'fr',
  colon: ' :',
  greeting: (name) => `Bonjour ${name},`,
  greetingWithoutName: 'Bonjour,',
  subject: {
    full_onboarding: (business) => `${business} vous demande vos coordonnées de paiement`,
    bank_details: (business) => `${business} vous demande vos coordonnées bancaires`,
    tax_documents: (business) => `${business} vous demande un document fiscal`,
  },
  why: {
    full_onboarding: (business) =>
      `${business} souhaite vous payer et doit pour cela savoir qui vous êtes et où envoyer l’argent : votre identité, votre adresse et un compte bancaire.`,
    bank_details: (business) =>
      `${business} souhaite vous payer et doit pour cela savoir sur quel compte bancaire envoyer l’argent.`,
    tax_documents: (business) =>
      `${business} vous paie et a besoin de votre numéro fiscal et d’un document fiscal : un PDF ou une photo du formulaire.`,
  },
  open: 'Ouvrir le formulaire',
  until: (until) => `Le lien fonctionne jusqu’au ${until}.`,
  copy: 'Si le bouton ne fonctionne pas, copiez cette adresse dans votre navigateur :',
  rules:
    'Le lien ouvre le formulaire sans mot de passe : gardez donc ce message pour vous. Il ne peut être utilisé qu’une fois. D’ici là, vous pouvez vous interrompre et retrouver ce que vous avez enregistré.',
  strangers: (business) =>
    `Si vous ne connaissez pas ${business}, ou n’attendez aucun paiement de sa part, ne remplissez pas le formulaire. Vous pouvez ignorer ce message : le lien expirera et rien d’autre ne se passera. En cas de doute, contactez ${business} par un moyen que vous connaissez déjà, et non en répondant à ce message.`,
  test: 'Essai',
  testing:
    'Ceci est un essai de l’environnement de test. Aucun argent n’est versé ; ne donnez pas de données réelles.',
  questions: 'Des questions ?',
  privacyNotice: 'Politique de confidentialité',
};
