import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiKey, financialAccount, webhookSecret } from '../../providers/stripe/subject.ts';
import { eventually, makePayee, payoutBody } from '../../support/factory.ts';
import {
  startFakeStripe,
  stripeSignature,
  thinEvent,
  type FakeStripe,
} from '../../support/provider-kit/stripe.ts';
import { referenceKey } from '../../../src/providers/stripe/wire.ts';
import { asOperator } from './operators.ts';
import { lookAt, startConsoleWorld, type ConsoleWorld, type OpenOptions } from './world.ts';

let fake: FakeStripe;
let world: ConsoleWorld;
let olga: OpenOptions;
beforeAll(async () => {
  fake = await startFakeStripe({ apiKey, financialAccount, pageSize: 2 });
  world = await startConsoleWorld({ worker: true, env: { STRIPE_TEST_URL: fake.url } });
  olga = await asOperator(world);
});
afterAll(async () => {
  await world.close();
  expect(fake.violations).toEqual([]);
  await fake.close();
});

const sql = async (text: string, values: unknown[] = []) =>
  (await world.harness.database.pool.query<Record<string, string>>(text, values)).rows;

/** The id of the sandbox's account. */
async function dollars(): Promise<string> {
  const [row] = await sql("SELECT id FROM bank_connection WHERE name = 'Dollars'");
  return row?.['id'] ?? '';
}

/** The provider pays what was handed over for a payout, and says so to the address of the connection. */
async function paysOut(payoutId: string, connectionId: string): Promise<void> {
  const payment = await eventually(async () => {
    const [attempt] = await sql(
      "SELECT id FROM disbursement_attempt WHERE payout_id = $1 AND status = 'submitted'",
      [payoutId],
    );
    return fake.payments.find(({ metadata }) =>
      metadata?.[referenceKey]?.endsWith(attempt?.['id'] ?? '-'),
    );
  });
  Object.assign(payment, {
    status: 'posted',
    status_transitions: { posted_at: '2026-01-05T10:00:00.000Z' },
  });
  const body = thinEvent(payment, {
    id: 'evt_console_1',
    type: 'v2.money_management.outbound_payment.updated',
    created: new Date().toISOString(),
  });
  const signature = stripeSignature(body, webhookSecret, Math.floor(Date.now() / 1_000));
  const path = `/provider-webhooks/${connectionId}`;
  const headers = { 'stripe-signature': signature };
  const { status, text } = await world.harness.rest('POST', path, { body, headers });
  expect(status, text).toBe(200);
}

test('an account is connected, checked and routed to; what it pays is seen to settle', async () => {
  const { page, complaints, close } = await world.open('/providers');
  await page.getByRole('link', { name: 'Connect a provider' }).click();
  await page.getByLabel('Provider').selectOption('stripe');
  await page.getByLabel('Name', { exact: true }).fill('Dollars');
  await page.getByLabel('API key').fill('nonsense');
  await page.getByLabel('Financial account').fill(financialAccount);
  await page.getByLabel('Webhook signing secret').fill(webhookSecret);
  await page.getByRole('button', { name: 'Connect' }).click();
  await page.getByText('must be a secret or a restricted key').first().waitFor();
  await page.getByLabel('API key').fill(apiKey);
  await page.getByRole('button', { name: 'Connect' }).click();
  await page.getByRole('heading', { name: 'Dollars' }).waitFor();
  await page.getByRole('button', { name: 'Check now' }).click();
  const checks = page.getByRole('table', { name: 'Check' });
  await checks
    .getByRole('row', { name: /opens the financial account/ })
    .getByText('Works')
    .waitFor();
  await checks
    .getByRole('row', { name: /No event/ })
    .getByText('Missing')
    .waitFor();
  const connectionId = page.url().split('/').at(-1) ?? '';
  expect(await page.content()).not.toContain(apiKey);

  await page.goto('/console/banks/routes');
  await page.getByRole('button', { name: 'Add a route' }).click();
  await page
    .getByRole('group', { name: 'Route 1' })
    .getByLabel('Paid by')
    .selectOption({ label: 'Dollars' });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Routes saved.').waitFor();

  const { harness, tenant } = world;
  const body = payoutBody(await makePayee(harness, tenant.key));
  const { payout } = (await harness.rest('POST', '/v1/payouts', { key: tenant.key, body })).body;
  await page.goto(`/console/payouts/${payout.id}`);
  await page.getByRole('button', { name: 'Approve' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await paysOut(payout.id, connectionId);
  await page.getByText('Settled').first().waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('a secret is left as it is by an empty field; a paused account says so', async () => {
  const id = await dollars();
  const { page, complaints, close } = await world.open(`/providers/accounts/${id}`);
  expect(await page.getByLabel('API key').inputValue()).toBe('');
  await page.getByLabel('Requests per second').fill('20');
  await page.getByLabel('Status').selectOption('paused');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('.card-head').getByText('Paused').waitFor();
  const [after] = await sql(
    'SELECT status, transport_settings FROM bank_connection WHERE id = $1',
    [id],
  );
  expect(after).toMatchObject({ status: 'paused', transport_settings: { callsPerSecond: '20' } });
  await page.getByLabel('Requests per second').fill('');
  await page.getByRole('button', { name: 'Save' }).click();
  await eventually(async () => {
    const rows = await sql('SELECT transport_settings FROM bank_connection WHERE id = $1', [id]);
    return !JSON.stringify(rows).includes('callsPerSecond');
  });
  await page.getByRole('button', { name: 'Check now' }).click();
  await page
    .getByRole('row', { name: /is paused/ })
    .getByText('Missing')
    .waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test("an operator connects a business's production, with a reason", async () => {
  const business = world.tenant.businessId;
  const { page, complaints, close } = await world.open(
    `/operator/businesses/${business}/banks`,
    olga,
  );
  await page.getByRole('link', { name: 'Connect a provider' }).click();
  await page.getByLabel('Provider').selectOption('stripe');
  await page.getByLabel('Name', { exact: true }).fill('Live dollars');
  await page.getByLabel('API key').fill('rk_live_0123456789abcdef');
  await page.getByLabel('Financial account').fill('fa_live_0001');
  await page.getByLabel('Webhook signing secret').fill('whsec_live_0123456789');
  await page.getByLabel('Reason').fill('contract of October');
  await page.getByRole('button', { name: 'Connect' }).click();
  const link = page.getByRole('link', { name: 'Live dollars' });
  await link.click();
  await page.getByLabel('Status').selectOption('paused');
  await page.getByLabel('Reason').fill('until the first balance');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('.card-head').getByText('Paused').waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('each page of accounts is accessible and fits, in light, in dark and on a phone', async () => {
  const id = await dollars();
  const pages = [
    ['providers', '/providers', 'Dollars'],
    ['providers-new', '/providers/new', 'Balance account'],
    ['provider-account', `/providers/accounts/${id}`, 'Webhook address'],
  ] as const;
  const faults: string[] = [];
  for (const [name, path, seen] of pages) {
    faults.push(
      ...(await lookAt(world, name, path, (page) =>
        page.locator('main').getByText(seen).first().waitFor(),
      )),
    );
  }
  expect(faults).toEqual([]);
});
