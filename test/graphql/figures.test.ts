import { beforeAll, describe, expect, it, test } from 'vitest';
import { newId } from '../../src/values/ids.ts';
import { makeTenant } from '../support/factory.ts';
import { insertPayoutRows, payoutRow, type PayoutRow } from '../support/payout-rows.ts';
import { useHarness, useTenant } from '../support/use-harness.ts';
import { foreignKeysOff } from '../support/foreign-keys.ts';

const harness = useHarness({ worker: false });
const tenant = useTenant(harness);

const most = 999_999_999_999;
const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

const rows: PayoutRow[] = [
  payoutRow({ created_at: '2026-02-27T23:59:59.999Z', state: 'settled' }),
  payoutRow({ created_at: '2026-02-28T00:00:00.000Z', state: 'settled', amount_minor: 5 }),
  payoutRow({
    created_at: '2026-02-28T23:30:00.000Z',
    state: 'settled',
    currency: 'EUR',
    amount_minor: 7,
  }),
  payoutRow({
    created_at: '2026-02-28T23:59:59.999Z',
    state: 'failed',
    failure_code: 'other',
    provider: 'simulator',
    amount_minor: 11,
  }),
  payoutRow({
    created_at: '2026-03-02T12:00:00.000Z',
    state: 'returned',
    failure_code: 'other',
    amount_minor: 13,
  }),
  payoutRow({
    created_at: '2026-03-02T12:00:00.000Z',
    state: 'returned',
    failure_code: 'account_closed',
    amount_minor: 17,
  }),
  payoutRow({ created_at: '2026-03-02T12:00:00.000Z', state: 'failed', amount_minor: 19 }),
  payoutRow({ created_at: '2026-03-03T00:00:00.000Z', state: 'settled' }),
  ...[0, 59, 61, 300, 2_000, 5_000, 20_000, 30_000].map((minutes) =>
    payoutRow({ created_at: ago(minutes) }),
  ),
  payoutRow({ created_at: ago(100), state: 'compliance_hold' }),
];

beforeAll(async () => {
  const { pool } = harness.database;
  await insertPayoutRows(pool, tenant.tenantId, rows);
});

const query = `query ($from: String!, $to: String!, $timeZone: String) {
  figures(from: $from, to: $to, timeZone: $timeZone) {
    from to timeZone
    payoutsByState { state count }
    payoutsByDay { day currency count amountMinor }
    failuresByCode { failureCode count }
    approvalQueue { fromMinutes toMinutes count }
    deliveryHealth { pending delivered dead canceled failingSince failures lastStatusCode lastError }
  } }`;

const range = { from: '2026-02-28', to: '2026-03-02' };

async function figures(variables: Record<string, unknown> = range, key = tenant.key) {
  const { body, text } = await harness.graphql(key, query, variables);
  expect(body.errors, text).toBeUndefined();
  return body.data.figures;
}

const figure = (day: string, currency: string, count: number, amountMinor: string) => ({
  day,
  currency,
  count,
  amountMinor,
});

describe('of the payouts that were created in the range', () => {
  test('states, days with sums, and codes', async () => {
    const found = await figures();
    expect(found).toMatchObject({ ...range, timeZone: 'UTC' });
    const counts = new Map<string, number>(
      found.payoutsByState.map(({ state, count }: { state: string; count: number }) => [
        state,
        count,
      ]),
    );
    expect(counts.size).toBe(9);
    expect(Object.fromEntries([...counts].filter(([, count]) => count > 0))).toEqual({
      settled: 2,
      failed: 2,
      returned: 2,
    });
    expect(found.payoutsByDay).toEqual([
      figure('2026-02-28', 'EUR', 1, '7'),
      figure('2026-02-28', 'USD', 2, '16'),
      figure('2026-03-02', 'USD', 3, '49'),
    ]);
    expect(found.failuresByCode).toEqual([
      { failureCode: 'other', count: 2 },
      { failureCode: 'account_closed', count: 1 },
      { failureCode: null, count: 1 },
    ]);
  });

  test('days of another time zone, across a change of its clocks', async () => {
    const berlin = { ...range, timeZone: 'Europe/Berlin' };
    expect((await figures(berlin)).payoutsByDay).toEqual([
      // One hour before UTC: the first payout is in, and the last two of the day are of the next.
      figure('2026-02-28', 'USD', 2, '105'),
      figure('2026-03-01', 'EUR', 1, '7'),
      figure('2026-03-01', 'USD', 1, '11'),
      figure('2026-03-02', 'USD', 3, '49'),
    ]);
    const { tenantId, key } = await makeTenant(harness);
    await insertPayoutRows(harness.database.pool, tenantId, [
      payoutRow({ created_at: '2026-03-28T22:59:59.999Z', amount_minor: 1 }),
      payoutRow({ created_at: '2026-03-28T23:00:00.000Z', amount_minor: 2 }),
      payoutRow({ created_at: '2026-03-29T21:59:59.999Z', amount_minor: 4 }),
      payoutRow({ created_at: '2026-03-29T22:00:00.000Z', amount_minor: 8 }),
    ]);
    const turned = { from: '2026-03-28', to: '2026-03-30', timeZone: 'Europe/Berlin' };
    expect((await figures(turned, key)).payoutsByDay).toEqual([
      figure('2026-03-28', 'USD', 1, '1'),
      figure('2026-03-29', 'USD', 2, '6'),
      figure('2026-03-30', 'USD', 1, '8'),
    ]);
  });

  test.each([
    // Midnight comes twice, and the day begins with the first.
    ['Atlantic/Azores', '2026-10-25', '2026-10-25T00:00:00.000Z'],
    ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z'],
    // The hour before midnight comes twice.
    ['Asia/Beirut', '2026-10-25', '2026-10-24T22:00:00.000Z'],
    // There is no midnight.
    ['America/Havana', '2026-03-08', '2026-03-08T05:00:00.000Z'],
    // Nor is there the day before.
    ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00.000Z'],
  ])('in %s, %s begins at %s', async (timeZone, day, begin) => {
    const { tenantId, key } = await makeTenant(harness);
    const before = new Date(Date.parse(begin) - 1).toISOString();
    await insertPayoutRows(harness.database.pool, tenantId, [
      payoutRow({ created_at: before, amount_minor: 1 }),
      payoutRow({ created_at: begin, amount_minor: 2 }),
    ]);
    const { payoutsByDay } = await figures({ from: day, to: day, timeZone }, key);
    expect(payoutsByDay).toEqual([figure(day, 'USD', 1, '2')]);
  });

  test('a sum beyond 2^53 is exact', async () => {
    const { tenantId, key } = await makeTenant(harness);
    const many = Array.from({ length: 9_100 }, () => payoutRow({ amount_minor: most }));
    await insertPayoutRows(harness.database.pool, tenantId, many);
    const total = BigInt(most) * 9_100n;
    expect(total).toBeGreaterThan(2n ** 53n);
    const { payoutsByDay } = await figures({ from: '2026-03-01', to: '2026-03-01' }, key);
    expect(payoutsByDay).toEqual([figure('2026-03-01', 'USD', 9_100, String(total))]);
  });
});

test('the approval queue by age, whatever the range', async () => {
  const { approvalQueue } = await figures();
  const part = (fromMinutes: number, toMinutes: number | null, count: number) => ({
    fromMinutes,
    toMinutes,
    count,
  });
  expect(approvalQueue).toEqual([
    part(0, 60, 2),
    part(60, 240, 1),
    part(240, 1_440, 1),
    part(1_440, 4_320, 1),
    part(4_320, 10_080, 1),
    part(10_080, null, 2),
  ]);
});

test('deliveries that were planned in the range, and the endpoint', async () => {
  const healthy = { failingSince: null, failures: 0, lastStatusCode: null, lastError: null };
  expect((await figures()).deliveryHealth).toEqual({
    pending: 0,
    delivered: 0,
    dead: 0,
    canceled: 0,
    ...healthy,
  });
  const { tenantId, key } = await makeTenant(harness);
  const { pool } = harness.database;
  const registered = await harness.rest('POST', '/v1/webhook-subscriptions', {
    key,
    body: { url: 'https://localhost/hook', enabled_events: ['payout.settled'] },
  });
  const subscriptionId: string = registered.body.subscription.id;
  const client = await pool.connect();
  const statuses = ['delivered', 'delivered', 'dead', 'canceled'];
  await client.query(`BEGIN; ${foreignKeysOff}`);
  for (const status of statuses) {
    await client.query(
      `INSERT INTO webhook_delivery (tenant_id, id, event_id, event_type, subscription_id, status)
       VALUES ($1, $2, 'evt_1', 'payout.settled', $3, $4)`,
      [tenantId, newId('webhookDelivery'), subscriptionId, status],
    );
  }
  await client.query(
    `INSERT INTO webhook_endpoint_failure (tenant_id, subscription_id, failing_since, failures, last_failed_at, last_status_code)
     VALUES ($1, $2, '2026-03-01T00:00:00Z', 3, now(), 503)`,
    [tenantId, subscriptionId],
  );
  await client.query('COMMIT');
  client.release();
  const today = new Date().toISOString().slice(0, 10);
  const day = (given: string) =>
    new Date(Date.parse(today) + Number(given) * 86_400_000).toISOString().slice(0, 10);
  expect((await figures({ from: day('-1'), to: day('1') }, key)).deliveryHealth).toEqual({
    pending: 0,
    delivered: 2,
    dead: 1,
    canceled: 1,
    failingSince: '2026-03-01T00:00:00.000Z',
    failures: 3,
    lastStatusCode: 503,
    lastError: null,
  });
  expect((await figures({ from: day('-9'), to: day('-2') }, key)).deliveryHealth).toMatchObject({
    delivered: 0,
    failures: 3,
  });
});

test('each figure is one statement, sent when it is selected', async () => {
  const sentBy = async (fields: string, timeZone = 'UTC') => {
    const text = `{ figures(from: "2026-02-28", to: "2026-03-02", timeZone: "${timeZone}") { ${fields} } }`;
    await harness.graphql(tenant.key, text);
    const { sent } = await harness.sql.during(() => harness.graphql(tenant.key, text));
    return sent
      .map(({ name }) => name)
      .filter((name) => name?.startsWith('figures_') === true || name === 'day_starts');
  };
  expect(await sentBy('from')).toEqual([]);
  expect(await sentBy('payoutsByState { count }')).toEqual(['figures_by_state']);
  expect(await sentBy('payoutsByDay { count }', 'Asia/Tokyo')).toEqual([
    'day_starts',
    'figures_by_day',
  ]);
  const whole =
    'payoutsByState { count } payoutsByDay { count } failuresByCode { count } approvalQueue { count } deliveryHealth { dead }';
  expect(await sentBy(whole)).toHaveLength(5);
});

describe('refuses', () => {
  test.each([
    [{ from: '2026-03-02', to: '2026-03-01' }, 'to', 'out_of_range'],
    [{ from: '2026-01-01', to: '2027-01-02' }, 'to', 'out_of_range'],
    [{ from: '2026-02-30', to: '2026-03-01' }, 'from', 'invalid_format'],
    [{ from: '2026-02-01T00:00:00Z', to: '2026-03-01' }, 'from', 'invalid_format'],
    [{ ...range, timeZone: 'Mars/Olympus' }, 'timeZone', 'invalid_value'],
    [{ ...range, timeZone: '+05:00' }, 'timeZone', 'invalid_value'],
    [{ ...range, timeZone: "UTC'; --" }, 'timeZone', 'invalid_value'],
  ])('%j', async (variables, field, code) => {
    const { body } = await harness.graphql(tenant.key, query, variables);
    expect(body.errors[0].extensions).toMatchObject({
      code: 'validation_failed',
      details: [{ field, code }],
    });
  });

  it('takes a leap year whole', async () => {
    expect(await figures({ from: '2028-01-01', to: '2028-12-31' })).toMatchObject({
      payoutsByDay: [],
    });
  });

  it('a caller without a key', async () => {
    const { body } = await harness.graphql(undefined, query, range);
    expect(body.errors[0].extensions.code).toBe('unauthorized');
  });
});

test('another business, and another environment, see nothing', async () => {
  for (const environment of ['sandbox', 'production'] as const) {
    const { key } = await makeTenant(harness, { environment });
    const found = await figures(range, key);
    expect(found).toMatchObject({ payoutsByDay: [], failuresByCode: [] });
    const counts = [...found.payoutsByState, ...found.approvalQueue].map(
      ({ count }: { count: number }) => count,
    );
    expect(new Set(counts)).toEqual(new Set([0]));
  }
});

test('every role that may read sees figures', async () => {
  for (const role of ['viewer', 'developer', 'preparer', 'approver'] as const) {
    const { payoutsByDay } = await figures(range, await tenant.keyWithRole(role));
    expect(payoutsByDay).toHaveLength(3);
  }
});
