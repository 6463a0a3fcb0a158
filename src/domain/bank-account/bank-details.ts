import type { Destination } from '../../providers/port.ts';

/** What a bank account is registered with, and all that a provider is told of it. */
export type BankDetails = Destination;

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

/** What is wrong with one identifier: a stable detail code and a sentence. Neither holds the identifier. */
export interface Fault {
  readonly code: string;
  readonly message: string;
}
