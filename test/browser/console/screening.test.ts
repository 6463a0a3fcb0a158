import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { handlers } from '../../../jobs/handlers.ts';
import { loadOwn, ownList } from '../../domain/screening/support.ts';
import { makePayee, payoutBody, type TestPayee } from '../../support/factory.ts';
import { accessibilityFaults, keepPicture } from '../world.ts';
import { startConsoleWorld, type ConsoleWorld } from './world.ts';

/* Whom we pay: a hit is decided and its payout paid, and a bank's word on a name is seen before the click. */

let world: ConsoleWorld;
let approver: string;
beforeAll(async () => {
  world = await startConsoleWorld({
    shipped: true,
    worker: true,
    env: { WATCHLIST_STALE_DAYS: '365' },
  });
  approver = await world.tenant.keyWithRole('approver');
});
afterAll(() => world.close());

const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name }).waitFor();

async function create(payee: TestPayee): Promise<{ id: string; state: string }> {
  const { key } = world.tenant;
  const { body } = await world.harness.rest('POST', '/v1/payouts', {
    key,
    body: payoutBody(payee),
  });
  return body.payout;
}

async function load(...rows: readonly string[]): Promise<void> {
  const { services } = world.harness;
  await loadOwn(services, ownList('B-0,person,Zebedee Quux,,,,,', ...rows), {
    acceptedBecause: 'by the walk',
  });
  await handlers.rescreen({}, services);
  await handlers.rescreen_tenant({ tenantId: world.tenant.tenantId }, services);
}

/** Approves the payout that is shown, and waits until its money has arrived. */
async function approveAndSettle(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Approve this payout?' });
  await dialog.getByRole('button', { name: 'Approve', exact: true }).click();
  await page.getByText('Settled', { exact: true }).first().waitFor();
}

test('from the hit to the paid payout', async () => {
  const payee = await makePayee(world.harness, world.tenant.key);
  await load('B-1,person,Ada Lovelace,The Countess,1990-04-01,US,,Fraud');
  const { id, state } = await create(payee);
  expect(state).toBe('compliance_hold');

  const { page, complaints, close } = await world.open('/screening', { as: approver });
  await heading(page, 'Screening');
  await page.getByText('It is a tool and no legal advice').first().waitFor();
  await page.getByRole('button', { name: 'Compare Ada Lovelace with Ada Lovelace' }).click();
  const dialog = page.getByRole('dialog', { name: 'Is it the same?' });
  await dialog.getByText('Ada Lovelace, The Countess').waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await keepPicture(page, 'screening-hit');
  await dialog.getByLabel('Why').fill('Born in another town.');
  await dialog.getByLabel('What shows it').fill('Passport, in the file of the payee.');
  await dialog.getByRole('button', { name: 'Decide' }).click();
  await page.getByRole('cell', { name: 'Somebody else' }).waitFor();

  await page.goto(`/console/payouts/${id}`);
  await page.getByText('Awaiting approval', { exact: true }).first().waitFor();
  await approveAndSettle(page);
  await keepPicture(page, 'screening-paid');
  expect(complaints).toEqual([]);
  await close();
});

test('the bank has nearly that name: the approver sees it, confirms it with a reason, and pays', async () => {
  await load(); // The list has nobody of this name any more.
  const settings = await world.open('/settings');
  await heading(settings.page, 'Settings');
  await settings.page.getByLabel('New accounts and new details').selectOption('on');
  await settings.page.getByLabel('If the name nearly matches').selectOption('confirm');
  await settings.page.getByLabel('If the name does not match').selectOption('block');
  const names = settings.page.getByRole('region', { name: 'Name check' });
  await names.getByRole('button', { name: 'Save' }).click();
  await settings.page.getByText('Saved.').first().waitFor({ state: 'attached' });
  expect(await accessibilityFaults(settings.page)).toEqual([]);
  expect(settings.complaints).toEqual([]);
  await settings.close();

  const close = await makePayee(world.harness, world.tenant.key, { accountNumber: '11111112' });
  const other = await makePayee(world.harness, world.tenant.key, { accountNumber: '11111111' });
  const [paid, blocked] = [await create(close), await create(other)];
  expect(paid.state).toBe('pending_approval');

  const {
    page,
    complaints,
    close: end,
  } = await world.open(`/payouts/${paid.id}`, { as: approver });
  await page.getByText('Name nearly matches').waitFor();
  await page.getByText('The bank has: Jordan Example').waitFor();
  await page.getByText('An approver has to confirm the account with a reason first.').waitFor();
  expect(await page.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0);
  expect(await accessibilityFaults(page)).toEqual([]);
  await keepPicture(page, 'name-check-payout');
  await page.getByRole('button', { name: 'Confirm the account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm the account' });
  await dialog.getByLabel('Why').fill('It is the maiden name.');
  await dialog.getByRole('button', { name: 'Confirm the account' }).click();
  await page.getByText('Confirmed: It is the maiden name.').waitFor();
  await approveAndSettle(page);

  await page.goto(`/console/payouts/${blocked.id}`);
  await page.getByText('your business does not pay such accounts').waitFor();
  expect(await page.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0);
  expect(complaints).toEqual([]);
  await end();
});

test("the bank's name is taken over by a new version, which matches", async () => {
  const payee = await makePayee(world.harness, world.tenant.key, { accountNumber: '11111116' });
  const { page, complaints, close } = await world.open(`/payees/${payee.beneficiaryId}`);
  await page.getByText('The bank has: Jordan Example').waitFor();
  await page.getByRole('button', { name: 'Use the bank’s name' }).click();
  const dialog = page.getByRole('dialog', { name: 'Use the bank’s name' });
  await dialog.getByText('Jordan Example').waitFor();
  await dialog.getByRole('button', { name: 'Use the bank’s name' }).click();
  await page.getByRole('cell', { name: 'Jordan Example' }).waitFor();
  await page.getByText('Name confirmed by the bank').waitFor();
  expect(complaints).toEqual([]);
  await close();
});
