import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { handlers } from '../../../jobs/handlers.ts';
import { eventually, makePayee, makeTenant } from '../../support/factory.ts';
import { sampleLogo } from '../../support/images.ts';
import { webhookBody } from '../../support/matrix/world.ts';
import { lookAt, startConsoleWorld, type ConsoleWorld } from './world.ts';

let world: ConsoleWorld;
beforeAll(async () => {
  world = await startConsoleWorld();
});
afterAll(() => world.close());

const post = async (path: string, body: unknown, key = world.tenant.key) => {
  const answer = await world.harness.rest('POST', path, { key, body });
  if (answer.status > 201) throw new Error(answer.text);
  return answer.body;
};

test('a payee is invited, found by address and by name, and the invitation is withdrawn', async () => {
  const { page, complaints, close } = await world.open('/payees');
  await page.getByRole('button', { name: 'Invite a payee' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('E-mail address').fill('grace@example.com');
  await dialog.getByLabel('First name').fill('Grace');
  await dialog.getByLabel('Last name').fill('Hopper');
  await dialog.getByRole('button', { name: 'Send link' }).click();
  await page.getByRole('link', { name: 'Grace Hopper' }).waitFor();
  await page.getByRole('searchbox').fill('GRACE@example.com');
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByRole('heading', { name: 'Payees matching “GRACE@example.com”' }).waitFor();
  await page.getByRole('searchbox').fill('hop');
  await page.getByRole('searchbox').press('Enter');
  await page.getByRole('heading', { name: 'Payees matching “hop”' }).waitFor();
  expect(new URL(page.url()).searchParams.get('sought')).toBe('hop');
  await page.getByRole('link', { name: 'Grace Hopper' }).click();
  await page.getByRole('heading', { name: 'Grace Hopper', level: 1 }).waitFor();
  await page.getByText('Awaiting the payee').waitFor();
  await page.getByRole('button', { name: 'Withdraw' }).click();
  await page.getByText('Withdrawn', { exact: true }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('a search that finds nobody says so, and leads back to all payees', async () => {
  await makePayee(world.harness, world.tenant.key);
  const { page, complaints, close } = await world.open('/payees?sought=Nobody');
  await page.getByText('No payees match “Nobody”.').waitFor();
  await page.getByRole('link', { name: 'All payees' }).click();
  await page.getByRole('link', { name: 'Ada Lovelace' }).first().waitFor();
  expect(await page.getByRole('searchbox').inputValue()).toBe('');
  expect(complaints).toEqual([]);
  await close();
});

test('a payee is acknowledged and archived, and its account is shown masked', async () => {
  const { beneficiaryId } = await makePayee(world.harness, world.tenant.key);
  await world.harness.database.pool.query(
    'UPDATE beneficiary SET reacknowledgment_required = true WHERE id = $1',
    [beneficiaryId],
  );
  const { page, complaints, close } = await world.open(`/payees/${beneficiaryId}`);
  await page.getByText(/\*{4}\d{4}/).waitFor();
  await page.getByRole('button', { name: 'Acknowledge' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Acknowledge' }).click();
  await page.getByText('Ready', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Archive' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click();
  await page.getByText('This payee is archived and').waitFor();
  expect(await page.getByRole('button', { name: 'Archive' }).count()).toBe(0);
  expect(complaints).toEqual([]);
  await close();
});

test('another business finds nothing of it', async () => {
  const stranger = await makeTenant(world.harness);
  const { beneficiaryId } = await makePayee(world.harness, world.tenant.key);
  const { page, complaints, close } = await world.open(`/payees/${beneficiaryId}`, {
    as: stranger.key,
  });
  await page.getByText('Payee not found').waitFor();
  await page.goto('/console/payees');
  await page.getByText('No payees yet').waitFor();
  await page.goto('/console/keys');
  await page.getByRole('table').waitFor();
  expect(await page.getByText(world.tenant.key.split('_')[2] ?? '').count()).toBe(0);
  expect(complaints).toEqual([]);
  await close();
});

test('an endpoint is registered, its secret shown once; a test event is delivered again', async () => {
  const { key } = await makeTenant(world.harness);
  const { page, complaints, close } = await world.open('/webhooks', { as: key });
  await page.getByRole('button', { name: 'Register endpoint' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Address').fill('https://example.com/hooks');
  await dialog.getByRole('button', { name: 'Register endpoint' }).click();
  await page.getByText('It is shown only this once.').waitFor();
  const secret = await page.getByRole('dialog').locator('code').textContent();
  expect(secret?.length).toBeGreaterThan(20);
  await page.getByRole('button', { name: 'I have stored it' }).click();
  await page.getByText('https://example.com/hooks').waitFor();
  expect(await page.content()).not.toContain(secret);
  await page.getByRole('button', { name: 'Send test event' }).click();
  await page.getByRole('link', { name: 'webhook.test' }).waitFor();
  await world.harness.database.pool.query(
    "UPDATE webhook_delivery SET status = 'dead', completed_at = now(), next_attempt_at = NULL, attempts = 8",
  );
  await page.getByLabel('Status').selectOption('dead');
  await page.getByRole('link', { name: 'webhook.test' }).click();
  await page.getByRole('button', { name: 'Deliver again' }).click();
  await page.getByText('In progress').waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('a delivery that is sent again is followed until it has arrived', async () => {
  const { key, tenantId } = await makeTenant(world.harness);
  await post('/v1/webhook-subscriptions', webhookBody, key);
  await post('/v1/webhook-subscriptions/test', {}, key);
  const become = (status: string) =>
    world.harness.database.pool.query(
      `UPDATE webhook_delivery SET status = $2, completed_at = now(), next_attempt_at = NULL
       WHERE tenant_id = $1 RETURNING id`,
      [tenantId, status],
    );
  const { rows } = await become('dead');
  const { page, complaints, close } = await world.open('/webhooks', { as: key });
  await page.clock.install();
  await page.goto(`/console/webhooks/deliveries/${rows[0].id}`);
  await page.getByRole('button', { name: 'Deliver again' }).click();
  await page.getByText('In progress').waitFor();
  await page.clock.pauseAt(Date.now() + 1_000);
  await become('delivered');
  await page.clock.runFor(2_500);
  await page.getByText('Delivered', { exact: true }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('the deliveries of a window are counted first and then sent again', async () => {
  const { key, tenantId } = await makeTenant(world.harness);
  await post('/v1/webhook-subscriptions', webhookBody, key);
  await post('/v1/webhook-subscriptions/test', {}, key);
  await world.harness.database.pool.query(
    `UPDATE webhook_delivery SET status = 'dead', completed_at = now(), next_attempt_at = NULL, attempts = 8
     WHERE tenant_id = $1`,
    [tenantId],
  );
  const { page, complaints, close } = await world.open('/webhooks', { as: key });
  await page.getByRole('button', { name: 'Redeliver a period' }).click();
  await page.getByRole('button', { name: 'Count' }).click();
  await page.getByText('1 delivery in this period would be sent again.').waitFor();
  await page.getByRole('button', { name: 'Send 1 delivery again' }).click();
  await page.getByRole('table').getByText('In progress').first().waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('a figure of deliveries leads to the deliveries that it counts', async () => {
  const { key } = await makeTenant(world.harness);
  await post('/v1/webhook-subscriptions', webhookBody, key);
  await post('/v1/webhook-subscriptions/test', {}, key);
  const { page, complaints, close } = await world.open('/', { as: key });
  const card = page.locator('.card', {
    has: page.getByRole('heading', { name: 'Webhook deliveries' }),
  });
  await card.getByRole('link', { name: '1' }).click();
  await page.getByRole('table').getByText('In progress').waitFor();
  const { searchParams } = new URL(page.url());
  expect(Object.fromEntries(searchParams)).toEqual({
    status: 'pending',
    createdSince: expect.any(String),
  });
  await page.getByLabel('Created from').fill('2024-01-01');
  await page.getByLabel('Created until').fill('2024-01-31');
  await page.getByText('No matching deliveries.').waitFor();
  await page.reload();
  await page.getByText('No matching deliveries.').waitFor();
  expect(await page.getByLabel('Created until').inputValue()).toBe('2024-01-31');
  expect(complaints).toEqual([]);
  await close();
});

test('an export is made and its file downloaded', async () => {
  const { key, tenantId } = await makeTenant(world.harness);
  const { page, complaints, close } = await world.open('/exports', { as: key });
  await page.getByRole('button', { name: 'Create export' }).first().click();
  await page.getByRole('dialog').getByLabel('Content').selectOption('beneficiaries');
  await page.getByRole('dialog').getByRole('button', { name: 'Create export' }).click();
  await page.getByText('Queued').waitFor();
  const { rows } = await world.harness.database.pool.query<{ id: string }>(
    'SELECT id FROM export WHERE tenant_id = $1',
    [tenantId],
  );
  const job = { tenantId, exportId: rows[0]?.id ?? '' };
  await handlers.write_export(job, world.harness.services);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: /^Download/ }).click();
  expect(await readFile(await (await download).path(), 'utf8')).toMatch(/^\uFEFF?id|beneficiary/i);
  expect(complaints).toEqual([]);
  await close();
});

test('a member is invited, gets another role and is removed', async () => {
  const { key } = await makeTenant(world.harness);
  const { page, complaints, close } = await world.open('/members', { as: key });
  const changes = page.getByRole('region', { name: 'Recent access changes' });
  await changes.getByText('No changes yet').waitFor();
  await page.getByRole('button', { name: 'Invite a member' }).click();
  await page.getByLabel('E-mail address').fill('katherine@example.com');
  await page.getByLabel('Role').selectOption('preparer');
  await page.getByRole('button', { name: 'Send invitation' }).click();
  const row = page.getByRole('row', { name: /katherine@example.com/ });
  await row.getByText('Invited').waitFor();
  await row.getByRole('button', { name: /^Change role/ }).click();
  await page.getByRole('dialog').getByLabel('Role').selectOption('approver');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await row.getByText('Approver').waitFor();
  await row.getByRole('button', { name: /^Remove/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await row.waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
  await close();
});

test('a key is made, shown once, used, and revoked', async () => {
  const { page, complaints, close } = await world.open('/keys');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('payroll');
  await page.getByLabel('Role').selectOption('viewer');
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
  await page.getByText('It is shown only this once.').waitFor();
  const key = (await page.getByRole('dialog').locator('code').textContent()) ?? '';
  expect((await world.harness.rest('GET', '/v1/beneficiaries', { key })).status).toBe(200);
  await page.getByRole('button', { name: 'I have stored it' }).click();
  await page.getByRole('button', { name: 'Revoke payroll' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page
    .getByRole('row', { name: /payroll/ })
    .getByText('Revoked')
    .waitFor();
  expect(await page.content()).not.toContain(key);
  await eventually(
    async () => (await world.harness.rest('GET', '/v1/beneficiaries', { key })).status === 401,
  );
  expect(complaints).toEqual([]);
  await close();
});

test('settings: two people are asked for, and the profile is written', async () => {
  const { key, businessId } = await makeTenant(world.harness);
  const { page, complaints, close } = await world.open('/settings', { as: key });
  await page.getByLabel('Legal name').fill('Analytical Engines Ltd');
  const profile = page.locator('.card', { has: page.getByLabel('Legal name') });
  await profile.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor({ state: 'attached' });
  const before = await page.getByRole('button', { name: /one person|two people/ }).textContent();
  await page.getByRole('button', { name: before ?? '' }).click();
  const means = page.getByRole('dialog');
  await means.getByRole('listitem').first().waitFor();
  await means.getByRole('button', { name: before ?? '' }).click();
  await page
    .getByRole('button', {
      name: before?.includes('two') ? 'Allow one person' : 'Require two people',
    })
    .waitFor();
  const { rows } = await world.harness.database.pool.query(
    'SELECT legal_name FROM business WHERE id = $1',
    [businessId],
  );
  expect(rows).toEqual([{ legal_name: 'Analytical Engines Ltd' }]);
  expect(complaints).toEqual([]);
  await close();
});

/** What each role is offered on the pages: the buttons that it finds. */
const offers: readonly (readonly [string, string, string, readonly string[]])[] = [
  ['payees', '/payees', 'Invite a payee', ['owner', 'admin', 'preparer']],
  ['webhooks', '/webhooks', 'Redeliver a period', ['owner', 'admin', 'developer']],
  ['members', '/members', 'Invite a member', ['owner', 'admin']],
  ['sessions of members', '/members', 'Sessions of', ['owner', 'admin']],
  ['keys', '/keys', 'Create key', ['owner', 'admin']],
  ['settings', '/settings', 'Save', ['owner', 'admin', 'developer']],
  ['logo', '/settings', 'Remove logo', ['owner', 'admin', 'developer']],
  [
    'exports',
    '/exports',
    'Create export',
    ['owner', 'admin', 'preparer', 'approver', 'developer', 'viewer'],
  ],
];

async function giveLogo(): Promise<void> {
  const answer = await world.harness.rest('PUT', '/v1/business/collection-branding', {
    key: world.tenant.key,
    body: { logo: sampleLogo().toString('base64') },
  });
  expect(answer.status, answer.text).toBe(200);
}

test.each(['viewer', 'preparer', 'approver', 'developer', 'admin'] as const)(
  'a %s sees every page and is offered only what the role may do',
  async (role) => {
    const as = await world.tenant.keyWithRole(role);
    await giveLogo();
    const { page, complaints, close } = await world.open('/payees', { as });
    for (const [name, path, button, allowed] of offers) {
      await page.goto(`/console${path}`);
      await page.locator('main .card').last().waitFor();
      await page.locator('main .loading').first().waitFor({ state: 'detached' });
      const found = await page.getByRole('button', { name: button }).count();
      expect([name, found > 0]).toEqual([name, allowed.includes(role)]);
    }
    expect(complaints).toEqual([]);
    await close();
  },
);

test('every page is accessible in light, in dark and on a phone', async () => {
  const { key } = world.tenant;
  const { beneficiaryId } = await makePayee(world.harness, key);
  await post('/v1/webhook-subscriptions', webhookBody);
  await post('/v1/webhook-subscriptions/test', {});
  await giveLogo();
  const { rows } = await world.harness.database.pool.query<{ id: string }>(
    'SELECT id FROM webhook_delivery WHERE tenant_id = $1 LIMIT 1',
    [world.tenant.tenantId],
  );
  const pages: readonly (readonly [string, string, string])[] = [
    ['payees', '/payees', 'table'],
    ['payees-found', '/payees?sought=Ada', 'table'],
    ['payee', `/payees/${beneficiaryId}`, 'table'],
    ['webhooks', '/webhooks', 'table'],
    ['delivery', `/webhooks/deliveries/${rows[0]?.id ?? ''}`, '.payload'],
    ['exports', '/exports', '.blank'],
    ['members', '/members', 'table'],
    ['keys', '/keys', 'table'],
    ['settings', '/settings', 'form'],
  ];
  const faults: string[] = [];
  for (const [name, path, ready] of pages) {
    const found = await lookAt(world, name, path, (page) =>
      page.locator(`main ${ready}`).first().waitFor(),
    );
    faults.push(...found);
  }
  expect(faults).toEqual([]);
});
