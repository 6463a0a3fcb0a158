import type { MailTexts } from './en.ts';

/** The mail in Portuguese. */
export const pt: MailTexts = {
  locale: 'pt-BR',
  colon: ':',
  greeting: (name) => `Olá, ${name}.`,
  greetingWithoutName: 'Olá.',
  subject: {
    full_onboarding: (business) => `${business} pede os seus dados para pagamento`,
    bank_details: (business) => `${business} pede os seus dados bancários`,
    tax_documents: (business) => `${business} pede um documento fiscal`,
  },
  why: {
    full_onboarding: (business) =>
      `${business} quer pagar você e precisa saber quem você é e para onde enviar o dinheiro: dados de identidade, endereço e uma conta bancária.`,
    bank_details: (business) =>
      `${business} quer pagar você e precisa saber para qual conta bancária enviar o dinheiro.`,
    tax_documents: (business) =>
      `${business} paga você e precisa do seu número fiscal e de um documento fiscal: um PDF ou uma foto do formulário.`,
  },
  open: 'Abrir o formulário',
  until: (until) => `O link funciona até ${until}.`,
  copy: 'Se o botão não funcionar, copie este endereço no seu navegador:',
  rules:
    'O link abre o formulário sem senha, por isso não repasse este e-mail. Ele pode ser usado uma única vez. Até lá, você pode parar e voltar ao que salvou.',
  strangers: (business) =>
    `Se você não conhece ${business} ou não espera um pagamento, não preencha o formulário. Você pode ignorar este e-mail: o link expira e nada mais acontece. Em caso de dúvida, fale com ${business} por um meio que você já conhece, e não respondendo a este e-mail.`,
  test: 'Teste',
  testing:
    'Este é um teste do ambiente de testes. Nenhum dinheiro é movimentado, e não devem ser informados dados reais.',
  questions: 'Dúvidas?',
  privacyNotice: 'Aviso de privacidade',
};
