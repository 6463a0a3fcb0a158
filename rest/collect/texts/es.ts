import type { Texts } from './en.ts';

/** The pages in Spanish, addressing the reader as usted. */
export const es: Texts = {
  name: 'Español',
  locale: 'es',

  frame: {
    skip: 'Ir al contenido',
    secure: 'Formulario seguro',
    language: 'Idioma',
    sandbox: 'Entorno de pruebas',
    sandboxMeaning: 'Nada de lo que escriba aquí dará lugar a un pago. No introduzca datos reales.',
    registered: 'Empresa registrada:',
    optional: 'opcional',
    errorPrefix: 'Error',
    questions: '¿Tiene preguntas?',
    privacyNotice: 'Aviso de privacidad',
    privacyLine: (business) =>
      `Datos cifrados. Solo los reciben ${business} y su proveedor de pagos.`,
  },

  start: {
    title: {
      full_onboarding: (business) => `${business} le pide sus datos`,
      bank_details: (business) => `${business} le pide su cuenta bancaria`,
      tax_documents: (business) => `${business} le pide un documento fiscal`,
    },
    lead: {
      full_onboarding: (business) =>
        `Para poder pagarle, ${business} necesita saber quién es usted y a qué cuenta enviar el dinero.`,
      bank_details: (business) =>
        `Para poder pagarle, ${business} necesita saber a qué cuenta enviar el dinero.`,
      tax_documents: (business) =>
        `Para poder pagarle, ${business} necesita un documento fiscal suyo.`,
    },
    asked: 'Qué se le va a pedir',
    askedPerson: 'Su nombre legal, su fecha de nacimiento y su país de residencia',
    askedBusiness: 'La razón social, el número de registro y el país de su empresa',
    askedAddress: 'Su dirección postal',
    askedBank: 'La cuenta bancaria en la que quiere recibir el pago',
    askedTaxId: 'Su número de identificación fiscal',
    askedFile: 'El formulario en un solo archivo: PDF, PNG o JPEG, de {mb} MB como máximo',
    begin: 'Empezar',
    resume: 'Continuar donde lo dejó',
    until: 'Este enlace funciona una sola vez, hasta el',
    unexpected: (business) =>
      `¿No lo esperaba? Cierre la página y consulte a ${business} por un medio que ya conozca. Nada llega a ${business} antes de que usted lo confirme al final.`,
  },

  use: {
    title: 'Cómo se utilizan sus datos',
    encrypted:
      'Se cifran en cuanto llegan. Después, estas páginas solo muestran una parte de los números, las fechas y las calles.',
    whoGets: (business) => `Solo los reciben ${business} y su proveedor de pagos.`,
    purpose: 'Sirven para pagarle y para cumplir las normas de verificación de identidad.',
  },

  steps: {
    progress: (step, of) => `Paso ${step} de ${of}`,
    navigation: 'Pasos',
    done: 'hecho',
    about: 'Sobre usted',
    aboutBusiness: 'Su empresa',
    address: 'Dirección',
    bank: 'Cuenta bancaria',
    document: 'Documento fiscal',
    send: 'Revisar y enviar',
    continue: 'Guardar y continuar',
    back: 'Atrás',
    given: 'Ya ha dado estos datos.',
    givenMeaning:
      'Están guardados. Por su seguridad, los números, las fechas y las calles no se rellenan de nuevo. Cambie el formulario solo si algo no es correcto.',
    keep: 'Conservarlos y continuar',
    notKept:
      'Por su seguridad, los números de cuenta y los números fiscales se borran después de un error. Escríbalos de nuevo.',
  },

  about: {
    title: 'Sobre usted',
    titleBusiness: 'Sobre su empresa',
    lead: 'Tal como figura en su pasaporte o documento de identidad.',
    leadBusiness: 'Tal como figura en el registro mercantil.',
  },
  address: {
    title: 'Su dirección',
    titleBusiness: 'La dirección de su empresa',
    lead: 'Donde vive y recibe el correo.',
    leadBusiness: 'El domicilio social.',
  },
  bank: {
    title: 'Su cuenta bancaria',
    lead: 'Los datos necesarios dependen del país de su banco.',
    showFields: 'Continuar con este país',
    otherWay: 'Solo tengo el sort code y el número de cuenta',
    otherWayMeaning:
      'Indique el IBAN: no se puede pagar a una cuenta de la que solo se conocen el sort code y el número. Ambos forman parte de su IBAN, que aparece en la aplicación de su banco y en sus extractos, a menudo junto al número de cuenta o en «international payments».',
    either: 'Indique el IBAN o el número de cuenta, según lo que utilice su banco.',
    notChecked: (business) =>
      `Las cuentas de este país todavía no se pueden comprobar automáticamente. Es posible que ${business} le pida otra cuenta.`,
    accountType: {
      checking: 'Cuenta corriente (checking)',
      savings: 'Cuenta de ahorro (savings)',
    },
  },
  document: {
    title: 'Su documento fiscal',
    lead: 'Elija el formulario, indique su número fiscal y adjunte el formulario firmado.',
    formType: {
      w9: 'W-9 (personas y empresas de EE. UU.)',
      w8ben: 'W-8BEN (personas de fuera de EE. UU.)',
      w8bene: 'W-8BEN-E (empresas de fuera de EE. UU.)',
      other: 'Otro documento',
    },
    send: 'Enviar el documento',
  },
  send: {
    title: 'Revisar y enviar',
    lead: (business) => `Sus datos se entregan a ${business} en cuanto los envíe.`,
    ready: 'Indicado',
    missing: 'Falta',
    change: 'Cambiar',
    give: 'Rellenar',
    hidden: 'Por su seguridad, los números, las fechas y las calles se muestran solo en parte.',
    ending: (end) => `termina en ${end}`,
    confirm:
      'Al enviar, confirma que los datos son correctos y que está autorizado a darlos. Después, el enlace deja de funcionar.',
    button: (business) => `Enviar a ${business}`,
  },

  thanks: {
    title: 'Gracias, ha llegado todo',
    lead: (business) => `${business} ha recibido sus datos.`,
    next: 'No tiene que hacer nada más y puede cerrar esta página.',
    change: (business) =>
      `Si más adelante hay que cambiar algo, pida un enlace nuevo a ${business}.`,
  },

  ended: {
    submitted: {
      title: 'Este enlace ya se ha utilizado',
      text: (business) =>
        `Ya se enviaron datos a ${business} con este enlace, que funciona una sola vez. Si fue usted, ha llegado todo.`,
    },
    expired: {
      title: 'Este enlace ha caducado',
      text: (business) =>
        `Por su seguridad, un enlace funciona solo unos días. Pida uno nuevo a ${business}.`,
    },
    canceled: {
      title: 'Este enlace se ha anulado',
      text: (business) =>
        `${business} ya no pide datos con este enlace. Si le sorprende, consulte a ${business}.`,
    },
    superseded: {
      title: 'Hay un enlace más reciente',
      text: (business) =>
        `${business} le ha enviado otro enlace después. Abra el correo más reciente y utilice el enlace que contiene.`,
    },
    notUs: 'Si no fue usted, avise de inmediato por un medio que ya conozca.',
  },

  failure: {
    notFound: {
      title: 'Este enlace no funciona',
      text: 'Abra de nuevo el enlace del correo, o copie la dirección completa en el navegador.',
    },
    noPage: {
      title: 'Esta página no existe',
      text: 'Abra de nuevo el enlace del correo.',
    },
    tooMany: {
      title: 'Demasiados intentos',
      text: (seconds) => `Por seguridad, espere ${seconds} e inténtelo de nuevo.`,
    },
    tooLarge: {
      title: 'El envío era demasiado grande',
      text: 'Un archivo puede tener {mb} MB como máximo. Vuelva atrás y elija uno más pequeño.',
    },
    badRequest: {
      title: 'No se ha podido entender',
      text: 'Su navegador ha enviado algo que esta página no acepta. Abra de nuevo el enlace del correo.',
    },
    foreign: {
      title: 'Esto no procede de nuestra página',
      text: 'El formulario se envió desde otro sitio web, así que no se ha guardado nada. Abra el enlace del correo y rellene allí el formulario.',
    },
    busy: {
      title: 'En este momento llegan muchos archivos',
      text: 'Vuelva atrás y envíe de nuevo el archivo dentro de un momento.',
    },
    away: {
      title: 'No podemos responder en este momento',
      text: 'Inténtelo de nuevo dentro de un momento. Lo que ya guardó se conserva.',
    },
    ours: {
      title: 'Ha fallado algo por nuestra parte',
      text: 'Inténtelo de nuevo dentro de unos minutos. Lo que ya guardó se conserva.',
    },
    method: {
      title: 'Eso no funciona aquí',
      text: 'Abra de nuevo el enlace del correo.',
    },
    reference: 'Referencia para la asistencia',
  },

  faults: {
    too_long: 'Es demasiado largo.',
    too_short: 'Es demasiado corto.',
    invalid_format: 'No está escrito en la forma esperada.',
    invalid_value: 'Este valor no es posible.',
    iban_checksum_failed:
      'Los dígitos de control de este IBAN no coinciden. Compruebe si hay un error al escribirlo.',
    iban_format_invalid: 'No es un IBAN completo de ese país. Compruebe su longitud.',
    iban_country_mismatch: 'Este IBAN pertenece a otro país que el elegido arriba.',
    iban_required:
      'Indique el IBAN: con el sort code y el número de cuenta no basta para pagar a una cuenta.',
    aba_checksum_failed: 'Este routing number tiene un error: su dígito de control no coincide.',
    aba_format_invalid: 'Un routing number tiene nueve dígitos.',
    account_number_format_invalid: 'No es un número de cuenta completo.',
    bic_format_invalid: 'Un BIC tiene 8 u 11 letras y dígitos.',
    clabe_checksum_failed:
      'No es una CLABE válida: 18 dígitos, de los que el último es de control.',
    pix_key_format_invalid:
      'No es una clave PIX: CPF, CNPJ, teléfono con +55, correo electrónico o clave aleatoria.',
    file_type_unsupported: 'Este archivo no es un PDF, PNG o JPEG completo.',
    file_too_large: 'Este archivo supera los {mb} MB.',
    date: 'Indique una fecha real y pasada, por ejemplo 27 3 1985.',
    other: 'Revise este dato.',
  },
  faultSummary: 'Corrija lo siguiente',
  faultGeneral: 'Revise lo que ha escrito.',

  fields: {
    firstName: { label: 'Nombre', hint: '', missing: 'Indique su nombre' },
    lastName: { label: 'Apellidos', hint: '', missing: 'Indique sus apellidos' },
    dateOfBirth: {
      label: 'Fecha de nacimiento',
      hint: 'Por ejemplo 27 3 1985',
      missing: 'Indique su fecha de nacimiento',
    },
    day: { label: 'Día', hint: '', missing: 'Indique el día' },
    month: { label: 'Mes', hint: '', missing: 'Indique el mes' },
    year: { label: 'Año', hint: '', missing: 'Indique el año' },
    countryOfResidence: {
      label: 'País de residencia',
      hint: 'Donde vive',
      missing: 'Elija su país de residencia',
    },
    businessName: {
      label: 'Razón social',
      hint: 'Con la forma jurídica, por ejemplo S. L. o S. A.',
      missing: 'Indique la razón social',
    },
    countryOfIncorporation: {
      label: 'País de constitución',
      hint: 'Donde está registrada la empresa',
      missing: 'Elija el país de constitución',
    },
    registrationNumber: {
      label: 'Número de registro',
      hint: 'El del registro mercantil',
      missing: 'Indique el número de registro',
    },
    line1: { label: 'Calle y número', hint: '', missing: 'Indique la calle y el número' },
    line2: {
      label: 'Piso, puerta o datos adicionales',
      hint: '',
      missing: 'Indique los datos adicionales',
    },
    city: { label: 'Localidad', hint: '', missing: 'Indique la localidad' },
    state: { label: 'Estado o provincia', hint: '', missing: 'Indique el estado o la provincia' },
    postalCode: { label: 'Código postal', hint: '', missing: 'Indique el código postal' },
    country: { label: 'País', hint: '', missing: 'Elija el país' },
    bankCountry: { label: 'País del banco', hint: '', missing: 'Elija el país del banco' },
    accountHolderName: {
      label: 'Titular de la cuenta',
      hint: 'El nombre exactamente como figura en su banco',
      missing: 'Indique el nombre del titular de la cuenta',
    },
    currency: {
      label: 'Moneda de la cuenta',
      hint: '',
      missing: 'Elija la moneda de la cuenta',
    },
    iban: {
      label: 'IBAN',
      hint: 'Empieza por dos letras. Los espacios no importan.',
      missing: 'Indique el IBAN',
    },
    ukIban: {
      label: 'IBAN',
      hint: '22 letras y cifras que empiezan por GB. El sort code y el número de cuenta forman parte de él.',
      missing: 'Indique el IBAN',
    },
    usRouting: {
      label: 'Routing number',
      hint: 'Nueve dígitos (ABA). En un cheque están abajo a la izquierda.',
      missing: 'Indique el routing number',
    },
    usAccount: {
      label: 'Número de cuenta',
      hint: 'De 4 a 17 dígitos; no es el número de una tarjeta',
      missing: 'Indique el número de cuenta',
    },
    accountType: { label: 'Tipo de cuenta', hint: '', missing: 'Elija el tipo de cuenta' },
    clabe: { label: 'CLABE', hint: '18 dígitos', missing: 'Indique la CLABE' },
    pixKey: {
      label: 'Clave PIX',
      hint: 'CPF, CNPJ, teléfono con +55, correo electrónico o clave aleatoria',
      missing: 'Indique la clave PIX',
    },
    accountNumber: { label: 'Número de cuenta', hint: '', missing: 'Indique el número de cuenta' },
    bankCode: {
      label: 'Código del banco o de la sucursal',
      hint: 'Si su banco lo utiliza',
      missing: 'Indique el código del banco',
    },
    bic: {
      label: 'BIC (código SWIFT)',
      hint: '8 u 11 letras y dígitos',
      missing: 'Indique el BIC',
    },
    bankName: { label: 'Nombre del banco', hint: '', missing: 'Indique el nombre del banco' },
    formType: { label: '¿Qué formulario es?', hint: '', missing: 'Elija el formulario' },
    taxId: {
      label: 'Número de identificación fiscal',
      hint: 'Por ejemplo NIF, RFC, SSN, EIN o el número que le asignó la administración tributaria de su país',
      missing: 'Indique su número de identificación fiscal',
    },
    file: {
      label: 'Archivo',
      hint: 'PDF, PNG o JPEG, de {mb} MB como máximo',
      missing: 'Elija un archivo',
    },
  },
  choose: 'Elija una opción',
};
