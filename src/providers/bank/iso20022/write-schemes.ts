import type { PurposeOfPayment } from '../../../reference/purposes.ts';
import { maximumAmountMinor } from '../../../values/money.ts';
import type { GroupOptions, Scheme } from './write-types.ts';

/** What a scheme asks of its payments, and what is written for it unless the bank wants otherwise. */
export interface SchemeRules {
  /** The one currency of the scheme, or null where it pays in any. */
  readonly currency: string | null;
  readonly serviceLevel: string | null;
  readonly localInstrument: string | null;
  readonly chargeBearer: NonNullable<GroupOptions['chargeBearer']>;
  readonly longestName: number;
  /** Minor units. */
  readonly largestAmount: bigint;
  readonly uetr: boolean;
  readonly creditorAddress: boolean;
  /** Pays on days on which banks rest, too. */
  readonly everyDay: boolean;
}

const sepa = {
  currency: 'EUR',
  serviceLevel: 'SEPA',
  chargeBearer: 'SLEV',
  longestName: 70,
  largestAmount: 99_999_999_999n,
  uetr: false,
  creditorAddress: false,
} as const;

/**
 * Sources: European Payments Council, customer-to-bank implementation guidelines of the two SEPA
 * schemes; Common Global Implementation (CGI-MP) for the service levels, where URNS is the UK's Faster
 * Payments and URGP a wire; Pay.UK for the limit of a Faster Payment; Swift CBPR+ for UETR and addresses.
 */
export const schemeRules: Readonly<Record<Scheme, SchemeRules>> = {
  sepa_credit_transfer: { ...sepa, localInstrument: null, everyDay: false },
  sepa_instant: { ...sepa, localInstrument: 'INST', everyDay: true },
  uk_domestic: {
    currency: 'GBP',
    serviceLevel: 'URNS',
    localInstrument: null,
    chargeBearer: 'SHAR',
    longestName: 140,
    largestAmount: 100_000_000n,
    uetr: true,
    creditorAddress: false,
    everyDay: true,
  },
  us_wire: {
    currency: 'USD',
    serviceLevel: 'URGP',
    localInstrument: null,
    chargeBearer: 'SHAR',
    longestName: 140,
    largestAmount: BigInt(maximumAmountMinor),
    uetr: true,
    creditorAddress: true,
    everyDay: false,
  },
  cross_border: {
    currency: null,
    serviceLevel: null,
    localInstrument: null,
    chargeBearer: 'SHAR',
    longestName: 140,
    largestAmount: BigInt(maximumAmountMinor),
    uetr: true,
    creditorAddress: true,
    everyDay: false,
  },
};

/**
 * The code of ISO 20022's external list `ExternalPurpose1Code` for each purpose of a payout. Where
 * the list has no code for the trade itself it is a service (SCVE) or other (OTHR). LOAR is the way
 * back of a loan; LOAN would be its payment to the borrower.
 */
export const purposeCodes: Readonly<Record<PurposeOfPayment, string>> = {
  advertising: 'SCVE',
  affiliate_commission: 'COMM',
  bonus: 'BONU',
  contractor_payment: 'SCVE',
  donation: 'CHAR',
  education: 'STDY',
  freight_logistics: 'SCVE',
  goods_purchase: 'SUPP',
  insurance: 'INSU',
  intercompany_transfer: 'INTC',
  invoice_payment: 'SUPP',
  loan_repayment: 'LOAR',
  marketplace_payout: 'OTHR',
  medical: 'MDCS',
  payroll: 'SALA',
  professional_services: 'SCVE',
  refund: 'REFU',
  reimbursement: 'BEXP',
  rent: 'RENT',
  royalties: 'ROYA',
  software_services: 'SCVE',
  taxes: 'TAXS',
  travel: 'OTHR',
  utilities: 'UBIL',
  other: 'OTHR',
};
