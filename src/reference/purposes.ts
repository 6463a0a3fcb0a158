/** The recognised values of `purpose_of_payment`; banks and rails ask for one with each payout. */
export const purposesOfPayment = [
  'advertising',
  'affiliate_commission',
  'bonus',
  'contractor_payment',
  'donation',
  'education',
  'freight_logistics',
  'goods_purchase',
  'insurance',
  'intercompany_transfer',
  'invoice_payment',
  'loan_repayment',
  'marketplace_payout',
  'medical',
  'payroll',
  'professional_services',
  'refund',
  'reimbursement',
  'rent',
  'royalties',
  'software_services',
  'taxes',
  'travel',
  'utilities',
  'other',
] as const;

export type PurposeOfPayment = (typeof purposesOfPayment)[number];

const recognised: ReadonlySet<unknown> = new Set(purposesOfPayment);

/** Whether `value` is a recognised purpose; anything else is `INVALID_PURPOSE_OF_PAYMENT`. */
export function isPurposeOfPayment(value: unknown): value is PurposeOfPayment {
  return recognised.has(value);
}
