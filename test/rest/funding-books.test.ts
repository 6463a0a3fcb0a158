import { describe, expect, it } from 'vitest';
import { funding, payment, postEntries, type GivenEntry } from '../support/given-entries.ts';
import { makeTenant, type TestTenant } from '../support/factory.ts';
import { useHarness } from '../support/use-harness.ts';

const harness = useHarness({ worker: false });

const accountPath = '/v1/funding/account';

const setMode = (tenantId: string, mode: string) =>
  harness.database.pool.query(
    `INSERT INTO ledger_mode (tenant_id, mode) VALUES ($1, $2)
     ON CONFLICT (tenant_id) DO UPDATE SET mode = excluded.mode`,
    [tenantId, mode],
  );

describe('GET /v1/funding/account', () => {
  const post = (tenant: TestTenant, entries: readonly GivenEntry[]) =>
    postEntries(harness.database.pool, tenant.tenantId, entries);
  const read = async (key: string) =>
    (await harness.rest('GET', accountPath, { key })).body.funding_account;
  const nothing = {
    posted_minor: 0,
    held_minor: 0,
    available_minor: 0,
    in_transit_minor: 0,
    paid_minor: 0,
    fees_minor: 0,
    shortfall_minor: 0,
  };

  it('shows a line of zeros for a currency without entries', async () => {
    const { key } = await makeTenant(harness);
    expect(await read(key)).toMatchObject({
      mode: 'reported',
      available_balance_minor: 100_000_000,
      posted_minor: 0,
      held_minor: 0,
      in_transit_minor: 0,
      balances: [{ currency: 'USD', ...nothing }],
    });
  });

  it('keeps the reported balance, and shows posted less held when the mode is enforced', async () => {
    const tenant = await makeTenant(harness, { environment: 'production' });
    await post(tenant, [
      funding(10_000),
      ...payment(2_500, 'funds', false),
      ...payment(700, 'funds', true),
      { kind: 'fee', debit: 'fees', credit: 'funds', amount: 30, source: 'line-1' },
      funding(40, { currency: 'EUR' }),
    ]);
    const books = {
      posted_minor: 9_270,
      held_minor: 2_500,
      in_transit_minor: 0,
      balances: [
        { ...nothing, currency: 'EUR', posted_minor: 40, available_minor: 40 },
        {
          currency: 'USD',
          posted_minor: 9_270,
          held_minor: 2_500,
          available_minor: 6_770,
          in_transit_minor: 0,
          paid_minor: 700,
          fees_minor: 30,
          shortfall_minor: 0,
        },
      ],
    };
    const reported = { mode: 'reported', available_balance_minor: 100_000_000 };
    expect(await read(tenant.key)).toMatchObject({ ...reported, ...books });
    await setMode(tenant.tenantId, 'enforced');
    const enforced = { mode: 'enforced', available_balance_minor: 6_770 };
    expect(await read(tenant.key)).toMatchObject({ ...enforced, ...books });
    await setMode(tenant.tenantId, 'reported');
    expect(await read(tenant.key)).toMatchObject(reported);
  });

  it('never draws a sandbox down', async () => {
    const tenant = await makeTenant(harness);
    await setMode(tenant.tenantId, 'enforced');
    await post(tenant, [
      funding(10_000),
      ...payment(2_500, 'external', false),
      ...payment(700, 'external', true),
    ]);
    expect(await read(tenant.key)).toMatchObject({
      available_balance_minor: 10_000,
      posted_minor: 10_000,
      held_minor: 2_500,
      balances: [{ available_minor: 10_000, paid_minor: 700 }],
    });
  });

  it('shows what was promised beyond the funds as less than nothing', async () => {
    const tenant = await makeTenant(harness, { environment: 'production' });
    await setMode(tenant.tenantId, 'enforced');
    await post(tenant, payment(2_500, 'funds', false));
    expect(await read(tenant.key)).toMatchObject({
      available_balance_minor: -2_500,
      balances: [{ posted_minor: 0, available_minor: -2_500 }],
    });
  });

  it('shows sums beyond 2^53 digit by digit, on GraphQL as text', async () => {
    const tenant = await makeTenant(harness);
    await harness.database.pool.query(
      `INSERT INTO ledger_balance (tenant_id, currency, slot, paid_minor, external_minor)
       VALUES ($1, 'USD', 0, 9007199254740993, -9007199254740993), ($1, 'USD', 1, 1, -1)`,
      [tenant.tenantId],
    );
    const { text } = await harness.rest('GET', accountPath, { key: tenant.key });
    expect(text).toContain('"paid_minor":9007199254740994,');
    const { body } = await harness.graphql(
      tenant.key,
      '{ fundingAccount { mode postedMinor balances { currency paidMinor } } }',
    );
    expect(body.data.fundingAccount).toEqual({
      mode: 'reported',
      postedMinor: '0',
      balances: [{ currency: 'USD', paidMinor: '9007199254740994' }],
    });
  });

  it("reads the books after each change of an operation, and no other tenant's", async () => {
    const [mine, other] = [await makeTenant(harness), await makeTenant(harness)];
    await post(other, [funding(7)]);
    const { body } = await harness.graphql(
      mine.key,
      `mutation {
        a: sandboxBalanceSet(input: { availableBalanceMinor: 1, currency: "USD" }) { availableBalanceMinor postedMinor }
        b: sandboxBalanceSet(input: { availableBalanceMinor: 2, currency: "USD" }) { availableBalanceMinor postedMinor }
      }`,
    );
    expect(body.data).toMatchObject({
      a: { availableBalanceMinor: '1' },
      b: { availableBalanceMinor: '2' },
    });
    expect((await read(other.key)).posted_minor).toBe(7);
    expect(body.data.b.postedMinor).not.toBe('7');
  });
});

describe('GET /v1/funding/books', () => {
  const read = async (key: string) =>
    (await harness.rest('GET', '/v1/funding/books', { key })).body;

  it("shows the lines of the account, and no other tenant's", async () => {
    const tenant = await makeTenant(harness, { environment: 'production' });
    const other = await makeTenant(harness, { environment: 'production' });
    await postEntries(harness.database.pool, tenant.tenantId, [
      funding(10_000),
      ...payment(2_500, 'funds', false),
      funding(40, { currency: 'EUR' }),
    ]);
    const { body } = await harness.rest('GET', accountPath, { key: tenant.key });
    const { mode, balances } = body.funding_account;
    expect(balances.length).toBe(2);
    expect(await read(tenant.key)).toEqual({ books: { mode, balances } });
    expect(await read(other.key)).toEqual({ books: { mode: 'reported', balances: [] } });
  });

  it('shows sums beyond 2^53 digit by digit', async () => {
    const tenant = await makeTenant(harness);
    await harness.database.pool.query(
      `INSERT INTO ledger_balance (tenant_id, currency, slot, paid_minor, external_minor)
       VALUES ($1, 'USD', 0, 9007199254740993, -9007199254740993)`,
      [tenant.tenantId],
    );
    const { text } = await harness.rest('GET', '/v1/funding/books', { key: tenant.key });
    expect(text).toContain('"paid_minor":9007199254740993,');
  });

  it('is refused without a key', async () => {
    expect((await harness.rest('GET', '/v1/funding/books', {})).status).toBe(401);
  });
});
