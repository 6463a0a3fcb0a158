import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { inTransaction } from '../../src/db/pool.ts';
import { enqueue } from '../../src/queue/queue.ts';
import { readSimulatorConfig } from '../../simulator/config.ts';
import { fetchBankBook, fetchLedger, type BankBook } from '../../tools/verify/sources.ts';
import { verify } from '../../tools/verify/verify.ts';
import { insertConnection } from '../support/bank-world.ts';
import {
  eventually,
  makePayee,
  makeTenant,
  payoutBody,
  type TestTenant,
} from '../support/factory.ts';
import { systemCall } from '../support/fake-provider.ts';
import { startHarness, type Harness } from '../support/harness.ts';
import { longTestMs } from '../support/patience.ts';

const { apiKey } = readSimulatorConfig({});

const ibans = {
  usual: 'DE89370400440532013000',
  '0001': 'DE67370400440532010001',
  '0002': 'DE40370400440532010002',
};

interface World {
  readonly harness: Harness;
  readonly tenant: TestTenant;
  /** Runs a job of the clock now. */
  tick(): Promise<void>;
  payInEurope(iban: string): Promise<string>;
  payInAmerica(ending: string): Promise<string>;
  stateOf(payoutId: string): Promise<string>;
  /** What is violated at rest; with `lie`, what is at any time if the bank's book were as it makes it. */
  violated(lie?: (book: BankBook) => BankBook): Promise<string[]>;
}

const open: Harness[] = [];
afterEach(async () => {
  for (const harness of open.splice(0)) await harness.close();
});

async function startWorld(bank: 'folder' | 'sftp'): Promise<World> {
  const harness = await startHarness({ bank });
  open.push(harness);
  const tenant = await makeTenant(harness);
  const { key, tenantId } = tenant;
  const { pool } = harness.database;
  const sql = async (text: string, values: unknown[]) => (await pool.query(text, values)).rows;
  const call = await systemCall(harness.services, tenantId);
  const europe = await insertConnection(sql, call, { country: 'DE' });
  const america = await insertConnection(sql, call, { country: 'US', balanced: true });
  await pool.query('INSERT INTO payout_routing (tenant_id, version, routes) VALUES ($1, 1, 2)', [
    tenantId,
  ]);
  await pool.query(
    `INSERT INTO payout_route (tenant_id, position, provider, connection_id, currency)
     VALUES ($1, 1, 'bank:' || $2, $2, 'EUR'), ($1, 2, 'bank:' || $3, $3, 'USD')`,
    [tenantId, europe, america],
  );

  async function pay(payee: Parameters<typeof payoutBody>[0], currency: string): Promise<string> {
    const body = payoutBody(payee, { currency, validator_strategy: 'auto' });
    const made = await harness.rest('POST', '/v1/payouts', { key, body });
    expect(made.status, made.text).toBe(201);
    return made.body.payout.id;
  }

  return {
    harness,
    tenant,
    async tick() {
      await inTransaction(harness.services.pool, async (client) => {
        for (const connectionId of [europe, america]) {
          await enqueue(client, 'close_bank_batch', { tenantId, connectionId, onRequest: true });
        }
        await enqueue(client, 'fetch_bank_files', {});
        await enqueue(client, 'settle_bank_payouts', {});
      });
    },
    async payInEurope(iban) {
      const { beneficiaryId } = await makePayee(harness, key);
      const account = { account_holder_name: 'Ada Lovelace', country: 'DE', currency: 'EUR', iban };
      const path = `/v1/beneficiaries/${beneficiaryId}/bank-accounts`;
      const added = await harness.rest('POST', path, { key, body: account });
      expect(added.status, added.text).toBe(201);
      return pay({ beneficiaryId, bankAccountId: added.body.bank_account.id }, 'EUR');
    },
    payInAmerica: async (ending) =>
      pay(await makePayee(harness, key, { accountNumber: `00012345${ending}` }), 'USD'),
    async stateOf(payoutId) {
      const { body } = await harness.rest('GET', `/v1/payouts/${payoutId}`, { key });
      return body.payout.state;
    },
    async violated(lie) {
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
    },
  };
}

describe.each(['folder', 'sftp'] as const)('payouts through the sandbox bank, by %s', (way) => {
  test('end as the bank says, and the four books agree', { timeout: longTestMs }, async () => {
    const world = await startWorld(way);
    const paid = await Promise.all([
      world.payInEurope(ibans.usual),
      world.payInEurope(ibans['0001']),
      world.payInEurope(ibans['0002']),
      world.payInAmerica('6789'),
      world.payInAmerica('0002'),
    ]);
    const expected = ['settled', 'failed', 'returned', 'settled', 'returned'];
    await eventually(async () => {
      await world.tick();
      // The bank answers step by step, and the jobs of the last tick are to end before the next.
      await sleep(200);
      const states = await Promise.all(paid.map(world.stateOf));
      return JSON.stringify(states) === JSON.stringify(expected);
    });
    await eventually(async () => (await world.violated()).length === 0);
    expect(world.harness.bank?.book.openFiles()).toEqual([]);

    const kinds = async (lie: (book: BankBook) => BankBook) => [
      ...new Set((await world.violated(lie)).map((found) => found.slice(0, 2))),
    ];
    const twice = <Item>(items: readonly Item[], change: Partial<Item>) =>
      items.flatMap((item) => [item, { ...item, ...change }]);
    const changed = <Item>(items: readonly Item[], change: Partial<Item>) =>
      items.map((item) => ({ ...item, ...change }));
    expect(
      await kinds(({ orders, entries }) => ({ orders, entries: twice(entries, { id: 'SB2' }) })),
    ).toEqual(['F1']);
    expect(
      await kinds(({ orders, entries }) => ({
        orders,
        entries: changed(entries, { amount: '1' }),
      })),
    ).toEqual(['B3', 'F1']);
    expect(
      await kinds(({ orders, entries }) => ({
        orders: changed(orders, { file_sha256: 'f'.repeat(64) }),
        entries,
      })),
    ).toEqual(['F2']);
    expect(
      await kinds(({ orders, entries }) => ({ orders: twice(orders, { id: 'SB3' }), entries })),
    ).toEqual(['F2']);
    expect(await kinds(({ orders }) => ({ orders, entries: [] }))).toEqual(['B3', 'F3']);
    const stranger = { instruction_id: 'x', trace_number: null };
    expect(
      await kinds(({ orders, entries }) => ({ orders: changed(orders, stranger), entries })),
    ).toEqual(['B3', 'F1', 'F2', 'F3']);
  });
});
