import { beforeEach, expect, it } from 'vitest';
import type { Call } from '../../../src/process/services.ts';
import { inTransaction } from '../../../src/db/pool.ts';
import { concludeFile } from '../../../src/domain/bank-file/balance.ts';
import { movePayoutTo } from '../../../src/domain/payout/transition.ts';
import { storedReading } from '../../../src/process/metrics/stored-reading.ts';
import { bankRows } from '../../support/bank-rows.ts';
import { insertBankIn } from '../../support/banking.ts';
import { fundingDesk, imbalances } from '../../support/books.ts';
import { makePayee, makeTenant, type TestPayee, type TestTenant } from '../../support/factory.ts';
import { systemCall } from '../../support/fake-provider.ts';
import { decide, newPayout } from '../../support/payout-command.ts';
import { useHarness } from '../../support/use-harness.ts';

/* Money that goes out after approvals, while funds are enforced. */

const harness = useHarness({ worker: false, env: { LOG_LEVEL: 'silent' } });
let tenant: TestTenant;
let payee: TestPayee;
let call: Call;
let desk: Awaited<ReturnType<typeof fundingDesk>>;
beforeEach(async () => {
  tenant = await makeTenant(harness, { environment: 'production' });
  payee = await makePayee(harness, tenant.key);
  call = await systemCall(harness.services, tenant.tenantId);
  desk = await fundingDesk(harness, tenant);
});

async function approved(amountMinor: number): Promise<string> {
  const id = await newPayout(call, payee, { amountMinor });
  await decide(call, id, 'approved');
  return id;
}

interface ShownPayout {
  readonly id: string;
  readonly shortfall_minor: number | null;
}

/** What REST says of each payout, in the list and of one alone. */
async function restMarks(): Promise<Record<string, number | null>> {
  const { key } = tenant;
  const { body } = await harness.rest('GET', '/v1/payouts?limit=50', { key });
  const payouts = body.payouts as ShownPayout[];
  for (const payout of payouts) {
    const one = await harness.rest('GET', `/v1/payouts/${payout.id}`, { key });
    expect(one.body.payout.shortfall_minor).toBe(payout.shortfall_minor);
  }
  return Object.fromEntries(payouts.map(({ id, shortfall_minor: minor }) => [id, minor]));
}

/** What the funds lack for each payout, as its business sees it on every surface. */
async function marks(): Promise<Record<string, number | null>> {
  const { body } = await harness.graphql(
    tenant.key,
    '{ payouts(first: 50) { edges { node { id shortfallMinor } } } }',
  );
  expect(body.errors).toBeUndefined();
  const nodes = body.data.payouts.edges as {
    node: { id: string; shortfallMinor: number | null };
  }[];
  const seen = Object.fromEntries(nodes.map(({ node }) => [node.id, node.shortfallMinor]));
  expect(await restMarks()).toEqual(seen);
  return seen;
}

async function balance() {
  const { body } = await harness.rest('GET', '/v1/funding/account', { key: tenant.key });
  return body.funding_account.balances.map(
    (one: { available_minor: number; shortfall_minor: number }) => [
      one.available_minor,
      one.shortfall_minor,
    ],
  );
}

async function shown(): Promise<Record<string, number>> {
  const { rows } = await harness.database.pool.query<{ id: string; minor: string }>(
    'SELECT payout_id AS id, shortfall_minor AS minor FROM ops.short_payouts WHERE tenant_id = $1',
    [tenant.tenantId],
  );
  return Object.fromEntries(rows.map(({ id, minor }) => [id, Number(minor)]));
}

async function counted(): Promise<number> {
  const { rows } = await harness.database.pool.query<{ metric: string; value: string }>(
    storedReading.text,
  );
  return Number(rows.find(({ metric }) => metric === 'payouts_funds_short')?.value);
}

it('are booked, told by an alert, and mark the payouts that were created last', async () => {
  const before = await counted();
  await desk.enforced(10_000);
  const [first, second, third] = [
    await approved(4_000),
    await approved(3_000),
    await approved(3_000),
  ];
  expect(await marks()).toEqual({ [first]: null, [second]: null, [third]: null });
  expect(await balance()).toEqual([[0, 0]]);
  await desk.recorded('withdrawal', 4_500, 'statement 7');
  expect(await balance()).toEqual([[-4_500, 4_500]]);
  expect(await marks()).toEqual({ [first]: null, [second]: 1_500, [third]: 3_000 });
  expect(await shown()).toEqual({ [second]: 1_500, [third]: 3_000 });
  expect(await counted()).toBe(before + 1);
  // One that its bank or provider has comes before those that nobody has.
  await harness.database.pool.query(
    `BEGIN; SET LOCAL session_replication_role = replica;
     UPDATE payout SET live_attempt_id = 'dat_1' WHERE id = '${third}'; COMMIT`,
  );
  expect(await marks()).toEqual({ [first]: 1_500, [second]: 3_000, [third]: null });
  await harness.database.pool.query(
    `BEGIN; SET LOCAL session_replication_role = replica;
     UPDATE payout SET live_attempt_id = NULL WHERE id = '${third}'; COMMIT`,
  );
  // One that gives its part back, or money that comes in, covers the others.
  await inTransaction(call.services.pool, (client) =>
    movePayoutTo(client, call.scope, third, { trigger: 'cancel' }),
  );
  expect(await marks()).toEqual({ [first]: null, [second]: 1_500, [third]: null });
  await desk.recorded('funding', 1_500, 'statement 8');
  expect(await marks()).toEqual({ [first]: null, [second]: null, [third]: null });
  expect(await balance()).toEqual([[0, 0]]);
  expect(await shown()).toEqual({});
  expect(await counted()).toBe(before);
  expect(await imbalances(harness.database.pool, tenant.tenantId)).toEqual([]);
});

it('mark every payout where all of the money went out', async () => {
  await desk.enforced(5_000);
  const [first, second] = [await approved(2_000), await approved(1_000)];
  await desk.recorded('withdrawal', 9_000, 'statement 9');
  expect(await balance()).toEqual([[-7_000, 7_000]]);
  expect(await marks()).toEqual({ [first]: 2_000, [second]: 1_000 });
});

it('mark nothing that the funds just cover', async () => {
  await desk.enforced(4_000);
  const [first, second] = [await approved(1_000), await approved(3_000)];
  await desk.recorded('withdrawal', 3_000, 'statement 11');
  expect(await marks()).toEqual({ [first]: null, [second]: 3_000 });
  expect(await shown()).toEqual({ [second]: 3_000 });
});

it('mark the payouts of each currency by themselves', async () => {
  await desk.enforced(3_000);
  await desk.enforce(3_000, 'EUR');
  const euro = await makePayee(harness, tenant.key);
  const id = await newPayout(call, euro, { amountMinor: 2_000 });
  await harness.database.pool.query(
    `BEGIN; SET LOCAL session_replication_role = replica;
     UPDATE payout SET currency = 'EUR' WHERE id = '${id}'; COMMIT`,
  );
  await decide(call, id, 'approved');
  const dollars = await approved(2_000);
  for (const currency of ['USD', 'EUR']) {
    await desk.record('withdrawal', 2_500, `statement ${currency}`, currency);
  }
  expect(await marks()).toEqual({ [id]: 1_500, [dollars]: 1_500 });
  expect(await shown()).toEqual({ [id]: 1_500, [dollars]: 1_500 });
});

it('mark nothing while funds are only reported, nor of another business', async () => {
  await desk.enforced(1_000);
  const id = await approved(1_000);
  await desk.recorded('withdrawal', 400, 'statement 10');
  expect(await marks()).toEqual({ [id]: 400 });
  await desk.report();
  expect(await marks()).toEqual({ [id]: null });
  expect(await balance()).toEqual([[-400, 0]]);
  expect(await shown()).toEqual({});
});

it('are a debit of a bank, too: its closing balance is a fact', async () => {
  await desk.enforced(10_000);
  const id = await approved(10_000);
  const connection = await insertBankIn(call, {});
  const rows = bankRows(harness.database.pool, call);
  const file = await rows.file(connection);
  await harness.database.pool.query(
    `INSERT INTO bank_statement (tenant_id, file_id, number, connection_id, kind, bank_id, own, currency, closing_minor,
       closing_day, entries)
     VALUES ($1, $2, 1, $3, 'statement', 'S1', true, 'USD', 4000, '2026-11-25', 0)`,
    [tenant.tenantId, file, connection],
  );
  await harness.database.pool.query('UPDATE bank_file SET applied_at = NULL WHERE id = $1', [file]);
  const stored = { id: file, connectionId: connection };
  await inTransaction(call.services.pool, (client) =>
    concludeFile(client, call.scope, stored as Parameters<typeof concludeFile>[2]),
  );
  expect(await balance()).toEqual([[-6_000, 6_000]]);
  expect(await marks()).toEqual({ [id]: 6_000 });
});
