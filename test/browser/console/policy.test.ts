import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePayee, payoutBody } from '../../support/factory.ts';
import { accessibilityFaults, keepPicture } from '../world.ts';
import { startConsoleWorld, type ConsoleWorld } from './world.ts';

/* A head of finance writes the rules of who may let money go, and a second person confirms them. */

let world: ConsoleWorld;
let owner: string;
beforeAll(async () => {
  world = await startConsoleWorld();
  owner = await world.tenant.keyWithRole('owner');
  // Enough people for what the rules ask.
  for (const role of ['owner', 'approver'] as const) await world.tenant.keyWithRole(role);
  // Long enough ago for each of them to be one of the two who decide.
  await world.harness.database.pool.query(
    `UPDATE membership SET accepted_at = now() - interval '2 days' WHERE business_id = $1`,
    [world.tenant.businessId],
  );
});
afterAll(() => world.close());

const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name }).waitFor();
const rule =
  'When the amount is 1,000.00 USD or more and less than 20,000.00 USD and the payee was added within the last 30 days: 2 approvals of Treasury or Owner, not by the creator of the payout, then 1 approval of Approver, not by the creator of the payout.';

test('a group is made, and its name is what a rule asks', async () => {
  const { page, complaints, close } = await world.open('/policy');
  await heading(page, 'Approval policy');
  await page.getByText('There is no policy.').waitFor();
  await page.getByRole('button', { name: 'Add a group' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a group' });
  await dialog.getByLabel('Name').fill('Treasury');
  await dialog.getByRole('checkbox').first().check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('cell', { name: 'Treasury', exact: true }).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(complaints).toEqual([]);
  await close();
});

test('rules are written as sentences, proposed with what they change, and confirmed by another owner', async () => {
  const { page, complaints, close } = await world.open('/policy/edit');
  await heading(page, 'Edit the approval policy');
  await page.getByLabel('Name of the rule').fill('New payees');
  await page.getByLabel('Add a condition to rule 1').selectOption('amount');
  await page.getByRole('combobox', { name: 'Currency' }).selectOption('USD');
  await page.getByLabel('From, USD').fill('1,000.00');
  await page.getByLabel('Below, USD').fill('lots');
  await page.getByLabel('Add a condition to rule 1').selectOption('payeeNewDays');
  await page.getByLabel('within the last').fill('30');
  await page.getByLabel('How many approvals').fill('2');
  await page.getByRole('button', { name: 'Remove Approver' }).click();
  await page.getByLabel('Add to: Groups').selectOption({ label: 'Treasury' });
  await page.getByLabel('Add to: Groups').selectOption('owner');
  await page.getByRole('button', { name: 'Add a step' }).click();
  await page.getByRole('button', { name: 'Propose', exact: true }).click();
  await page.getByText('Rule 1: “lots” is no amount of USD.').waitFor();
  await page.getByLabel('Below, USD').fill('20,000');
  expect(await accessibilityFaults(page)).toEqual([]);
  await keepPicture(page, 'policy-editor');
  await page.getByRole('button', { name: 'Propose', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Propose the new rules' });
  await dialog.getByText(rule).waitFor();
  await dialog.getByLabel('Reason (optional)').fill('New payees are checked twice.');
  await dialog.getByRole('button', { name: 'Propose' }).click();
  await heading(page, 'Approval policy');
  await page.getByText('You proposed this, so someone else has to confirm it.').waitFor();
  expect(await page.getByRole('button', { name: 'Confirm' }).count()).toBe(0);
  expect(complaints).toEqual([]);
  await close();

  const second = await world.open('/policy', { as: owner });
  await second.page.getByText('New payees are checked twice.').waitFor();
  await keepPicture(second.page, 'policy-proposal');
  await second.page.getByRole('button', { name: 'Confirm' }).click();
  await second.page.getByText('Version 1, since').waitFor();
  await second.page.getByText(rule).waitFor();
  expect(second.complaints).toEqual([]);
  await second.close();

  const payee = await makePayee(world.harness, world.tenant.key);
  const { key } = world.tenant;
  const made = await world.harness.rest('POST', '/v1/payouts', {
    key,
    body: payoutBody(payee, { amount_minor: 150_000 }),
  });
  const paid = await world.open(`/payouts/${made.body.payout.id}`);
  const steps = paid.page.getByRole('region', { name: 'Approval steps' }).getByRole('listitem');
  await steps.first().waitFor();
  const said = (await steps.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
  expect(said).toEqual([
    expect.stringContaining('Awaiting 2 approvals by Treasury or Owner'),
    expect.stringContaining('Later 1 approval by Approver'),
  ]);
  await keepPicture(paid.page, 'policy-payout');
  expect(paid.complaints).toEqual([]);
  await paid.close();
});

test('the draft begins with the rules that hold, on a phone too, and whoever may not sees why', async () => {
  const viewport = { width: 360, height: 740 };
  const { page, complaints, close } = await world.open('/policy/edit', { as: owner, viewport });
  expect(await page.getByLabel('Below, USD').inputValue()).toBe('20,000.00');
  const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  expect(overflow).toBeLessThanOrEqual(0);
  expect(await accessibilityFaults(page)).toEqual([]);
  await keepPicture(page, 'policy-editor-phone');
  expect(complaints).toEqual([]);
  await close();

  const viewer = await world.open('/policy/edit', { as: await world.tenant.keyWithRole('viewer') });
  await viewer.page.getByText('Only owners and administrators can change the policy.').waitFor();
  await viewer.close();
});
