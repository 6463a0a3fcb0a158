import type { Texts } from './en.ts';

/** The pages in Portuguese as it is written in Brazil. */
export const pt: Texts = {
  name: 'Português',
  locale: 'pt-BR',

  frame: {
    skip: 'Ir para o conteúdo',
    secure: 'Formulário seguro',
    language: 'Idioma',
    sandbox: 'Ambiente de testes',
    sandboxMeaning: 'Nada do que for digitado aqui resulta em pagamento. Não informe dados reais.',
    registered: 'Empresa registrada:',
    optional: 'opcional',
    errorPrefix: 'Erro',
    questions: 'Dúvidas?',
    privacyNotice: 'Aviso de privacidade',
    privacyLine: (business) =>
      `Dados criptografados. Só ${business} e o seu provedor de pagamentos os recebem.`,
  },

  start: {
    title: {
      full_onboarding: (business) => `${business} está pedindo os seus dados`,
      bank_details: (business) => `${business} está pedindo a sua conta bancária`,
      tax_documents: (business) => `${business} está pedindo um documento fiscal`,
    },
    lead: {
      full_onboarding: (business) =>
        `Para pagar você, ${business} precisa saber quem você é e para qual conta enviar o dinheiro.`,
      bank_details: (business) =>
        `Para pagar você, ${business} precisa saber para qual conta enviar o dinheiro.`,
      tax_documents: (business) =>
        `Para pagar você, ${business} precisa ter um documento fiscal seu.`,
    },
    asked: 'O que será pedido',
    askedPerson: 'Seu nome completo, sua data de nascimento e seu país de residência',
    askedBusiness: 'A razão social, o número de registro e o país da sua empresa',
    askedAddress: 'Seu endereço',
    askedBank: 'A conta bancária em que você quer receber',
    askedTaxId: 'Seu número de identificação fiscal',
    askedFile: 'O formulário em um único arquivo: PDF, PNG ou JPEG, com no máximo {mb} MB',
    begin: 'Começar',
    resume: 'Continuar de onde você parou',
    until: 'Este link funciona uma única vez, até',
    unexpected: (business) =>
      `Não esperava por isto? Feche a página e fale com ${business} por um meio que você já conhece. Nada chega a ${business} antes da sua confirmação no final.`,
  },

  use: {
    title: 'Como os seus dados são usados',
    encrypted:
      'Eles são criptografados assim que chegam. Depois disso, estas páginas mostram números, datas e ruas apenas em parte.',
    whoGets: (business) => `Só ${business} e o seu provedor de pagamentos os recebem.`,
    purpose: 'Eles servem para pagar você e para cumprir as regras de verificação de identidade.',
  },

  steps: {
    progress: (step, of) => `Etapa ${step} de ${of}`,
    navigation: 'Etapas',
    done: 'concluída',
    about: 'Sobre você',
    aboutBusiness: 'Sua empresa',
    address: 'Endereço',
    bank: 'Conta bancária',
    document: 'Documento fiscal',
    send: 'Conferir e enviar',
    continue: 'Salvar e continuar',
    back: 'Voltar',
    given: 'Você já informou estes dados.',
    givenMeaning:
      'Eles estão salvos. Para sua segurança, números, datas e ruas não são preenchidos de novo. Altere o formulário somente se algo estiver errado.',
    keep: 'Manter e continuar',
    notKept:
      'Para sua segurança, números de conta e números fiscais são apagados depois de um erro. Digite-os novamente.',
  },

  about: {
    title: 'Sobre você',
    titleBusiness: 'Sobre a sua empresa',
    lead: 'Como consta no seu passaporte ou documento de identidade.',
    leadBusiness: 'Como consta no registro da empresa.',
  },
  address: {
    title: 'Seu endereço',
    titleBusiness: 'O endereço da sua empresa',
    lead: 'Onde você mora e recebe correspondência.',
    leadBusiness: 'A sede registrada.',
  },
  bank: {
    title: 'Sua conta bancária',
    lead: 'Os dados necessários dependem do país do seu banco.',
    showFields: 'Continuar com este país',
    otherWay: 'Só tenho o sort code e o número da conta',
    otherWayMeaning:
      'Informe o IBAN: não é possível pagar em uma conta da qual só se conhecem o sort code e o número. Os dois fazem parte do seu IBAN, que aparece no aplicativo e nos extratos do seu banco, muitas vezes ao lado do número da conta ou em “international payments”.',
    either: 'Informe o IBAN ou o número da conta, conforme o que o seu banco usa.',
    notChecked: (business) =>
      `Contas deste país ainda não podem ser conferidas automaticamente. Talvez ${business} peça outra conta.`,
    accountType: {
      checking: 'Conta corrente (checking)',
      savings: 'Conta poupança (savings)',
    },
  },
  document: {
    title: 'Seu documento fiscal',
    lead: 'Escolha o formulário, informe o seu número fiscal e anexe o formulário assinado.',
    formType: {
      w9: 'W-9 (pessoas e empresas dos EUA)',
      w8ben: 'W-8BEN (pessoas de fora dos EUA)',
      w8bene: 'W-8BEN-E (empresas de fora dos EUA)',
      other: 'Outro documento',
    },
    send: 'Enviar o documento',
  },
  send: {
    title: 'Conferir e enviar',
    lead: (business) => `Os dados são entregues a ${business} assim que você enviar.`,
    ready: 'Informado',
    missing: 'Falta preencher',
    change: 'Alterar',
    give: 'Preencher',
    hidden: 'Para sua segurança, números, datas e ruas são mostrados apenas em parte.',
    ending: (end) => `termina em ${end}`,
    confirm:
      'Ao enviar, você confirma que os dados estão corretos e que pode informá-los. Depois disso, o link deixa de funcionar.',
    button: (business) => `Enviar para ${business}`,
  },

  thanks: {
    title: 'Obrigado, chegou tudo',
    lead: (business) => `${business} recebeu os seus dados.`,
    next: 'Não é preciso fazer mais nada. Você já pode fechar esta página.',
    change: (business) =>
      `Se algo precisar ser alterado mais tarde, peça um novo link a ${business}.`,
  },

  ended: {
    submitted: {
      title: 'Este link já foi usado',
      text: (business) =>
        `Já foram enviados dados a ${business} por este link, que funciona uma única vez. Se foi você, chegou tudo.`,
    },
    expired: {
      title: 'Este link expirou',
      text: (business) =>
        `Para sua segurança, um link funciona por poucos dias. Peça um novo a ${business}.`,
    },
    canceled: {
      title: 'Este link foi cancelado',
      text: (business) =>
        `${business} não pede mais dados por este link. Se isso for uma surpresa, pergunte a ${business}.`,
    },
    superseded: {
      title: 'Existe um link mais recente',
      text: (business) =>
        `${business} enviou outro link depois deste. Abra o e-mail mais recente e use o link que está nele.`,
    },
    notUs: 'Se não foi você, avise imediatamente por um meio que você já conhece.',
  },

  failure: {
    notFound: {
      title: 'Este link não funciona',
      text: 'Abra de novo o link do e-mail ou copie o endereço completo para o navegador.',
    },
    noPage: {
      title: 'Esta página não existe',
      text: 'Abra de novo o link do e-mail.',
    },
    tooMany: {
      title: 'Tentativas demais',
      text: (seconds) => `Por segurança, aguarde ${seconds} e tente de novo.`,
    },
    tooLarge: {
      title: 'O envio era grande demais',
      text: 'Um arquivo pode ter no máximo {mb} MB. Volte e escolha um menor.',
    },
    badRequest: {
      title: 'Não foi possível entender',
      text: 'O seu navegador enviou algo que esta página não aceita. Abra de novo o link do e-mail.',
    },
    foreign: {
      title: 'Isto não veio da nossa página',
      text: 'O formulário foi enviado de outro site, por isso nada foi salvo. Abra o link do e-mail e preencha o formulário lá.',
    },
    busy: {
      title: 'Muitos arquivos estão chegando agora',
      text: 'Volte e envie o arquivo de novo daqui a pouco.',
    },
    away: {
      title: 'Não podemos responder neste momento',
      text: 'Tente de novo daqui a pouco. O que você já salvou foi mantido.',
    },
    ours: {
      title: 'Algo deu errado do nosso lado',
      text: 'Tente de novo em alguns minutos. O que você já salvou foi mantido.',
    },
    method: {
      title: 'Isso não funciona aqui',
      text: 'Abra de novo o link do e-mail.',
    },
    reference: 'Referência para o suporte',
  },

  faults: {
    too_long: 'É longo demais.',
    too_short: 'É curto demais.',
    invalid_format: 'Não está escrito da forma esperada.',
    invalid_value: 'Este valor não é possível.',
    iban_checksum_failed:
      'Os dígitos de controle deste IBAN não conferem. Verifique se há erro de digitação.',
    iban_format_invalid: 'Não é um IBAN completo deste país. Confira o tamanho.',
    iban_country_mismatch: 'Este IBAN pertence a outro país, diferente do escolhido acima.',
    iban_required:
      'Informe o IBAN: só com o sort code e o número não é possível pagar em uma conta.',
    aba_checksum_failed:
      'Este routing number tem um erro de digitação: o dígito de controle não confere.',
    aba_format_invalid: 'Um routing number tem nove dígitos.',
    account_number_format_invalid: 'Não é um número de conta completo.',
    bic_format_invalid: 'Um BIC tem 8 ou 11 letras e números.',
    clabe_checksum_failed: 'Não é uma CLABE válida: 18 dígitos, dos quais o último é de controle.',
    pix_key_format_invalid:
      'Não é uma chave PIX: CPF, CNPJ, telefone com +55, e-mail ou chave aleatória.',
    file_type_unsupported: 'Este arquivo não é um PDF, PNG ou JPEG completo.',
    file_too_large: 'Este arquivo tem mais de {mb} MB.',
    date: 'Informe uma data real e no passado, por exemplo 27 3 1985.',
    other: 'Confira este dado.',
  },
  faultSummary: 'Corrija o seguinte',
  faultGeneral: 'Confira o que você digitou.',

  fields: {
    firstName: { label: 'Nome', hint: '', missing: 'Informe o seu nome' },
    lastName: { label: 'Sobrenome', hint: '', missing: 'Informe o seu sobrenome' },
    dateOfBirth: {
      label: 'Data de nascimento',
      hint: 'Por exemplo 27 3 1985',
      missing: 'Informe a sua data de nascimento',
    },
    day: { label: 'Dia', hint: '', missing: 'Informe o dia' },
    month: { label: 'Mês', hint: '', missing: 'Informe o mês' },
    year: { label: 'Ano', hint: '', missing: 'Informe o ano' },
    countryOfResidence: {
      label: 'País de residência',
      hint: 'Onde você mora',
      missing: 'Escolha o seu país de residência',
    },
    businessName: {
      label: 'Razão social',
      hint: 'Com o tipo jurídico, por exemplo Ltda. ou S.A.',
      missing: 'Informe a razão social',
    },
    countryOfIncorporation: {
      label: 'País de constituição',
      hint: 'Onde a empresa está registrada',
      missing: 'Escolha o país de constituição',
    },
    registrationNumber: {
      label: 'Número de registro',
      hint: 'Por exemplo o CNPJ',
      missing: 'Informe o número de registro',
    },
    line1: { label: 'Rua e número', hint: '', missing: 'Informe a rua e o número' },
    line2: { label: 'Complemento', hint: '', missing: 'Informe o complemento' },
    city: { label: 'Cidade', hint: '', missing: 'Informe a cidade' },
    state: { label: 'Estado ou região', hint: '', missing: 'Informe o estado ou a região' },
    postalCode: { label: 'CEP ou código postal', hint: '', missing: 'Informe o CEP' },
    country: { label: 'País', hint: '', missing: 'Escolha o país' },
    bankCountry: { label: 'País do banco', hint: '', missing: 'Escolha o país do banco' },
    accountHolderName: {
      label: 'Titular da conta',
      hint: 'O nome exatamente como está no banco',
      missing: 'Informe o nome do titular da conta',
    },
    currency: { label: 'Moeda da conta', hint: '', missing: 'Escolha a moeda da conta' },
    iban: {
      label: 'IBAN',
      hint: 'Começa com duas letras. Espaços não importam.',
      missing: 'Informe o IBAN',
    },
    ukIban: {
      label: 'IBAN',
      hint: '22 letras e algarismos que começam com GB. O sort code e o número da conta fazem parte dele.',
      missing: 'Informe o IBAN',
    },
    usRouting: {
      label: 'Routing number',
      hint: 'Nove dígitos (ABA). Em um cheque, ficam embaixo, à esquerda.',
      missing: 'Informe o routing number',
    },
    usAccount: {
      label: 'Número da conta',
      hint: 'De 4 a 17 dígitos; não é o número de um cartão',
      missing: 'Informe o número da conta',
    },
    accountType: { label: 'Tipo de conta', hint: '', missing: 'Escolha o tipo de conta' },
    clabe: { label: 'CLABE', hint: '18 dígitos', missing: 'Informe a CLABE' },
    pixKey: {
      label: 'Chave PIX',
      hint: 'CPF, CNPJ, telefone com +55, e-mail ou chave aleatória',
      missing: 'Informe a chave PIX',
    },
    accountNumber: { label: 'Número da conta', hint: '', missing: 'Informe o número da conta' },
    bankCode: {
      label: 'Código do banco ou da agência',
      hint: 'Se o seu banco usar um',
      missing: 'Informe o código do banco',
    },
    bic: {
      label: 'BIC (código SWIFT)',
      hint: '8 ou 11 letras e números',
      missing: 'Informe o BIC',
    },
    bankName: { label: 'Nome do banco', hint: '', missing: 'Informe o nome do banco' },
    formType: { label: 'Qual é o formulário?', hint: '', missing: 'Escolha o formulário' },
    taxId: {
      label: 'Número de identificação fiscal',
      hint: 'Por exemplo CPF, CNPJ, NIF, SSN ou EIN',
      missing: 'Informe o seu número de identificação fiscal',
    },
    file: {
      label: 'Arquivo',
      hint: 'PDF, PNG ou JPEG, com no máximo {mb} MB',
      missing: 'Escolha um arquivo',
    },
  },
  choose: 'Escolha uma opção',
};
