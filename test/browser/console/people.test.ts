import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePayee, payoutBody } from '../../support/factory.ts';
import { memberToken } from '../../support/member-link.ts';
import { lookAt, startConsoleWorld, type ConsoleWorld } from './world.ts';

let world: ConsoleWorld;
beforeAll(async () => {
  world = await startConsoleWorld();
});
afterAll(() => world.close());

test('a member without a name is asked for it once, and colleagues read it in the activity', async () => {
  const { page, complaints, close } = await world.open('/');
  await page.getByRole('button', { name: 'Give your name' }).click();
  const dialog = page.getByRole('dialog', { name: 'Your name' });
  await dialog.getByLabel('First name').fill('Ada');
  await dialog.getByLabel('Last name').fill('Lovelace');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.locator('.shell-person').getByText('Ada Lovelace').waitFor();
  expect(await page.getByRole('button', { name: 'Give your name' }).count()).toBe(0);
  await page.getByRole('link', { name: 'Your account' }).click();
  await page.getByRole('heading', { name: 'Passkeys' }).waitFor();
  const payee = await makePayee(world.harness, world.tenant.key);
  await world.harness.rest('POST', '/v1/payouts', {
    key: world.tenant.key,
    body: payoutBody(payee),
  });
  await page.getByRole('link', { name: 'Activity' }).click();
  const row = page.getByRole('row', { name: /A payout was created/ });
  await row.getByText('Ada Lovelace (you)').waitFor();
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  const file = await readFile(await (await coming).path(), 'utf8');
  expect(file).toContain('A payout was created');
  await page.getByLabel('What').selectOption('decision');
  await page.getByText('Nothing of this kind happened.').waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('an invitation says on its page which business invites, to which role, and who', async () => {
  const { harness, tenant } = world;
  const invite = `mutation { memberInvite(email: "grace@example.com", role: approver) { id } }`;
  const invited = await harness.graphql(tenant.key, invite);
  const token = await memberToken(harness, invited.body.data.memberInvite.id);
  const { page, complaints, close } = await world.open(`/sign-in#${token ?? ''}`, { as: null });
  await page.getByText('You are invited as: Approver.').waitFor();
  await page.getByText('Ada Lovelace invites you.').waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('the pages of people are accessible in light, in dark and on a phone', async () => {
  const faults = [
    ...(await lookAt(world, 'account', '/sessions', (page) =>
      page.getByRole('heading', { name: 'You', exact: true }).waitFor(),
    )),
    ...(await lookAt(world, 'activity', '/activity', (page) =>
      page.getByRole('table', { name: 'Activity' }).waitFor(),
    )),
    ...(await lookAt(world, 'four-eyes', '/settings', async (page) => {
      await page.getByRole('button', { name: /two people|one person/ }).click();
      await page.getByRole('dialog').getByRole('listitem').first().waitFor();
    })),
  ];
  expect(faults).toEqual([]);
});
