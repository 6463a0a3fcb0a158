import { describe, expect, it } from 'vitest';
import { inTransaction } from '../../../src/db/pool.ts';
import { newId } from '../../../src/values/ids.ts';
import { connectBank, sandboxBank, setRoutes } from '../../support/banking.ts';
import { makePayee, makeTenant, payoutBody, type TestTenant } from '../../support/factory.ts';
import { useHarness } from '../../support/use-harness.ts';
import { sessionsWait } from '../../support/sessions-wait.ts';

const harness = useHarness({ worker: false, env: { LOG_LEVEL: 'silent', ...sandboxBank } });

const create = (tenant: TestTenant, body: object) =>
  harness.rest('POST', '/v1/payouts', { key: tenant.key, body });

const refusalOf = (answer: {
  status: number;
  body: { error?: { code: string; details?: unknown } };
}) => ({
  status: answer.status,
  code: answer.body.error?.code,
  details: answer.body.error?.details,
});

/** A sandbox with these routes to its one bank connection, which pays dollars. */
async function routed(...routes: Record<string, unknown>[]) {
  const tenant = await makeTenant(harness);
  const connectionId = await connectBank(harness, tenant);
  await setRoutes(
    harness,
    tenant,
    0,
    routes.map((route) => ('provider' in route ? route : { connectionId, ...route })),
  );
  const payee = await makePayee(harness, tenant.key);
  return { tenant, payee, connectionId };
}

const counted = async (tenant: TestTenant) => {
  const { rows } = await harness.database.pool.query<{ payouts: number; keys: number }>(
    `SELECT (SELECT count(*)::integer FROM payout WHERE tenant_id = $1) AS payouts,
       (SELECT count(*)::integer FROM payout_idempotency WHERE tenant_id = $1) AS keys`,
    [tenant.tenantId],
  );
  return rows[0];
};

describe('a payout that no route pays', () => {
  it('is refused, single, bulk and as a dry run, and leaves nothing behind', async () => {
    const { tenant, payee } = await routed({ currency: 'EUR' });
    const missing = { status: 422, code: 'PAYOUT_ROUTE_MISSING' };
    expect(refusalOf(await create(tenant, payoutBody(payee)))).toMatchObject(missing);
    const tried = payoutBody(payee, { dry_run: true });
    expect(refusalOf(await create(tenant, tried))).toMatchObject(missing);
    const bulk = await harness.rest('POST', '/v1/payouts/bulk', {
      key: tenant.key,
      body: { mode: 'partial', payouts: [payoutBody(payee), payoutBody(payee)] },
    });
    expect(bulk.body.results.map((row: { error: { code: string } }) => row.error.code)).toEqual([
      'PAYOUT_ROUTE_MISSING',
      'PAYOUT_ROUTE_MISSING',
    ]);
    expect(await counted(tenant)).toEqual({ payouts: 0, keys: 0 });
  });

  it('is one whose amount is outside of every range', async () => {
    const { tenant, payee } = await routed({
      currency: 'USD',
      amountFromMinor: 100,
      amountToMinor: 1_000,
    });
    for (const [amount_minor, status] of [
      [99, 422],
      [100, 201],
      [1_000, 201],
      [1_001, 422],
    ] as const) {
      expect((await create(tenant, payoutBody(payee, { amount_minor }))).status).toBe(status);
    }
  });

  it('is one to a country that the scheme does not reach', async () => {
    const { tenant, payee } = await routed({ country: 'DE' });
    expect(refusalOf(await create(tenant, payoutBody(payee)))).toMatchObject({
      code: 'PAYOUT_ROUTE_MISSING',
    });
  });
});

describe('a payout whose payee or account is not there', () => {
  it('is refused for that, whatever the routes are', async () => {
    const { tenant, payee } = await routed({ currency: 'USD' });
    const other = await makePayee(harness, tenant.key);
    const stranger = await makePayee(harness, (await makeTenant(harness)).key);
    const wrong = [
      [{ beneficiary_id: newId('beneficiary') }, 'not_found'],
      [{ beneficiary_id: stranger.beneficiaryId }, 'not_found'],
      [{ bank_account_id: newId('bankAccount') }, 'BANK_ACCOUNT_NOT_FOUND'],
      [{ bank_account_id: stranger.bankAccountId }, 'BANK_ACCOUNT_NOT_FOUND'],
      [{ bank_account_id: other.bankAccountId }, 'BANK_ACCOUNT_BENEFICIARY_MISMATCH'],
    ] as const;
    for (const [change, code] of wrong) {
      expect(refusalOf(await create(tenant, payoutBody(payee, change)))).toMatchObject({ code });
      const tried = payoutBody(payee, { ...change, dry_run: true });
      expect(refusalOf(await create(tenant, tried))).toMatchObject({ code });
    }
    const bulk = await harness.rest('POST', '/v1/payouts/bulk', {
      key: tenant.key,
      body: {
        mode: 'partial',
        payouts: [...wrong.map(([change]) => payoutBody(payee, change)), payoutBody(payee)],
      },
    });
    expect(
      bulk.body.results.map((row: { error?: { code: string } }) => row.error?.code ?? null),
    ).toEqual([...wrong.map(([, code]) => code), null]);
    expect(await counted(tenant)).toEqual({ payouts: 1, keys: 1 });
  });
});

describe('a payout that the file of its bank cannot hold', () => {
  it('is refused with the fields that are missing, and created once they are there', async () => {
    const { tenant, payee } = await routed({ scheme: 'us_wire' });
    expect(refusalOf(await create(tenant, payoutBody(payee)))).toMatchObject({
      status: 422,
      code: 'PAYEE_ADDRESS_INCOMPLETE',
      details: [{ field: 'postal_address', code: 'address_missing' }],
    });
    const address = { line1: '1 Main Street', city: 'Springfield', country: 'US' };
    const put = await harness.rest('PUT', `/v1/beneficiaries/${payee.beneficiaryId}`, {
      key: tenant.key,
      body: { postal_address: address },
    });
    expect(put.status).toBe(200);
    await harness.rest(
      'POST',
      `/v1/beneficiaries/${payee.beneficiaryId}/compliance-acknowledgment`,
      {
        key: tenant.key,
      },
    );
    const created = await create(tenant, payoutBody(payee));
    expect(created.status, created.text).toBe(201);
  });

  it('is refused for a name that no letter of the file can stand for', async () => {
    const { tenant, payee } = await routed({ scheme: 'ach' });
    const put = await harness.rest(
      'PUT',
      `/v1/beneficiaries/${payee.beneficiaryId}/bank-accounts/${payee.bankAccountId}`,
      {
        key: tenant.key,
        body: {
          account_holder_name: '\uE000\uE001',
          country: 'US',
          currency: 'USD',
          routing_code: '021000021',
          account_number: '000123456789',
        },
      },
    );
    expect(put.status).toBe(200);
    expect(refusalOf(await create(tenant, payoutBody(payee)))).toMatchObject({
      status: 422,
      code: 'PAYOUT_ROUTE_UNFIT',
      details: [{ field: 'account_holder_name', code: 'unwritable' }],
    });
  });
});

describe('a payout that a route pays', () => {
  it('is created, and the same key gives the same payout, whatever the routes say later', async () => {
    const { tenant, payee } = await routed({});
    const body = payoutBody(payee);
    const first = await create(tenant, body);
    expect(first.status).toBe(201);
    await setRoutes(harness, tenant, 1, [{ provider: 'simulator', currency: 'EUR' }]);
    const again = await create(tenant, body);
    expect(again.status).toBe(200);
    expect(again.body.payout.id).toBe(first.body.payout.id);
  });

  it('is created all or none in bulk', async () => {
    const { tenant, payee } = await routed({ amountToMinor: 1_000, currency: 'USD' });
    const payouts = [
      payoutBody(payee, { amount_minor: 5 }),
      payoutBody(payee, { amount_minor: 5_000 }),
    ];
    const answer = await harness.rest('POST', '/v1/payouts/bulk', {
      key: tenant.key,
      body: { mode: 'atomic', payouts },
    });
    expect(answer.text).toContain('PAYOUT_ROUTE_MISSING');
    expect(await counted(tenant)).toEqual({ payouts: 0, keys: 0 });
    const partial = await harness.rest('POST', '/v1/payouts/bulk', {
      key: tenant.key,
      body: { mode: 'partial', payouts },
    });
    expect(partial.body.results.map((row: { status: string }) => row.status)).toEqual([
      'created',
      'failed',
    ]);
  });

  it('takes the first route that matches', async () => {
    const { tenant, payee } = await routed({ provider: 'simulator' }, { scheme: 'us_wire' });
    expect((await create(tenant, payoutBody(payee))).status).toBe(201);
  });

  it('is judged by the routes that are there when it is committed', async () => {
    const { tenant, payee, connectionId } = await routed({});
    const { pool } = harness.database;
    const pending = await inTransaction(pool, async (client) => {
      await client.query('SELECT 1 FROM bank_account WHERE tenant_id = $1 AND id = $2 FOR UPDATE', [
        tenant.tenantId,
        payee.bankAccountId,
      ]);
      const asked = create(tenant, payoutBody(payee));
      // The payout waits for its account, and the routes are replaced meanwhile.
      await sessionsWait(pool, 1);
      await setRoutes(harness, tenant, 1, [{ provider: 'simulator', currency: 'EUR' }]);
      return { asked };
    });
    expect(refusalOf(await pending.asked)).toMatchObject({
      status: 422,
      code: 'PAYOUT_ROUTE_MISSING',
    });
    expect(await counted(tenant)).toEqual({ payouts: 0, keys: 0 });
    await setRoutes(harness, tenant, 2, [{ connectionId }]);
    expect((await create(tenant, payoutBody(payee))).status).toBe(201);
  });
});

it('asks a tenant without routes nothing more', async () => {
  const tenant = await makeTenant(harness);
  const payee = await makePayee(harness, tenant.key);
  const { pool } = harness.services;
  const texts: string[] = [];
  const query = pool.query.bind(pool);
  const watched = (...args: unknown[]) => {
    const [first] = args as [{ name?: string }];
    texts.push(first.name ?? '');
    return (query as (...all: unknown[]) => unknown)(...args);
  };
  Object.assign(pool, { query: watched });
  try {
    expect((await create(tenant, payoutBody(payee))).status).toBe(201);
  } finally {
    Object.assign(pool, { query });
  }
  expect(texts.filter((name) => /rout|bank_connection/.test(name))).toEqual([]);
});
