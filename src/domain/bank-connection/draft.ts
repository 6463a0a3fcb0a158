import type { z } from 'zod';
import type { BankConnection } from './store.ts';
import { invalid, type FieldError } from '../../errors/domain-error.ts';
import type { Call } from '../../process/services.ts';
import type { DebtorAccount } from '../../providers/bank-connection.ts';
import { newId } from '../../values/ids.ts';
import { lastFour } from '../bank-account/mask.ts';
import { partTransport, type connectionChange, type connectionFacts } from './input.ts';
import { openConnection, openFurtherAccounts, sealForConnection } from './open.ts';
import type { NewConnection, WrittenConnection } from './write-store.ts';

type ConnectionDraft = z.output<typeof connectionFacts>;
type ConnectionChange = Omit<
  z.output<typeof connectionChange>,
  'businessId' | 'connectionId' | 'version' | 'reason'
>;
/**
 * Throws `validation_failed` with what stands in the way of writing a file for each of the schemes, and where
 * the deployment lacks what the transport needs.
 */
async function requireWritable(call: Call, row: BankConnection): Promise<void> {
  const facts = openConnection(call, row);
  const faults: FieldError[] = [];
  for (const scheme of facts.schemes) {
    faults.push(...(await call.services.providers.fileFaults(facts, scheme)));
  }
  if (row.transport === 'folder' && call.scope.environment === 'production') {
    const { BANK_FOLDERS } = call.services.config;
    if (BANK_FOLDERS === null) {
      faults.push({
        field: 'transport.kind',
        code: 'invalid_value',
        message: 'The setting BANK_FOLDERS of the service is not set, so there are no folders.',
      });
    }
  }
  const leaves = row.transport === 'sftp' && call.scope.environment === 'production';
  if (leaves && row.credentialsCiphertext === null) {
    const message = 'A password or a private key is required.';
    faults.push({ field: 'transport.password', code: 'required', message });
  }
  if (faults.length > 0) throw invalid(unique(faults));
}

/** Several schemes find the same fault. */
function unique(faults: readonly FieldError[]): FieldError[] {
  return [...new Map(faults.map((fault) => [`${fault.field} ${fault.code}`, fault])).values()];
}

/**
 * What a row says of the accounts beside the first, with those that are added. Throws validation_failed for a second
 * account in one currency.
 */
function furtherAccountsOf(
  call: Call,
  { id, first }: { readonly id: string; readonly first: string },
  before: readonly DebtorAccount[],
  added: readonly DebtorAccount[],
) {
  const taken = new Set([first, ...before.map(({ currency }) => currency)]);
  const again = added.find(({ currency }) => taken.has(currency));
  if (again !== undefined) {
    const message = `The connection has an account in ${again.currency}. Another one is another connection.`;
    throw invalid([{ field: 'furtherAccounts', code: 'duplicate', message }]);
  }
  const accounts = [...before, ...added];
  return {
    furtherAccounts: accounts.map(({ country, currency, iban, number }) => ({
      country,
      currency,
      last4: lastFour(iban ?? number ?? ''),
    })),
    furtherAccountsCiphertext:
      accounts.length === 0
        ? null
        : new Uint8Array(sealForConnection(call, id, 'further_accounts', accounts)),
  };
}

/** A new connection as it is stored, checked. Throws validation_failed. */
export async function draftConnection(call: Call, draft: ConnectionDraft): Promise<NewConnection> {
  const id = newId('bankConnection');
  const { account, furtherAccounts, transport, debtorAddress, formatOptions, ...plain } = draft;
  const { country, currency, ...identifiers } = account;
  const { settings, credentials } = partTransport(transport);
  const row = {
    ...plain,
    id,
    status: 'active',
    debtorAddress: { ...debtorAddress },
    formatOptions: { ...formatOptions },
    accountCountry: country,
    accountCurrency: currency,
    accountLast4: lastFour(account.iban ?? account.number ?? ''),
    accountCiphertext: new Uint8Array(sealForConnection(call, id, 'account', identifiers)),
    ...furtherAccountsOf(call, { id, first: currency }, [], furtherAccounts),
    transport: transport.kind,
    transportSettings: { ...settings },
    credentialsCiphertext: seal(call, id, credentials),
  } as NewConnection;
  await requireWritable(call, row as BankConnection);
  return row;
}

function seal(call: Call, id: string, credentials: object | null) {
  if (credentials === null) return null;
  return new Uint8Array(sealForConnection(call, id, 'credentials', credentials));
}

/** What says whom the credentials of a connection are shown to. */
const server = ['host', 'port', 'username', 'hostKey'] as const;

/**
 * Throws `validation_failed` where the stored credentials would be shown to another server, or for another login:
 * whoever changes that gives them anew, so nobody has a bank's password sent to a place of their own.
 */
function requireSameServer(before: BankConnection, settings: Readonly<Record<string, unknown>>) {
  const { transportSettings } = before;
  const stored = transportSettings as Readonly<Record<string, unknown>>;
  const other = server.filter((name) => settings[name] !== stored[name]);
  if (other.length === 0) return;
  const message = `With another ${other.join(', ')} the stored credentials are not used: give the password or the private key anew.`;
  throw invalid([{ field: 'transport.password', code: 'required', message }]);
}

/** A connection as it is after a change, checked: what the change leaves out stays. Throws validation_failed. */
export async function changedConnection(
  call: Call,
  before: BankConnection,
  change: ConnectionChange,
): Promise<WrittenConnection> {
  const { transport, furtherAccounts, ...plain } = change;
  const given = Object.entries(plain).filter(([, value]) => value !== undefined);
  const moved = transport === undefined ? null : partTransport(transport);
  if (moved?.credentials === null && transport?.kind === 'sftp' && before.transport === 'sftp') {
    requireSameServer(before, moved.settings);
  }
  const row = {
    ...before,
    ...Object.fromEntries(given),
    ...(furtherAccounts !== undefined &&
      furtherAccountsOf(
        call,
        { id: before.id, first: before.accountCurrency },
        openFurtherAccounts(call, before),
        furtherAccounts,
      )),
    ...(transport !== undefined && { transport: transport.kind }),
    ...(moved !== null && { transportSettings: moved.settings }),
    // The same login at the same server keeps what opens it.
    credentialsCiphertext:
      moved === null || (moved.credentials === null && transport?.kind === before.transport)
        ? before.credentialsCiphertext
        : seal(call, before.id, moved.credentials),
  } as BankConnection;
  await requireWritable(call, row);
  return row;
}
