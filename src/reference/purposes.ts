/** The recognised values of `purpose_of_payment`, each with what it stands for; banks and rails ask for one with each payout. */
export const purposes = {
  advertising: 'Advertising and marketing.',
  affiliate_commission: 'A commission of an affiliate.',
  bonus: 'A bonus beside the usual pay.',
  contractor_payment: 'The work of a contractor.',
  donation: 'A donation.',
  education: 'School and tuition fees.',
  freight_logistics: 'Freight, shipping and storage.',
  goods_purchase: 'Goods that were bought.',
  insurance: 'An insurance premium or claim.',
  intercompany_transfer: 'A transfer between companies of one group.',
  invoice_payment: 'An invoice, for whatever it is.',
  loan_repayment: 'The repayment of a loan.',
  marketplace_payout: 'What a seller earned on a marketplace.',
  medical: 'Medical treatment.',
  payroll: 'Wages and salaries.',
  professional_services: 'Services of a profession, such as legal advice.',
  refund: 'A refund to a customer.',
  reimbursement: 'Expenses that are paid back.',
  rent: 'Rent.',
  royalties: 'Royalties and licence fees.',
  software_services: 'Software and hosting.',
  taxes: 'Taxes and duties.',
  travel: 'Travel and accommodation.',
  utilities: 'Water, power, telephone and the like.',
  other: 'None of the others.',
} as const;

export type PurposeOfPayment = keyof typeof purposes;

export const purposesOfPayment = Object.keys(purposes) as PurposeOfPayment[];

const recognised: ReadonlySet<unknown> = new Set(purposesOfPayment);

/** Whether `value` is a recognised purpose; anything else is `INVALID_PURPOSE_OF_PAYMENT`. */
export function isPurposeOfPayment(value: unknown): value is PurposeOfPayment {
  return recognised.has(value);
}
