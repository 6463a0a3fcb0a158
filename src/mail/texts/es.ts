import type { MailTexts } from './en.ts';

/** The mail in Spanish. */
export const es: MailTexts = {
  locale: 'es',
  colon: ':',
  greeting: (name) => `Hola, ${name}:`,
  greetingWithoutName: 'Hola:',
  subject: {
    full_onboarding: (business) => `${business} le pide sus datos para pagarle`,
    bank_details: (business) => `${business} le pide sus datos bancarios`,
    tax_documents: (business) => `${business} le pide un documento fiscal`,
  },
  why: {
    full_onboarding: (business) =>
      `${business} quiere pagarle y necesita saber quién es y adónde enviar el dinero: sus datos de identidad, su dirección y una cuenta bancaria.`,
    bank_details: (business) =>
      `${business} quiere pagarle y necesita saber a qué cuenta bancaria debe enviar el dinero.`,
    tax_documents: (business) =>
      `${business} le paga y necesita su número fiscal y un documento fiscal: un PDF o una foto del formulario.`,
  },
  open: 'Abrir el formulario',
  until: (until) => `El enlace funciona hasta el ${until}.`,
  copy: 'Si el botón no funciona, copie esta dirección en su navegador:',
  rules:
    'El enlace abre el formulario sin contraseña, así que no comparta este correo. Se puede usar una sola vez. Hasta entonces puede parar y volver a lo que haya guardado.',
  strangers: (business) =>
    `Si no conoce a ${business} o no espera ningún pago suyo, no rellene el formulario. Puede ignorar este correo: el enlace caducará y no ocurrirá nada más. En caso de duda, pregunte a ${business} por un medio que ya conozca y no respondiendo a este correo.`,
  test: 'Prueba',
  testing:
    'Esto es una prueba del entorno de pruebas. No se mueve dinero, y no debe indicar datos reales.',
  questions: '¿Tiene preguntas?',
  privacyNotice: 'Aviso de privacidad',
};
