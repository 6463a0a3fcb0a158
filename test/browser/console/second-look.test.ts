import { afterAll, beforeAll, expect, test } from 'vitest';
import { fundingDesk } from '../../support/books.ts';
import {
  makePayee,
  makeTenant,
  payoutBody,
  type TestPayee,
  type TestTenant,
} from '../../support/factory.ts';
import { systemCall } from '../../support/fake-provider.ts';
import { decide, move } from '../../support/payout-command.ts';
import { keepPicture } from '../world.ts';
import { startConsoleWorld, type ConsoleWorld } from './world.ts';

/* What wants a second look is said where somebody decides: doubles in bulk, and accounts that have just failed. */

let world: ConsoleWorld;
beforeAll(async () => {
  world = await startConsoleWorld();
});
afterAll(() => world.close());

async function create(
  { key }: TestTenant,
  payee: TestPayee,
  more: Record<string, unknown> = {},
): Promise<string> {
  const answer = await world.harness.rest('POST', '/v1/payouts', {
    key,
    body: payoutBody(payee, more),
  });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.payout.id;
}

async function failed(tenant: TestTenant, payee: TestPayee): Promise<string> {
  const call = await systemCall(world.harness.services, tenant.tenantId);
  const id = await create(tenant, payee, { amount_minor: 5_000 });
  await decide(call, id, 'approved');
  const failure = { code: 'account_closed', message: 'The account is closed.' };
  await move(call, id, { trigger: 'fail', failure });
  return id;
}

test('the bulk approval names the payouts that may be doubles', async () => {
  const tenant = await makeTenant(world.harness);
  const payee = await makePayee(world.harness, tenant.key);
  for (const amount_minor of [5_000, 5_000, 700]) await create(tenant, payee, { amount_minor });
  const { page, complaints, close } = await world.open('/approvals', { as: tenant.key });
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await page.getByRole('button', { name: /^Approve/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Approve 3 payouts?' });
  await dialog.getByText('Possible duplicates: 2 payouts').waitFor();
  expect(await dialog.getByRole('listitem').allInnerTexts()).toEqual([
    'Ada Lovelace, 2 × 50.00 USD',
  ]);
  await keepPicture(page, 'bulk-doubles');
  expect(complaints).toEqual([]);
  await close();
});

test('a replacement is not green for the account that has just failed, from the form to the approval', async () => {
  const tenant = await makeTenant(world.harness);
  const payee = await makePayee(world.harness, tenant.key);
  const before = await failed(tenant, payee);
  const told = 'failed on this same account';
  const { page, complaints, close } = await world.open(`/payouts/new?replaces=${before}`, {
    as: tenant.key,
  });
  await page.getByLabel('Account', { exact: true }).selectOption({ index: 1 });
  const status = page.getByRole('status').filter({ hasText: told });
  await status.getByText('Account closed').waitFor();
  expect(await status.locator('.note[data-tone="good"]').count()).toBe(0);
  expect(await page.getByText('Possible duplicate:').count()).toBe(0);
  await keepPicture(page, 'replace-failed');

  const again = await create(tenant, payee, { amount_minor: 5_000, replaces_payout_id: before });
  await page.goto('/console/approvals');
  await page.getByText('account failed').waitFor();
  const details = page.getByRole('complementary', { name: 'Payout to Ada Lovelace' });
  await details.getByText(told).waitFor();
  expect(await details.locator('.note[data-tone="good"]').count()).toBe(0);
  await details.getByText('No other payout to this payee in the last 30 days.').waitFor();
  await keepPicture(page, 'approve-failed');
  await page.goto(`/console/payouts/${again}`);
  await page.getByText(told).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('the overview shows the books of a business without a reported balance', async () => {
  const tenant = await makeTenant(world.harness, { environment: 'production', funded: false });
  await world.harness.database.pool.query(
    `UPDATE business SET profile_status = 'accepted' WHERE id = $1`,
    [tenant.businessId],
  );
  await (await fundingDesk(world.harness, tenant)).enforced(30_000_000);
  const { page, complaints, close } = await world.open('/', { as: tenant.key });
  await page.getByText('300,000').first().waitFor();
  await page.getByText('From your ledger').waitFor();
  expect(await page.getByText('There is no funding account yet.').count()).toBe(0);
  await keepPicture(page, 'overview-books');
  expect(complaints).toEqual([]);
  await close();
});

test('changes of access say who did what to whom', async () => {
  const tenant = await makeTenant(world.harness);
  await world.harness.graphql(
    tenant.key,
    'mutation { memberInvite(email: "grace@example.com", role: approver) { id } }',
  );
  await world.harness.graphql(
    tenant.key,
    'mutation { apiKeyCreate(input: { role: viewer, name: "Reports" }) { apiKey { id } } }',
  );
  const { page, complaints, close } = await world.open('/members', { as: tenant.key });
  const row = (text: string) => page.getByRole('row').filter({ hasText: text });
  const invited = row('Member invited');
  await invited.getByText('grace@example.com').waitFor();
  await invited.getByText('(you)').waitFor();
  await row('API key created').getByText('Reports').waitFor();
  await keepPicture(page, 'members-changes');
  expect(complaints).toEqual([]);
  await close();
});
