import type { BankConnection } from './store.ts';
import { requirePermission } from '../../access/scope.ts';
import { inTransaction } from '../../db/pool.ts';
import { DomainError, invalid } from '../../errors/domain-error.ts';
import type { BankScheme } from '../../providers/bank-connection.ts';
import type { Call } from '../../process/services.ts';
import { parseInput } from '../../values/validate.ts';
import { changeConnection } from './change.ts';
import { draftConnection } from './draft.ts';
import {
  connectionFacts,
  sandboxChange,
  sandboxDraft,
  type SandboxChange,
  type SandboxDraft,
} from './input.ts';
import { sandboxTransport } from './sandbox-transport.ts';
import { insertConnection } from './write-store.ts';

/** Accounts at the sandbox bank. The numbers are published examples and belong to nobody. */
const accounts = {
  EUR: {
    account: { country: 'DE', currency: 'EUR', iban: 'DE02120300000000202051', bic: 'BYLADEM1001' },
    address: { street: 'Example Street', buildingNumber: '1', town: 'Berlin', country: 'DE' },
    schemes: ['sepa_credit_transfer', 'sepa_instant', 'cross_border'],
    calendar: 'target',
    timeZone: 'Europe/Berlin',
  },
  GBP: {
    account: { country: 'GB', currency: 'GBP', number: '31926819', sortCode: '601613' },
    address: { street: 'Example Street', buildingNumber: '1', town: 'London', country: 'GB' },
    schemes: ['uk_domestic'],
    calendar: 'england_and_wales',
    timeZone: 'Europe/London',
  },
  USD: {
    account: { country: 'US', currency: 'USD', number: '123456789', abaNumber: '021000021' },
    address: { street: 'Example Street', buildingNumber: '1', town: 'New York', country: 'US' },
    schemes: ['ach', 'us_wire', 'cross_border'],
    calendar: 'federal_reserve',
    timeZone: 'America/New_York',
  },
} as const satisfies Record<
  string,
  { readonly schemes: readonly BankScheme[]; [fact: string]: unknown }
>;

/** The ids of the sender in the sandbox bank's Nacha files. */
const ach = {
  destinationName: 'Sandbox Bank',
  originId: '1234567890',
  originName: 'Sandbox',
  // A file without a balancing debit names no account: the sandbox bank pays it from that of this number.
  companyId: accounts.USD.account.number,
  companyName: 'Sandbox',
  entryDescription: 'PAYOUT',
  balanced: false,
} as const;

/** Changes of a connection in the sandbox, of which a real bank knows nothing. Throws SANDBOX_ONLY, forbidden. */
function requireSandbox(call: Call): void {
  requirePermission(call.scope, 'banks:write');
  if (call.scope.environment !== 'sandbox') throw new DomainError('SANDBOX_ONLY');
}

/** The schemes that were asked for, or all of the account. Throws validation_failed for one that it has not. */
function schemesOf(
  currency: keyof typeof accounts,
  asked: readonly BankScheme[] | null | undefined,
): BankScheme[] {
  const offered: readonly BankScheme[] = accounts[currency].schemes;
  if (asked?.every((scheme) => offered.includes(scheme)) === false) {
    const message = `The sandbox bank pays from an account in ${currency} by: ${offered.join(', ')}.`;
    throw invalid([{ field: 'schemes', code: 'invalid_value', message }]);
  }
  return [...(asked ?? offered)];
}

/**
 * Connects a sandbox to the bank of the sandbox, with an account in the currency. Its files go nowhere else,
 * whatever is stored. Throws forbidden, validation_failed, SANDBOX_ONLY, and unprocessable_entity where the
 * deployment has no sandbox bank.
 */
export async function connectSandboxBank(call: Call, given: SandboxDraft): Promise<BankConnection> {
  requireSandbox(call);
  const input = parseInput(sandboxDraft, given);
  const way = sandboxTransport(call.services.config, '');
  if (way === null) {
    throw new DomainError('unprocessable_entity', {
      message: 'The service has no sandbox bank: neither SANDBOX_BANK_FOLDER nor _SFTP_URL is set.',
    });
  }
  const { account, address, calendar, timeZone } = accounts[input.currency];
  const schemes = schemesOf(input.currency, input.schemes);
  const facts = parseInput(connectionFacts, {
    name: input.name,
    debtorName: input.debtorName,
    debtorAddress: address,
    account,
    ach: input.currency === 'USD' ? ach : null,
    // As of a bank whose accounts have one number in several currencies.
    furtherAccounts: (input.furtherCurrencies ?? []).map((currency) => ({ ...account, currency })),
    schemes,
    // Where they really go follows from the settings, each time they do.
    transport: { kind: 'manual' },
    cutOffTime: input.cutOffTime ?? '17:00',
    timeZone,
    calendar,
    leadBankDays: 1,
    returnBankDays: input.returnBankDays ?? 3,
    maxPayments: input.maxPayments ?? 1_000,
  });
  const row = await draftConnection(call, facts);
  return inTransaction(call.services.pool, (client) =>
    insertConnection(client, call.scope, { ...row, transport: way.settings.kind }),
  );
}

/**
 * Changes what a sandbox may change of its connection. Throws forbidden, validation_failed, SANDBOX_ONLY,
 * not_found, and conflict as `changeConnection` does.
 */
export async function changeSandboxConnection(
  call: Call,
  given: SandboxChange,
): Promise<BankConnection> {
  requireSandbox(call);
  const { connectionId, version, ...input } = parseInput(sandboxChange, given);
  return inTransaction(call.services.pool, (client) =>
    changeConnection(client, call, connectionId, version, {
      status: input.status ?? undefined,
      cutOffTime: input.cutOffTime ?? undefined,
      maxPayments: input.maxPayments ?? undefined,
      returnBankDays: input.returnBankDays ?? undefined,
    }),
  );
}
