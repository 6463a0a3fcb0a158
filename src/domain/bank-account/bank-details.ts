/** What a bank account is registered with (specification 2.6), in the domain's names. */
export interface BankDetails {
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

/** The fields that hold bank identifiers: stored encrypted, returned masked. */
export const identifierFields = [
  'iban',
  'accountNumber',
  'clabe',
  'pixKey',
  'swiftBic',
  'routingCode',
] as const;

export type IdentifierField = (typeof identifierFields)[number];

/** What is wrong with one identifier: a stable detail code (decisions 4) and a sentence. Never the identifier itself. */
export interface Fault {
  readonly code: string;
  readonly message: string;
}
