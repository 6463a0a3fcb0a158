import type { PurposeOfPayment } from '../../../reference/purposes.ts';
import type { BankCalendar } from '../../../values/bank-days/calendars.ts';

/** What a pain.001 is written from. Plain data: nothing here knows a table, a tenant or a bank. */
export const schemes = [
  'sepa_credit_transfer',
  'sepa_instant',
  'uk_domestic',
  'us_wire',
  'cross_border',
] as const;
export type Scheme = (typeof schemes)[number];

/**
 * A structured address (street, number) or a hybrid one (at most two free lines). Town and country
 * are needed in both; a check names the address that lacks one.
 */
export interface BankAddress {
  readonly street?: string | undefined;
  readonly buildingNumber?: string | undefined;
  readonly lines?: readonly string[] | undefined;
  readonly postalCode?: string | undefined;
  readonly town?: string | undefined;
  readonly region?: string | undefined;
  /** ISO 3166-1 alpha-2. */
  readonly country?: string | undefined;
}

export interface Party {
  readonly name: string;
  readonly address?: BankAddress | undefined;
}

/** Without spaces. The IBAN is taken where both are given. */
export interface Account {
  readonly iban?: string | undefined;
  readonly number?: string | undefined;
}

/** The account that is debited. */
export interface DebtorAccount extends Account {
  /** ISO 4217: that in which the account is held, where it is another than the group's. */
  readonly currency?: string | undefined;
}

/** How a bank is named. */
export interface Agent {
  readonly bic?: string | undefined;
  /** UK, six digits. */
  readonly sortCode?: string | undefined;
  /** US, nine digits. */
  readonly abaNumber?: string | undefined;
}

export interface CreditTransfer {
  /** Written as `EndToEndId`: the payee's bank and every answer repeat it. */
  readonly payoutId: string;
  /** Written as `InstrId`: between us and our bank. */
  readonly attemptId: string;
  /**
   * A UUIDv4 in lower case that follows the payment through every bank; needed outside SEPA. It is
   * made once for an attempt and never again.
   */
  readonly uetr?: string | undefined;
  /** Minor units of the group's currency. */
  readonly amountMinor: bigint;
  readonly creditor: Party;
  readonly account: Account;
  readonly bank?: Agent | undefined;
  readonly purpose?: PurposeOfPayment | undefined;
  /** What the payee reads on the statement. */
  readonly message?: string | undefined;
}

/** What banks want otherwise than the defaults of the scheme. */
export interface GroupOptions {
  /** `SvcLvl/Cd`; null leaves it out. */
  readonly serviceLevel?: string | null | undefined;
  /** `LclInstrm/Cd`; null leaves it out. */
  readonly localInstrument?: string | null | undefined;
  readonly chargeBearer?: 'SLEV' | 'SHAR' | 'DEBT' | 'CRED' | undefined;
  /** One debit for the group (true) or one for each payment (false); the bank decides without it. */
  readonly batchBooking?: boolean | undefined;
  /** False for a bank that does not take purpose codes. */
  readonly purposeCodes?: boolean | undefined;
  /** False for a bank that needs no BIC of the payee's bank in SEPA payments with a country outside of the EEA. */
  readonly bicOutsideEea?: boolean | undefined;
}

/** A `PmtInf`: what is paid from one account, on one date, in one currency, by one scheme. */
export interface CreditTransferGroup {
  /** Written as `PmtInfId`. */
  readonly id: string;
  readonly scheme: Scheme;
  /** ISO 4217. */
  readonly currency: string;
  /** `YYYY-MM-DD`, a bank day of `calendar` unless the scheme pays every day. */
  readonly executionDate: string;
  readonly calendar: BankCalendar;
  readonly debtor: Party;
  readonly account: DebtorAccount;
  /** The debtor's bank; `NOTPROVIDED` is written where it is not named. */
  readonly bank?: Agent | undefined;
  readonly options?: GroupOptions | undefined;
  /**
   * The payments, from the first one each time it is called, and the same each time: the file is
   * checked and counted before it is written.
   */
  readonly payments: () => Iterable<CreditTransfer> | AsyncIterable<CreditTransfer>;
}

export interface CreditTransferFile {
  /** Written as `MsgId`: at most 35 characters, and never used again at this bank. */
  readonly messageId: string;
  /** Written as `CreDtTm`, to the second. */
  readonly createdAt: Date;
  /** Who sends the file, and the number by which the bank knows them. */
  readonly initiator: { readonly name: string; readonly id?: string | undefined };
  readonly groups: readonly CreditTransferGroup[];
}
