import {
  schemes as fileSchemes,
  type Agent,
  type BankAddress,
  type GroupOptions,
} from './bank/iso20022/write-types.ts';
import type { CutOff } from '../values/bank-days/cut-off.ts';

/*
 * A business's account at a bank that takes files, as the file rail is told of it: plain data, opened from
 * its row by the domain. docs/providers.md explains each part.
 */

/** Ways of paying that a bank offers: those of ISO 20022 files, and the ACH of the United States by Nacha files. */
export const bankSchemes = [...fileSchemes, 'ach'] as const;
export type BankScheme = (typeof bankSchemes)[number];

/** The account that is debited, and its bank. Without spaces. */
export interface DebtorAccount {
  /** Country of the bank, ISO 3166-1 alpha-2. */
  readonly country: string;
  /** ISO 4217. */
  readonly currency: string;
  readonly iban?: string | undefined;
  readonly number?: string | undefined;
  readonly bic?: Agent['bic'];
  readonly sortCode?: Agent['sortCode'];
  readonly abaNumber?: Agent['abaNumber'];
  /** Needed for the debit that balances a Nacha batch. */
  readonly type?: 'checking' | 'savings' | undefined;
}

/** What the head of a Nacha file names. Its destination and originating bank are the account's ABA number. */
export interface AchFacts {
  readonly destinationName: string;
  readonly originId: string;
  readonly originName: string;
  readonly companyId: string;
  readonly companyName: string;
  /** What the payee reads of the payment, at most ten characters. */
  readonly entryDescription: string;
  /** Whether a debit of our own account balances each batch. */
  readonly balanced: boolean;
}

export interface SftpSettings {
  readonly kind: 'sftp';
  readonly host: string;
  readonly port: number;
  readonly username: string;
  /** The fingerprint of the server's key as OpenSSH prints it, `SHA256:…`. Another key is refused. */
  readonly hostKey: string;
  /** Folders on the server, to the bank and from it. */
  readonly outFolder: string;
  readonly inFolder: string;
}

export interface FolderSettings {
  readonly kind: 'folder';
  /** The absolute path of the directory that holds `out/` and `in/`. */
  readonly path: string;
  /** The directory below which no part of the path may be a link; absent where the service alone makes the folders. */
  readonly root?: string | undefined;
  /**
   * Whether the two are made where they are missing, as in the sandbox. Of a mounted directory they never are: it
   * would be a folder of this machine, at which no bank looks.
   */
  readonly makes?: boolean | undefined;
}

/** How files go to the bank and come back. `manual`: people carry them. */
export type TransportSettings = SftpSettings | FolderSettings | { readonly kind: 'manual' };

/** What opens an SFTP server: a password, or a private key in OpenSSH's or PEM form. */
export interface TransportCredentials {
  readonly password?: string | undefined;
  readonly privateKey?: string | undefined;
  readonly passphrase?: string | undefined;
}

export interface BankConnectionFacts {
  readonly id: string;
  readonly status: 'active' | 'paused' | 'closed';
  readonly debtor: { readonly name: string; readonly address: BankAddress };
  /** Pays in its own currency, and in every one in which there is no further account: the bank then exchanges. */
  readonly account: DebtorAccount;
  /** Further accounts at the bank, each in a currency of its own. */
  readonly furtherAccounts: readonly DebtorAccount[];
  /** The number under which the bank knows the sender of ISO 20022 files. */
  readonly initiatorId: string | null;
  readonly ach: AchFacts | null;
  /** In the order in which they are tried for a payment whose route names none. */
  readonly schemes: readonly BankScheme[];
  readonly formatOptions: Readonly<Partial<Record<BankScheme, GroupOptions>>>;
  readonly cutOff: CutOff;
  readonly returnBankDays: number;
  /** A batch closes when it has so many payments. */
  readonly maxPayments: number;
}

/** The account from which a connection pays in a currency. */
export function accountFor(
  { account, furtherAccounts }: Pick<BankConnectionFacts, 'account' | 'furtherAccounts'>,
  currency: string,
): DebtorAccount {
  return furtherAccounts.find((further) => further.currency === currency) ?? account;
}

const prefix = 'bank:';

/** The name of a connection as a provider: on payouts, attempts, enrollments and events. */
export function bankProviderName(connectionId: string): string {
  return `${prefix}${connectionId}`;
}

/** The name of a connection to a provider that is called, in the same places. */
export function calledProviderName(adapter: string, connectionId: string): string {
  return `${adapter}:${connectionId}`;
}

/** The connection that a called provider's name says; null for a bank, and for a provider of the deployment. */
export function connectionOfCalled(name: string): string | null {
  const [adapter = '', connectionId = null] = name.split(':');
  return `${adapter}:` === prefix ? null : connectionId;
}

/** The connection that a provider's name says, or null where the provider is no bank. */
export function connectionOfProvider(name: string): string | null {
  return name.startsWith(prefix) ? name.slice(prefix.length) : null;
}
