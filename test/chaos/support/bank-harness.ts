import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { inTransaction } from '../../../src/db/pool.ts';
import { enqueue } from '../../../src/queue/queue.ts';
import { readSimulatorConfig } from '../../../simulator/config.ts';
import { fetchBankBook, fetchLedger, type BankBook } from '../../../tools/verify/sources.ts';
import { verify } from '../../../tools/verify/verify.ts';
import { connectAccount } from '../../support/bank-world.ts';
import {
  eventually,
  makePayee,
  makeTenant,
  payoutBody,
  type TestTenant,
} from '../../support/factory.ts';
import { systemCall } from '../../support/fake-provider.ts';
import { startHarness, type Harness } from '../../support/harness.ts';

const { apiKey } = readSimulatorConfig({});

/** Accounts in Germany, by what the sandbox bank does with payments to them. */
export const ibans = {
  usual: 'DE89370400440532013000',
  '0001': 'DE67370400440532010001',
  '0002': 'DE40370400440532010002',
  '0007': 'DE02370400440532010007',
};

/** Accounts in currencies of no decimals and of three. */
export const abroad = {
  ISK: { country: 'IS', iban: 'IS140159260076545510730339', swift_bic: 'NBIIISREXXX' },
  KWD: { country: 'DE', iban: 'DE89370400440532013000', swift_bic: 'COBADEFFXXX' },
} as const;

/** The whole service with an account at the sandbox bank in euro and one in dollars. */
export interface BankHarness {
  readonly harness: Harness;
  readonly tenant: TestTenant;
  /** The connections' ids. */
  readonly europe: string;
  readonly america: string;
  /** Runs the jobs of the clock, and orders all files, now. */
  tick(): Promise<void>;
  /** Pays an amount with all of its digits: 19.99 unless another is given, in minor units. */
  payInEurope(iban: string, amountMinor?: number): Promise<string>;
  /** Pays in another currency, from the account in euro. */
  payAbroad(currency: keyof typeof abroad, amountMinor: number): Promise<string>;
  payInAmerica(ending: string): Promise<string>;
  stateOf(payoutId: string): Promise<string>;
  /** Lets the clock and the bank go on until the payouts are in these states. */
  until(states: Readonly<Record<string, string>>): Promise<void>;
  /** Lets the clock and the bank go on until all books agree. */
  agrees(): Promise<void>;
  /** A call to the control of the bank, such as `PUT` of `faults`. */
  control(method: string, path: string, body?: unknown): Promise<unknown>;
  /** What is violated at rest; with `lie`, what is at any time if the bank's book were as it makes it. */
  violated(lie?: (book: BankBook) => BankBook): Promise<string[]>;
}

/** What it starts, `harness.close` ends. */
export async function startBankHarness(
  bank: 'folder' | 'sftp',
  env: Readonly<Record<string, string>> = {},
): Promise<BankHarness> {
  const harness = await startHarness({ bank, env });
  const tenant = await makeTenant(harness);
  const { key, tenantId } = tenant;
  const { pool } = harness.database;
  const call = await systemCall(harness.services, tenantId);
  const schemes = ['sepa_credit_transfer', 'cross_border'];
  const europe = await connectAccount(call, { country: 'DE', schemes });
  const america = await connectAccount(call, { country: 'US', balanced: true });
  await pool.query('INSERT INTO payout_routing (tenant_id, version, routes) VALUES ($1, 1, 4)', [
    tenantId,
  ]);
  await pool.query(
    `INSERT INTO payout_route (tenant_id, position, provider, connection_id, currency)
     VALUES ($1, 1, 'bank:' || $2, $2, 'EUR'), ($1, 2, 'bank:' || $3, $3, 'USD'),
       ($1, 3, 'bank:' || $2, $2, 'ISK'), ($1, 4, 'bank:' || $2, $2, 'KWD')`,
    [tenantId, europe, america],
  );

  async function pay(
    payee: Parameters<typeof payoutBody>[0],
    currency: string,
    amountMinor: number,
  ): Promise<string> {
    const more = { currency, amount_minor: amountMinor, validator_strategy: 'auto' };
    const body = payoutBody(payee, more);
    const made = await harness.rest('POST', '/v1/payouts', { key, body });
    expect(made.status, made.text).toBe(201);
    return made.body.payout.id;
  }

  async function tick(): Promise<void> {
    await inTransaction(harness.services.pool, async (client) => {
      for (const connectionId of [europe, america]) {
        await enqueue(client, 'close_bank_batch', { tenantId, connectionId, onRequest: true });
      }
      await enqueue(client, 'fetch_bank_files', {});
      await enqueue(client, 'settle_bank_payouts', {});
    });
  }

  async function stateOf(payoutId: string): Promise<string> {
    const { body } = await harness.rest('GET', `/v1/payouts/${payoutId}`, { key });
    return body.payout.state;
  }

  async function violated(lie?: (book: BankBook) => BankBook): Promise<string[]> {
    const findings = await verify({
      databaseUrl: harness.database.ownerUrl,
      ledger: () => fetchLedger(harness.simulatorUrl, apiKey),
      bank: async () => {
        const book = await fetchBankBook(harness.simulatorUrl, apiKey);
        return lie === undefined ? book : lie(book);
      },
      received: null,
      // With a lie, the jobs that the clock adds meanwhile are none of it.
      atRest: lie === undefined,
    });
    return findings
      .filter(({ violations }) => violations.length > 0)
      .map(({ check, violations }) => `${check.invariant} ${violations[0]?.detail ?? ''}`);
  }

  return {
    harness,
    tenant,
    europe,
    america,
    tick,
    stateOf,
    async until(wanted) {
      let states: Record<string, string> = {};
      const reached = eventually(async () => {
        await tick();
        // The bank answers step by step, and the jobs of the last tick are to end before the next.
        await sleep(200);
        const shown = Object.keys(wanted).map(async (id) => [id, await stateOf(id)] as const);
        states = Object.fromEntries(await Promise.all(shown));
        return isDeepStrictEqual(states, wanted);
      });
      await reached.catch(() => expect(states).toEqual(wanted));
    },
    async agrees() {
      let found: string[] = [];
      let looks = 0;
      const reached = eventually(async () => {
        // Nothing is at rest while the jobs of the clock are due, so they come between many looks.
        if (looks % 10 === 0) await tick();
        looks += 1;
        await sleep(200);
        found = await violated();
        return found.length === 0;
      });
      await reached.catch(() => expect(found).toEqual([]));
    },
    async control(method, path, body) {
      const response = await fetch(`${harness.simulatorUrl}/control/bank/${path}`, {
        method,
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
      return response.status === 204 ? null : response.json();
    },
    async payAbroad(currency, amountMinor) {
      const { country } = abroad[currency];
      const postalAddress = { line1: '1 High Street', city: 'Example', country };
      const { beneficiaryId } = await makePayee(harness, key, { postalAddress });
      const account = { account_holder_name: 'Ada Lovelace', currency, ...abroad[currency] };
      const path = `/v1/beneficiaries/${beneficiaryId}/bank-accounts`;
      const added = await harness.rest('POST', path, { key, body: account });
      expect(added.status, added.text).toBe(201);
      const payee = { beneficiaryId, bankAccountId: added.body.bank_account.id };
      return pay(payee, currency, amountMinor);
    },
    async payInEurope(iban, amountMinor = 1_999) {
      const { beneficiaryId } = await makePayee(harness, key);
      const account = { account_holder_name: 'Ada Lovelace', country: 'DE', currency: 'EUR', iban };
      const path = `/v1/beneficiaries/${beneficiaryId}/bank-accounts`;
      const added = await harness.rest('POST', path, { key, body: account });
      expect(added.status, added.text).toBe(201);
      return pay({ beneficiaryId, bankAccountId: added.body.bank_account.id }, 'EUR', amountMinor);
    },
    payInAmerica: async (ending) =>
      pay(await makePayee(harness, key, { accountNumber: `00012345${ending}` }), 'USD', 125_019),
    violated,
  };
}
