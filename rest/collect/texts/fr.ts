import type { Texts } from './en.ts';

/** The pages in French. A business's name never follows a word that would be elided before it. */
export const fr: Texts = {
  name: 'Français',
  locale: 'fr',

  frame: {
    skip: 'Aller au contenu',
    secure: 'Formulaire sécurisé',
    language: 'Langue',
    sandbox: 'Environnement de test',
    sandboxMeaning:
      'Rien de ce que vous saisissez ici ne donne lieu à un paiement. N’indiquez pas de données réelles.',
    registered: 'Société immatriculée :',
    optional: 'facultatif',
    errorPrefix: 'Erreur',
    questions: 'Des questions ?',
    privacyNotice: 'Politique de confidentialité',
    privacyLine: (business) =>
      `Données chiffrées. Seuls ${business} et son prestataire de paiement les reçoivent.`,
  },

  start: {
    title: {
      full_onboarding: (business) => `${business} vous demande quelques informations`,
      bank_details: (business) => `${business} vous demande vos coordonnées bancaires`,
      tax_documents: (business) => `${business} vous demande un document fiscal`,
    },
    lead: {
      full_onboarding: (business) =>
        `Pour vous payer, ${business} doit savoir qui vous êtes et sur quel compte verser l’argent.`,
      bank_details: (business) =>
        `Pour vous payer, ${business} doit savoir sur quel compte verser l’argent.`,
      tax_documents: (business) =>
        `Pour vous payer, ${business} doit disposer d’un document fiscal de votre part.`,
    },
    asked: 'Ce qui vous sera demandé',
    askedPerson: 'Vos nom et prénoms officiels, votre date de naissance et votre pays de résidence',
    askedBusiness: 'La raison sociale, le numéro d’immatriculation et le pays de votre société',
    askedAddress: 'Votre adresse postale',
    askedBank: 'Le compte bancaire sur lequel vous souhaitez être payé',
    askedTaxId: 'Votre numéro d’identification fiscale',
    askedFile: 'Le formulaire en un seul fichier : PDF, PNG ou JPEG, {mb} Mo au maximum',
    begin: 'Commencer',
    resume: 'Reprendre où vous vous êtes arrêté',
    until: 'Ce lien est valable une seule fois, jusqu’au',
    unexpected: (business) =>
      `Vous ne vous y attendiez pas ? Fermez cette page et contactez ${business} par un moyen que vous connaissez déjà. Rien ne parvient à ${business} avant votre confirmation finale.`,
  },

  use: {
    title: 'Comment vos données sont utilisées',
    encrypted:
      'Elles sont chiffrées dès leur arrivée. Ensuite, ces pages n’affichent les numéros, les dates et les rues qu’en partie.',
    whoGets: (business) => `Seuls ${business} et son prestataire de paiement les reçoivent.`,
    purpose: 'Elles servent à vous payer et à respecter les règles de vérification d’identité.',
  },

  steps: {
    progress: (step, of) => `Étape ${step} sur ${of}`,
    navigation: 'Étapes',
    done: 'terminé',
    about: 'Vous',
    aboutBusiness: 'Votre société',
    address: 'Adresse',
    bank: 'Compte bancaire',
    document: 'Document fiscal',
    send: 'Vérifier et envoyer',
    continue: 'Enregistrer et continuer',
    back: 'Retour',
    given: 'Vous avez déjà donné ces informations.',
    givenMeaning:
      'Elles sont enregistrées. Pour votre sécurité, les numéros, les dates et les rues ne sont pas préremplis. Ne modifiez le formulaire que si quelque chose est inexact.',
    keep: 'Les conserver et continuer',
    notKept:
      'Pour votre sécurité, les numéros de compte et les numéros fiscaux sont effacés après une erreur. Veuillez les saisir à nouveau.',
  },

  about: {
    title: 'À propos de vous',
    titleBusiness: 'À propos de votre société',
    lead: 'Comme indiqué sur votre passeport ou votre carte d’identité.',
    leadBusiness: 'Comme indiqué au registre du commerce.',
  },
  address: {
    title: 'Votre adresse',
    titleBusiness: 'L’adresse de votre société',
    lead: 'Là où vous habitez et recevez votre courrier.',
    leadBusiness: 'Le siège social.',
  },
  bank: {
    title: 'Votre compte bancaire',
    lead: 'Les informations nécessaires dépendent du pays de votre banque.',
    showFields: 'Continuer avec ce pays',
    otherWay: 'Je n’ai qu’un sort code et un numéro de compte',
    otherWayMeaning:
      'Veuillez indiquer l’IBAN : rien ne peut être versé sur un compte dont seuls le sort code et le numéro sont connus. Ces deux numéros font partie de votre IBAN. Il figure dans l’application de votre banque et sur vos relevés, souvent à côté du numéro de compte ou sous « international payments ».',
    either: 'Indiquez l’IBAN ou le numéro de compte, selon ce que votre banque utilise.',
    notChecked: (business) =>
      `Les comptes de ce pays ne peuvent pas encore être vérifiés automatiquement. ${business} pourra vous demander un autre compte.`,
    accountType: { checking: 'Compte courant (checking)', savings: 'Compte d’épargne (savings)' },
  },
  document: {
    title: 'Votre document fiscal',
    lead: 'Choisissez le formulaire, indiquez votre numéro fiscal et joignez le formulaire signé.',
    formType: {
      w9: 'W-9 (personnes et sociétés des États-Unis)',
      w8ben: 'W-8BEN (personnes hors des États-Unis)',
      w8bene: 'W-8BEN-E (sociétés hors des États-Unis)',
      other: 'Un autre document',
    },
    send: 'Envoyer le document',
  },
  send: {
    title: 'Vérifier et envoyer',
    lead: (business) => `Vos informations seront transmises à ${business} dès l’envoi.`,
    ready: 'Indiqué',
    missing: 'Manquant',
    change: 'Modifier',
    give: 'Compléter',
    hidden:
      'Pour votre sécurité, les numéros, les dates et les rues ne sont affichés qu’en partie.',
    ending: (end) => `se terminant par ${end}`,
    confirm:
      'En envoyant, vous confirmez que ces informations sont exactes et que vous êtes autorisé à les donner. Le lien cessera ensuite de fonctionner.',
    button: (business) => `Envoyer à ${business}`,
  },

  thanks: {
    title: 'Merci, tout est bien arrivé',
    lead: (business) => `${business} a reçu vos informations.`,
    next: 'Vous n’avez plus rien à faire et pouvez fermer cette page.',
    change: (business) =>
      `Si quelque chose doit être modifié plus tard, demandez un nouveau lien à ${business}.`,
  },

  ended: {
    submitted: {
      title: 'Ce lien a déjà été utilisé',
      text: (business) =>
        `Des informations ont déjà été envoyées à ${business} avec ce lien, qui ne fonctionne qu’une fois. Si c’était vous, tout est bien arrivé.`,
    },
    expired: {
      title: 'Ce lien a expiré',
      text: (business) =>
        `Pour votre sécurité, un lien ne fonctionne que quelques jours. Demandez-en un nouveau à ${business}.`,
    },
    canceled: {
      title: 'Ce lien a été annulé',
      text: (business) =>
        `${business} ne demande plus d’informations par ce lien. Si cela vous surprend, posez la question à ${business}.`,
    },
    superseded: {
      title: 'Il existe un lien plus récent',
      text: (business) =>
        `${business} vous a envoyé un autre lien depuis. Ouvrez l’e-mail le plus récent et utilisez le lien qu’il contient.`,
    },
    notUs:
      'Si ce n’était pas vous, signalez-le immédiatement par un moyen que vous connaissez déjà.',
  },

  failure: {
    notFound: {
      title: 'Ce lien ne fonctionne pas',
      text: 'Ouvrez à nouveau le lien reçu par e-mail, ou copiez l’adresse complète dans le navigateur.',
    },
    noPage: {
      title: 'Cette page n’existe pas',
      text: 'Ouvrez à nouveau le lien reçu par e-mail.',
    },
    tooMany: {
      title: 'Trop de tentatives',
      text: (seconds) => `Par sécurité, veuillez patienter ${seconds} avant de réessayer.`,
    },
    tooLarge: {
      title: 'L’envoi était trop volumineux',
      text: 'Un fichier ne doit pas dépasser {mb} Mo. Revenez en arrière et choisissez-en un plus petit.',
    },
    badRequest: {
      title: 'Cette demande n’a pas été comprise',
      text: 'Votre navigateur a envoyé quelque chose que cette page n’accepte pas. Ouvrez à nouveau le lien reçu par e-mail.',
    },
    foreign: {
      title: 'Cet envoi ne vient pas de notre page',
      text: 'Le formulaire a été envoyé depuis un autre site ; rien n’a été enregistré. Ouvrez le lien reçu par e-mail et remplissez le formulaire sur place.',
    },
    busy: {
      title: 'De nombreux fichiers arrivent en ce moment',
      text: 'Revenez en arrière et envoyez à nouveau le fichier dans un instant.',
    },
    away: {
      title: 'Nous ne pouvons pas répondre pour le moment',
      text: 'Veuillez réessayer dans un instant. Ce que vous avez déjà enregistré est conservé.',
    },
    ours: {
      title: 'Une erreur s’est produite de notre côté',
      text: 'Veuillez réessayer dans quelques minutes. Ce que vous avez déjà enregistré est conservé.',
    },
    method: {
      title: 'Cela ne fonctionne pas ici',
      text: 'Ouvrez à nouveau le lien reçu par e-mail.',
    },
    reference: 'Référence pour l’assistance',
  },

  faults: {
    too_long: 'C’est trop long.',
    too_short: 'C’est trop court.',
    invalid_format: 'Ce n’est pas écrit sous la forme attendue.',
    invalid_value: 'Cette valeur n’est pas possible.',
    iban_checksum_failed:
      'La clé de contrôle de cet IBAN ne correspond pas. Vérifiez s’il y a une faute de frappe.',
    iban_format_invalid: 'Ce n’est pas un IBAN complet pour ce pays. Vérifiez sa longueur.',
    iban_country_mismatch: 'Cet IBAN appartient à un autre pays que celui choisi plus haut.',
    iban_required:
      'Veuillez indiquer l’IBAN : le sort code et le numéro de compte ne suffisent pas pour payer un compte.',
    aba_checksum_failed:
      'Ce routing number contient une faute de frappe : son chiffre de contrôle ne correspond pas.',
    aba_format_invalid: 'Un routing number comporte neuf chiffres.',
    account_number_format_invalid: 'Ce n’est pas un numéro de compte complet.',
    bic_format_invalid: 'Un BIC comporte 8 ou 11 lettres et chiffres.',
    clabe_checksum_failed:
      'Ce n’est pas une CLABE valide : 18 chiffres, dont le dernier est un chiffre de contrôle.',
    pix_key_format_invalid:
      'Ce n’est pas une clé PIX : CPF, CNPJ, téléphone avec +55, adresse e-mail ou clé aléatoire.',
    file_type_unsupported: 'Ce fichier n’est pas un PDF, un PNG ou un JPEG complet.',
    file_too_large: 'Ce fichier dépasse {mb} Mo.',
    date: 'Indiquez une date réelle et passée, par exemple 27 3 1985.',
    other: 'Veuillez vérifier cette information.',
  },
  faultSummary: 'Veuillez corriger les points suivants',
  faultGeneral: 'Veuillez vérifier ce que vous avez saisi.',

  fields: {
    firstName: { label: 'Prénoms', hint: '', missing: 'Indiquez vos prénoms' },
    lastName: { label: 'Nom de famille', hint: '', missing: 'Indiquez votre nom de famille' },
    dateOfBirth: {
      label: 'Date de naissance',
      hint: 'Par exemple 27 3 1985',
      missing: 'Indiquez votre date de naissance',
    },
    day: { label: 'Jour', hint: '', missing: 'Indiquez le jour' },
    month: { label: 'Mois', hint: '', missing: 'Indiquez le mois' },
    year: { label: 'Année', hint: '', missing: 'Indiquez l’année' },
    countryOfResidence: {
      label: 'Pays de résidence',
      hint: 'Le pays où vous vivez',
      missing: 'Choisissez votre pays de résidence',
    },
    businessName: {
      label: 'Raison sociale',
      hint: 'Avec la forme juridique, par exemple SARL ou SAS',
      missing: 'Indiquez la raison sociale',
    },
    countryOfIncorporation: {
      label: 'Pays d’immatriculation',
      hint: 'Le pays où la société est enregistrée',
      missing: 'Choisissez le pays d’immatriculation',
    },
    registrationNumber: {
      label: 'Numéro d’immatriculation',
      hint: 'Par exemple le numéro SIREN',
      missing: 'Indiquez le numéro d’immatriculation',
    },
    line1: { label: 'Numéro et rue', hint: '', missing: 'Indiquez le numéro et la rue' },
    line2: {
      label: 'Complément d’adresse',
      hint: '',
      missing: 'Indiquez le complément d’adresse',
    },
    city: { label: 'Ville', hint: '', missing: 'Indiquez la ville' },
    state: { label: 'État ou région', hint: '', missing: 'Indiquez l’État ou la région' },
    postalCode: { label: 'Code postal', hint: '', missing: 'Indiquez le code postal' },
    country: { label: 'Pays', hint: '', missing: 'Choisissez le pays' },
    bankCountry: {
      label: 'Pays de la banque',
      hint: '',
      missing: 'Choisissez le pays de la banque',
    },
    accountHolderName: {
      label: 'Titulaire du compte',
      hint: 'Le nom exact que connaît votre banque',
      missing: 'Indiquez le nom du titulaire du compte',
    },
    currency: {
      label: 'Devise du compte',
      hint: '',
      missing: 'Choisissez la devise du compte',
    },
    iban: {
      label: 'IBAN',
      hint: 'Il commence par deux lettres. Les espaces n’ont pas d’importance.',
      missing: 'Indiquez l’IBAN',
    },
    ukIban: {
      label: 'IBAN',
      hint: '22 lettres et chiffres qui commencent par GB. Le sort code et le numéro de compte en font partie.',
      missing: 'Indiquez l’IBAN',
    },
    usRouting: {
      label: 'Routing number',
      hint: 'Neuf chiffres (ABA). Sur un chèque, ils figurent en bas à gauche.',
      missing: 'Indiquez le routing number',
    },
    usAccount: {
      label: 'Numéro de compte',
      hint: 'De 4 à 17 chiffres ; ce n’est pas le numéro d’une carte',
      missing: 'Indiquez le numéro de compte',
    },
    accountType: {
      label: 'Type de compte',
      hint: '',
      missing: 'Choisissez le type de compte',
    },
    clabe: { label: 'CLABE', hint: '18 chiffres', missing: 'Indiquez la CLABE' },
    pixKey: {
      label: 'Clé PIX',
      hint: 'CPF, CNPJ, téléphone avec +55, adresse e-mail ou clé aléatoire',
      missing: 'Indiquez la clé PIX',
    },
    accountNumber: { label: 'Numéro de compte', hint: '', missing: 'Indiquez le numéro de compte' },
    bankCode: {
      label: 'Code banque ou agence',
      hint: 'Si votre banque en utilise un',
      missing: 'Indiquez le code banque',
    },
    bic: {
      label: 'BIC (code SWIFT)',
      hint: '8 ou 11 lettres et chiffres',
      missing: 'Indiquez le BIC',
    },
    bankName: { label: 'Nom de la banque', hint: '', missing: 'Indiquez le nom de la banque' },
    formType: {
      label: 'De quel formulaire s’agit-il ?',
      hint: '',
      missing: 'Choisissez le formulaire',
    },
    taxId: {
      label: 'Numéro d’identification fiscale',
      hint: 'Par exemple SSN, EIN ou le numéro attribué par l’administration fiscale de votre pays',
      missing: 'Indiquez votre numéro d’identification fiscale',
    },
    file: {
      label: 'Fichier',
      hint: 'PDF, PNG ou JPEG, {mb} Mo au maximum',
      missing: 'Choisissez un fichier',
    },
  },
  choose: 'Veuillez choisir',
};
