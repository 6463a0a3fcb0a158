import { jobScope } from '../../src/access/system.ts';
import { draftConnection } from '../../src/domain/bank-connection/draft.ts';
import { connectionFacts } from '../../src/domain/bank-connection/input.ts';
import type { Call } from '../../src/process/services.ts';
import { newId } from '../../src/values/ids.ts';
import { insertConnection } from '../../src/domain/bank-connection/write-store.ts';
import type { TestTenant } from './factory.ts';
import type { Harness } from './harness.ts';

/** Settings with which sandboxes can connect to the sandbox bank. */
export const sandboxBank = { SANDBOX_BANK_FOLDER: '/nonexistent/sandbox-bank' };

const connect = `mutation ($input: SandboxBankInput!) {
  sandboxBankConnect(input: $input) { id version status schemes transport accountLast4 provider }
}`;

const replace = `mutation ($version: Int!, $routes: [PayoutRouteInput!]!) {
  sandboxRoutesReplace(version: $version, routes: $routes) { version routes { provider currency scheme } }
}`;

/** What a member sees of a connection and of the routes to it. */
export const reads = `{
  bankConnections { id name status accountLast4 accountCountry schemes version }
  payoutRoutes { version routes { provider connectionId currency country scheme amountFromMinor amountToMinor } }
}`;

/** Connects a sandbox to the sandbox bank; fails where it is refused. */
export async function connectBank(
  harness: Harness,
  { key }: Pick<TestTenant, 'key'>,
  input: Record<string, unknown> = {},
): Promise<string> {
  const answer = await harness.graphql(key, connect, {
    input: { name: 'Bank', currency: 'USD', debtorName: 'Test Business', ...input },
  });
  const made = answer.body.data?.sandboxBankConnect;
  if (made == null) throw new Error(answer.text);
  return made.id as string;
}

/** Replaces the routes of a sandbox; the answer as it comes. */
export const askRoutes = (
  harness: Harness,
  key: string,
  version: number,
  routes: readonly Record<string, unknown>[],
) => harness.graphql(key, replace, { version, routes });

/** Replaces the routes of a sandbox; fails where it is refused. Returns the version. */
export async function setRoutes(
  harness: Harness,
  { key }: Pick<TestTenant, 'key'>,
  version: number,
  routes: readonly Record<string, unknown>[],
): Promise<number> {
  const answer = await askRoutes(harness, key, version, routes);
  const made = answer.body.data?.sandboxRoutesReplace;
  if (made == null) throw new Error(answer.text);
  return made.version as number;
}

/** The arguments with which an operator connects an account in euro by SFTP. */
export const europeanBank = {
  name: 'Hausbank',
  debtorName: 'Test Business GmbH',
  debtorAddress: { street: 'Example Street', buildingNumber: '1', town: 'Berlin', country: 'DE' },
  account: { country: 'DE', currency: 'EUR', iban: 'DE02120300000000202051', bic: 'BYLADEM1001' },
  schemes: ['sepa_credit_transfer', 'cross_border'],
  /** A login of its own each time: two connections never share a folder. */
  get transport() {
    return {
      kind: 'sftp',
      host: 'sftp.bank.example',
      port: 22,
      username: newId('request'),
      hostKey: `SHA256:${'A'.repeat(43)}`,
      outFolder: 'out',
      inFolder: 'in',
      password: 'not for anybody to see',
    } as const;
  },
  cutOffTime: '16:30',
  timeZone: 'Europe/Berlin',
  calendar: 'target',
  leadBankDays: 1,
  returnBankDays: 5,
  maxPayments: 1_000,
} as const;

/** Connects an account without asking who may, with what `europeanBank` has unless it is given. */
export async function insertBankIn(call: Call, given: object): Promise<string> {
  const facts = connectionFacts.parse({ ...europeanBank, ...given });
  const row = await draftConnection(call, facts);
  return (await insertConnection(call.services.pool, call.scope, row)).id;
}

/** As `insertBankIn`, for a tenant. */
export async function insertBank(
  { services }: Harness,
  { tenantId }: Pick<TestTenant, 'tenantId'>,
  given: object,
): Promise<string> {
  const scope = await jobScope(services.pool, tenantId, { type: 'system', name: 'test' });
  return insertBankIn({ scope, services }, given);
}

/** What differs for an account in dollars whose files people carry to the bank. */
export const americanBank = {
  account: { country: 'US', currency: 'USD', number: '123456789', abaNumber: '021000021' },
  calendar: 'federal_reserve',
  transport: { kind: 'manual' },
  schemes: ['us_wire', 'ach'],
  ach: {
    destinationName: 'Bank',
    originId: '1234567890',
    originName: 'Test',
    companyId: '1234567890',
    companyName: 'Test',
    entryDescription: 'PAYOUT',
    balanced: false,
  },
} as const;

/** A sandbox whose dollars leave by wire and by ACH, whether or not the service has a sandbox bank. */
export async function payByFile(
  harness: Harness,
  tenant: TestTenant,
  scheme: 'us_wire' | 'ach',
): Promise<void> {
  const id = await insertBank(harness, tenant, americanBank);
  await setRoutes(harness, tenant, 0, [{ connectionId: id, scheme }]);
}
