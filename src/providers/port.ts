import type { BankScheme } from './bank-connection.ts';
import type { Capabilities } from './capabilities.ts';

/**
 * The one way to a payout provider that is called. It is narrow on purpose: four calls, and capabilities as data,
 * so that the disbursement rules can be written once for every provider. A `signal` ends a call
 * early; the guard around each provider adds the time-out.
 */
export interface ProviderPort {
  /** Stored on the payout as `provider`, and never shown to webhook subscribers. */
  readonly name: string;
  readonly capabilities: ProviderCapabilities;
  /** Registers a destination. Throws ProviderError. */
  enroll(request: EnrollRequest, signal?: AbortSignal): Promise<EnrollResult>;
  /** Hands one disbursement over. Throws ProviderError. */
  submit(request: SubmitRequest, signal?: AbortSignal): Promise<ProviderPayout>;
  /**
   * Asks for all payments that the provider has under our reference. Empty when it certainly has none. An
   * adapter returns all of them, so that the caller notices a payment made twice. Throws ProviderError.
   */
  lookUp(request: LookUpRequest, signal?: AbortSignal): Promise<readonly ProviderPayout[]>;
  /**
   * Asks the bank of an account whether its holder has the name that is given. It pays and changes nothing. Absent where
   * the provider cannot be asked. Throws ProviderError, `rejected` where it has no answer for such an account.
   */
  checkName?(request: PaidAccount, signal?: AbortSignal): Promise<NameCheckAnswer>;
  /**
   * Proves, without paying anything, that the credentials open the account: what holds, in sentences for operators. Absent
   * where there is nothing to ask. Throws ProviderError.
   */
  prove?(signal?: AbortSignal): Promise<readonly string[]>;
  /**
   * Looks at the head of what was posted, before its body is read. Says what is wrong where the signature is missing,
   * malformed or too old, and null where only the body can tell.
   * @param now seconds since 1970
   */
  checkHead(header: (name: string) => string | undefined, now: number): string | null;
  /**
   * Verifies and reads what the provider posted, from its raw bytes: one event, or several where the provider
   * sends events together. Where an event only names a payment, the adapter asks for it. Throws ProviderEventRefused when
   * the signature, or the shape of any event, is wrong, or when the provider does not answer.
   * @param now seconds since 1970
   */
  parseEvents(
    rawBody: Buffer,
    header: (name: string) => string | undefined,
    now: number,
    signal?: AbortSignal,
  ): Promise<readonly ProviderEvent[]>;
}

export interface ProviderCapabilities extends Capabilities {
  /** How long the provider remembers an idempotency key. After that nothing is sent again. */
  readonly idempotencyWindowMs: number;
  /**
   * The account goes with each payment, as `SubmitRequest.account`: the provider keeps no recipients, and `enroll` only
   * looks whether it can be paid; or the account decides how the payment is made.
   */
  readonly accountWithPayment?: true;
}

/**
 * A provider that takes payments in files: an account at a bank (docs/providers.md). Nobody can ask it anything:
 * what became of a payment is in the files that come back. Nothing here reaches a network.
 */
export interface FileRail {
  /** Stored as `provider`, like the name of a called one. */
  readonly name: string;
  readonly capabilities: FileCapabilities;
  /**
   * Enrolls a destination, which a bank never hears of: checks that it can be written into a file. Throws
   * ProviderError with the verdict `rejected` where it cannot.
   */
  enroll(request: EnrollRequest): Promise<EnrollResult>;
  /**
   * Whether and how the payment can be written.
   * @param scheme by which it is to be paid; null for the connection's first that can
   */
  judge(payment: FilePayment, scheme: BankScheme | null): FileJudgement;
}

export interface FileCapabilities extends Capabilities {
  /** Payments are collected and leave in a file, of so many at most. */
  readonly batch: { readonly maxPayments: number };
  readonly schemes: readonly BankScheme[];
}

/** Whoever pays: what is called for each payment, or what takes files. */
export type Rail = ProviderPort | FileRail;

/** Tells the two apart by what they can do. */
export function takesFiles(rail: Rail): rail is FileRail {
  return 'batch' in rail.capabilities;
}

/** A payment as a file describes it. */
export interface FilePayment {
  readonly payee: Payee;
  readonly destination: Destination;
  /** Minor units of `currency`. */
  readonly amountMinor: bigint;
  /** ISO 4217. */
  readonly currency: string;
  readonly purpose: string;
}

/** A reason why a payment cannot be written: names a part and holds none of its content. */
export interface FileFault {
  /** A field of the beneficiary, the bank account or the payout, as the API names it. */
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

export type FileJudgement =
  | { readonly kind: 'writable'; readonly scheme: BankScheme }
  | {
      readonly kind: 'unwritable';
      readonly scheme: BankScheme;
      readonly faults: readonly FileFault[];
    }
  /** No scheme of the connection pays to this country in this currency and amount. */
  | { readonly kind: 'out_of_reach' };

export interface Destination {
  readonly accountHolderName: string;
  /** Country of the bank, ISO 3166-1 alpha-2. */
  readonly country: string;
  /** ISO 4217. */
  readonly currency: string;
  readonly accountNumber?: string | undefined;
  readonly routingCode?: string | undefined;
  readonly iban?: string | undefined;
  readonly swiftBic?: string | undefined;
  readonly clabe?: string | undefined;
  readonly pixKey?: string | undefined;
  readonly bankName?: string | undefined;
  readonly accountType?: 'checking' | 'savings' | undefined;
}

export interface PostalAddress {
  readonly line1: string;
  readonly line2?: string | undefined;
  readonly city: string;
  readonly state?: string | undefined;
  readonly postalCode?: string | undefined;
  readonly country: string;
}

/** The payee as the provider may see it: no nickname, no display name, no registration number. */
export interface Payee {
  readonly type: 'person' | 'business';
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly businessName?: string | undefined;
  readonly email: string;
  readonly phone?: string | undefined;
  readonly country?: string | undefined;
  readonly dateOfBirth?: string | undefined;
  readonly taxNumber?: string | undefined;
  readonly address?: PostalAddress | undefined;
}

/** Who is paid, and where. */
export interface PaidAccount {
  readonly payee: Payee;
  readonly destination: Destination;
}

export interface EnrollRequest extends PaidAccount {
  /** Our enrollment's id. The provider enrolls at most once for it. */
  readonly idempotencyKey: string;
  readonly reference: string;
}

export interface EnrollResult {
  readonly recipientId: string;
  /** As the provider says it. The caller compares it with its own. */
  readonly reference: string;
}

/** What the bank of an account says of a name. */
export interface NameCheckAnswer {
  /** As the source says it (name-check.ts). */
  readonly code: string;
  /** With a close match, where the source tells it. */
  readonly nameOnFile: string | null;
}

export interface SubmitRequest {
  /** The disbursement attempt's id. */
  readonly idempotencyKey: string;
  /** Echoed in the provider's events and usable for look-ups. */
  readonly reference: string;
  readonly recipientId: string;
  /** Minor units of `currency`. */
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly purpose: string;
  /** Present where the provider's capabilities ask for it. */
  readonly account?: PaidAccount | undefined;
}

export interface LookUpRequest {
  readonly reference: string;
  /** To whom it was submitted. */
  readonly recipientId: string;
}

/**
 * What a provider says of a payment with every answer and event. An adapter passes it on as it was
 * said and refuses an answer or event that lacks a part. The caller compares it with what was asked.
 */
export interface ProviderPayment {
  readonly providerPayoutId: string;
  readonly reference: string;
  /** Minor units of `currency`. */
  readonly amountMinor: bigint;
  /** ISO 4217. */
  readonly currency: string;
  /** The provider's own name of a status that the adapter does not know. The payment waits, and a person is told. */
  readonly unclear?: string | undefined;
}

/** A disbursement as the provider knows it. */
export interface ProviderPayout extends ProviderPayment {
  readonly status: 'processing' | 'held' | 'disbursed' | 'settled' | 'failed' | 'returned';
  /** ISO 8601: since when the status is so, by the provider's clock. */
  readonly statusAt: string;
  readonly railRef: string | null;
  readonly failure: ProviderFailure | null;
}

/** The failure codes of a payout, which the API shows. */
export const failureCodes = [
  'invalid_account',
  'account_closed',
  'name_mismatch',
  'insufficient_provider_funds',
  'compliance_rejected',
  'provider_rejected',
  'other',
] as const;
export type FailureCode = (typeof failureCodes)[number];

export interface ProviderFailure {
  readonly code: FailureCode;
  readonly message: string;
}

/**
 * What a failed call means for the money:
 * - `rejected`: a definite no; nothing was and nothing will be paid for this request.
 * - `held`: a definite no for now; the provider's compliance holds the payee, and nothing was taken.
 * - `retry`: the provider certainly did not take it (refused connection, 429); the same call may be sent again.
 * - `unknown`: it may have been taken (time-out, 5xx, cut connection); look up before anything else.
 */
export type Verdict = 'rejected' | 'held' | 'retry' | 'unknown';

export class ProviderError extends Error {
  readonly verdict: Verdict;
  readonly code: FailureCode;
  constructor(verdict: Verdict, code: FailureCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ProviderError';
    this.verdict = verdict;
    this.code = code;
  }
}

/**
 * An inbound event that is not the provider's, or cannot be read. `status` is that of the HTTP answer; after 503 the
 * provider sends it again.
 */
export class ProviderEventRefused extends Error {
  readonly status: 400 | 401 | 503;
  constructor(status: 400 | 401 | 503, message: string) {
    super(message);
    this.name = 'ProviderEventRefused';
    this.status = status;
  }
}

export const payoutEventTypes = [
  'acknowledged',
  'estimated',
  'disbursed',
  'settled',
  'failed',
  'returned',
  'held',
  'released',
] as const;
export type PayoutEventType = (typeof payoutEventTypes)[number];

interface EventBase {
  /** The provider's own id of the event, under which it is stored once. */
  readonly eventId: string;
  /** ISO 8601, the provider's clock. */
  readonly occurredAt: string;
}

export interface ProviderPayoutEvent extends EventBase, ProviderPayment {
  readonly kind: 'payout';
  readonly type: PayoutEventType;
  readonly railRef: string | null;
  /** ISO 8601 date-time; present on `estimated`. */
  readonly expectedDeliveryDate: string | null;
  readonly failure: ProviderFailure | null;
}

export interface ProviderRecipientEvent extends EventBase {
  readonly kind: 'recipient';
  readonly type: 'suspended' | 'closed' | 'reinstated';
  readonly reference: string;
  readonly recipientId: string;
  readonly reason: string | null;
}

export type ProviderEvent = ProviderPayoutEvent | ProviderRecipientEvent;
