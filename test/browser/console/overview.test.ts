import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertPayoutRows, payoutRow, type PayoutRow } from '../../support/payout-rows.ts';
import { makePayee, makeTenant, payoutBody } from '../../support/factory.ts';
import { lookAt, startConsoleWorld, type ConsoleWorld } from './world.ts';

const hour = 3_600_000;
const day = 24 * hour;
const before = (ms: number): string => new Date(Date.now() - ms).toISOString();

/** Payouts of four weeks in three currencies with different digits, and a queue with old waits. */
function payouts(): PayoutRow[] {
  const states = ['settled', 'settled', 'settled', 'disbursed', 'approved', 'failed', 'returned'];
  const currencies = ['EUR', 'EUR', 'USD', 'JPY', 'EUR', 'USD', 'KWD'];
  const past = Array.from({ length: 200 }, (_, n) => {
    const state = states[n % states.length] ?? 'settled';
    const hasFailed = state === 'failed' || state === 'returned';
    return payoutRow({
      state,
      currency: currencies[(n * 3) % currencies.length] ?? 'EUR',
      amount_minor: 12_345 + ((n * 7_919) % 900_000),
      failure_code: hasFailed ? (n % 3 === 0 ? 'account_closed' : 'invalid_account') : null,
      created_at: before(hour + ((n * 37) % 27) * day),
    });
  });
  const waits = [0.2, 0.5, 2, 3, 30, 100, 200].map((hours) =>
    payoutRow({ currency: 'EUR', amount_minor: 100_000, created_at: before(hours * hour) }),
  );
  return [...past, ...waits];
}

let world: ConsoleWorld;
let rows: PayoutRow[];
beforeAll(async () => {
  world = await startConsoleWorld();
  rows = payouts();
  await insertPayoutRows(world.harness.database.pool, world.tenant.tenantId, rows);
});
afterAll(() => world.close());

const ready = (page: Page) => page.getByRole('heading', { name: 'Available funds' }).waitFor();

/** The filter to which a link leads. */
async function filterBehind(page: Page, name: string | RegExp): Promise<Record<string, unknown>> {
  const href = await page.getByRole('link', { name }).first().getAttribute('href');
  const { pathname, searchParams } = new URL(href ?? '', world.origin);
  expect(pathname).toBe('/console/payouts');
  return Object.fromEntries(
    [...searchParams].map(([key, value]) => [
      key,
      value.startsWith('[') ? JSON.parse(value) : value,
    ]),
  );
}

test('each figure counts what the list behind it holds', async () => {
  const { page, complaints, close } = await world.open('/');
  await ready(page);
  const failed = rows.filter(({ state }) => state === 'failed').length;
  const behind = await filterBehind(page, `${failed} payouts: Failed`);
  expect(behind).toEqual({ state: ['failed'], createdSince: expect.any(String) });
  const waiting = page.getByRole('table', { name: 'Payouts awaiting approval, by age' });
  const old = waiting.getByRole('row', { name: /^1 day or more|^24 hours or more/ });
  expect(await old.getByRole('link').textContent()).toBe('3');
  const list = new URL((await old.getByRole('link').getAttribute('href')) ?? '', world.origin);
  expect(list.searchParams.get('waitingMinutes')).toBe('1440');
  await page.getByText('Oldest 8 days').first().waitFor();
  const codes = page.getByRole('table', { name: 'Failed and returned payouts, by reason' });
  const closed = rows.filter(({ failure_code: code }) => code === 'account_closed').length;
  expect(
    await codes.getByRole('row', { name: 'account_closed' }).getByRole('link').textContent(),
  ).toBe(String(closed));
  expect(complaints).toEqual([]);
  await close();
});

test('the sums of a currency are a picture and a table, and the choice is in the address', async () => {
  const { page, complaints, close } = await world.open('/?days=7');
  await ready(page);
  await page.getByLabel('Currency', { exact: true }).selectOption('KWD');
  await page.waitForURL(/currency=KWD/);
  expect(page.url()).toMatch(/days=7/);
  await page.getByRole('img', { name: /Amounts created per day in KWD/ }).waitFor();
  await page.getByText('Show as a table').click();
  const table = page.getByRole('table', { name: 'Payouts created per day in KWD' });
  const [first] = await table.getByRole('row').allTextContents();
  expect(first).toBe('DayPayoutsAmount');
  const amounts = await table.locator('.amount').allTextContents();
  expect(amounts.length).toBeGreaterThan(0);
  for (const amount of amounts) expect(amount).toMatch(/^[\d,]+\.\d{3} KWD$/);
  expect(complaints).toEqual([]);
  await close();
});

test('what needs the reader stands first, with its amounts and the way to it', async () => {
  const { page, complaints, close } = await world.open('/');
  const todo = page.getByRole('region', { name: 'Needs you' });
  const waiting = todo.getByRole('listitem').filter({ hasText: '7 payouts await approval' });
  await waiting.getByText('7,000.00 EUR').waitFor();
  await waiting.getByText('Oldest 8 days').waitFor();
  const bad = rows.filter(({ state }) => state === 'failed' || state === 'returned');
  const failed = todo.getByRole('link', {
    name: `${bad.length} payouts failed or came back and are not replaced`,
  });
  const behind = new URL((await failed.getAttribute('href')) ?? '', world.origin).searchParams;
  expect(behind.get('replaced')).toBe('false');
  expect(behind.get('state')).toBe('["failed","returned"]');
  await failed.click();
  const bar = page.getByRole('region', { name: 'Filters' });
  await bar.getByText('Replaced Not yet').waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('a new business sees the way to its first payout, and what of it is done', async () => {
  const tenant = await makeTenant(world.harness);
  const { page, complaints, close } = await world.open('/', { as: tenant.key });
  const steps = page.getByRole('region', { name: 'Four steps to your first payout' });
  const next = steps.locator('[aria-current="step"]');
  await next.getByText('Add a payee').first().waitFor();
  await steps.getByRole('listitem').filter({ hasText: 'Have funds (done)' }).waitFor();
  const payee = await makePayee(world.harness, tenant.key);
  const body = payoutBody(payee);
  await world.harness.rest('POST', '/v1/payouts', { key: tenant.key, body });
  await page.reload();
  await next.getByText('Approve it').waitFor();
  await page.getByRole('region', { name: 'Needs you' }).getByText('1 payout awaits').waitFor();
  await next.getByRole('link', { name: 'See approvals' }).click();
  await page.getByRole('heading', { level: 1, name: 'Approvals' }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('the overview is accessible in every look, full and empty', async () => {
  const empty = await makeTenant(world.harness);
  const faults = [
    ...(await lookAt(world, 'overview', '/', ready)),
    ...(await lookAt(
      world,
      'overview-empty',
      '/',
      (page) => page.getByRole('heading', { name: 'Four steps to your first payout' }).waitFor(),
      { as: empty.key },
    )),
  ];
  expect(faults).toEqual([]);
});

test('what fails says so, offers to try again, and recovers', async () => {
  const { page, close } = await world.open('/sign-in');
  await page.route('**/graphql', async (route) => {
    const { query = '' } = route.request().postDataJSON() as { query?: string };
    await (query.includes('Overview')
      ? route.fulfill({ status: 503, body: '' })
      : route.continue());
  });
  await page.goto('/console/');
  await page.getByRole('alert').getByText('The service is temporarily unavailable.').waitFor();
  await page.unroute('**/graphql');
  await page.getByRole('button', { name: 'Try again' }).click();
  await ready(page);
  await close();
});
