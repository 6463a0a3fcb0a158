import { join } from 'node:path';
import type { BankConnection } from './store.ts';
import type { Call } from '../../process/services.ts';
import type {
  BankConnectionFacts,
  DebtorAccount,
  SftpSettings,
  TransportSettings,
} from '../../providers/bank-connection.ts';
import type { BankCalendar } from '../../values/bank-days/calendars.ts';
import { sandboxTransport, type OpenTransport } from './sandbox-transport.ts';

/** The encrypted fields of a connection's row. */
type SealedField = 'account' | 'credentials' | 'further_accounts';

function placeOf({ scope }: Call, connectionId: string, field: SealedField) {
  return { tenantId: scope.tenantId, row: connectionId, field };
}

/** Encrypts an object for a field of a connection's row. */
export function sealForConnection(
  call: Call,
  connectionId: string,
  field: SealedField,
  value: object,
): Buffer {
  return call.services.keyring.encrypt(JSON.stringify(value), placeOf(call, connectionId, field));
}

/** Opens what `sealForConnection` wrote. Throws where the ciphertext is not this row's. */
export function openForConnection(
  call: Call,
  { id }: { readonly id: string },
  field: SealedField,
  sealed: Uint8Array,
): object {
  return JSON.parse(call.services.keyring.decrypt(sealed, placeOf(call, id, field))) as object;
}

/** The accounts of a connection beside its first one, with their identifiers decrypted. */
export function openFurtherAccounts(call: Call, row: BankConnection): readonly DebtorAccount[] {
  const { furtherAccountsCiphertext: sealed } = row;
  return sealed === null
    ? []
    : (openForConnection(call, row, 'further_accounts', sealed) as DebtorAccount[]);
}

/** A row as the file rail is told of it, with the identifiers of its accounts decrypted. */
export function openConnection(call: Call, row: BankConnection): BankConnectionFacts {
  // The shapes of the JSON are those that the commands of this folder wrote.
  const identifiers = openForConnection(call, row, 'account', row.accountCiphertext) as Omit<
    DebtorAccount,
    'country' | 'currency'
  >;
  return {
    id: row.id,
    status: row.status as BankConnectionFacts['status'],
    debtor: {
      name: row.debtorName,
      address: row.debtorAddress as BankConnectionFacts['debtor']['address'],
    },
    account: { ...identifiers, country: row.accountCountry, currency: row.accountCurrency },
    furtherAccounts: openFurtherAccounts(call, row),
    initiatorId: row.initiatorId,
    ach: row.ach as BankConnectionFacts['ach'],
    schemes: row.schemes as BankConnectionFacts['schemes'],
    formatOptions: row.formatOptions as BankConnectionFacts['formatOptions'],
    cutOff: {
      time: row.cutOffTime,
      timeZone: row.timeZone,
      calendar: row.calendar as BankCalendar,
      leadBankDays: row.leadBankDays,
    },
    returnBankDays: row.returnBankDays,
    maxPayments: row.maxPayments,
  };
}

/** What to tell operators where `openTransport` gives null. */
export const noTransport =
  'The worker has no transport for it: BANK_FOLDERS is not set, or in a sandbox neither SANDBOX_BANK_FOLDER nor SANDBOX_BANK_SFTP_URL.';

/**
 * How the connection's files travel, and what opens the way; credentials are decrypted here alone. Null where
 * the deployment lacks the setting that the transport needs (docs/providers.md).
 */
export function openTransport(call: Call, row: BankConnection): OpenTransport | null {
  const { scope, services } = call;
  if (scope.environment === 'sandbox') return sandboxTransport(services.config, row.id);
  const stored = row.transportSettings as { readonly folder?: string } & Record<string, unknown>;
  const { credentialsCiphertext: sealed } = row;
  switch (row.transport as TransportSettings['kind']) {
    case 'manual':
      return { settings: { kind: 'manual' }, credentials: {} };
    case 'folder': {
      const { BANK_FOLDERS: root } = services.config;
      if (root === null || stored.folder === undefined) return null;
      const path = join(root, stored.folder);
      return { settings: { kind: 'folder', path, root }, credentials: {} };
    }
    case 'sftp':
      return {
        settings: { ...stored, kind: 'sftp' } as SftpSettings,
        credentials: sealed === null ? {} : openForConnection(call, row, 'credentials', sealed),
      };
  }
}
