import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually, makePayee, payoutBody, type TestPayee } from '../../support/factory.ts';
import { longTestMs } from '../../support/patience.ts';
import { lookAt, startConsoleWorld, type ConsoleWorld } from './world.ts';

/* Whole jobs of somebody who pays for a living, each without a manual. */

let world: ConsoleWorld;
let payee: TestPayee;
let payout: string;

beforeAll(async () => {
  world = await startConsoleWorld();
  payee = await makePayee(world.harness, world.tenant.key, { accountNumber: '000123457788' });
  payout = await create({ amount_minor: 123_450, external_ref: 'INV 2026/311' });
});
afterAll(() => world.close());

async function create(more: Record<string, unknown> = {}, to = payee): Promise<string> {
  const body = payoutBody(to, more);
  const answer = await world.harness.rest('POST', '/v1/payouts', { key: world.tenant.key, body });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.payout.id;
}

async function fails(id: string, code: string): Promise<void> {
  await world.harness.database.pool.query(
    `BEGIN; SET LOCAL session_replication_role = replica;
     UPDATE payout SET state = 'failed', failure_code = '${code}', failure_message = 'AC04' WHERE id = '${id}'; COMMIT`,
  );
}

const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name }).waitFor();

test('everything is found from one field, by a key and with the keyboard alone', async () => {
  const { page, complaints, close } = await world.open('/');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('/');
  const dialog = page.getByRole('dialog', { name: 'Search' });
  const field = dialog.getByRole('searchbox');
  await field.fill('óvelac');
  await dialog.getByRole('heading', { name: 'Payees' }).waitFor();
  await dialog.getByRole('link', { name: 'Ada Lovelace' }).first().waitFor();
  await field.fill('1.234,50');
  await dialog.getByText('1,234.50 USD').waitFor();
  await field.fill('INV 2026/311');
  await dialog.getByText('INV 2026/311').waitFor();
  await field.fill('7788');
  await dialog.getByRole('heading', { name: 'Bank accounts' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await heading(page, 'Payout to Ada Lovelace');
  expect(await dialog.count()).toBe(0);
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('searchbox').fill('nobody at all');
  await page.getByText('No results for “nobody at all”.').waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('somebody new is paid in one go: the payee, their account, the payout', async () => {
  const { page, complaints, close } = await world.open('/payouts');
  await page.getByRole('link', { name: 'Pay someone new' }).click();
  await heading(page, 'Pay someone new');
  await page.getByLabel('First name').fill('Jürgen');
  await page.getByLabel('Last name').fill('Müller');
  await page.getByLabel('E-mail address').fill('j.mueller@example.com');
  await page.getByLabel('Country of residence').selectOption('DE');
  await page.getByLabel('Date of birth').fill('1980-02-03');
  await page.getByLabel(/I confirm that our business knows/).check();
  await page.getByRole('button', { name: 'Save and continue' }).click();
  await heading(page, 'Add account');
  expect(await page.getByLabel('Currency').inputValue()).toBe('EUR');
  await page.getByLabel('IBAN').fill('DE00 3704 0044 0532 0130 00');
  await page.getByRole('button', { name: 'Save and continue' }).click();
  await page.getByRole('alert').getByText(/IBAN/).waitFor();
  // What was typed is still there.
  expect(await page.getByLabel('Account holder, exactly as at the bank').inputValue()).toBe(
    'Jürgen Müller',
  );
  await page.getByLabel('IBAN').fill('DE89 3704 0044 0532 0130 00');
  await page.getByRole('button', { name: 'Save and continue' }).click();
  await heading(page, 'New payout');
  await page.locator('.hint', { hasText: 'Jürgen Müller' }).waitFor();
  await page.getByLabel('Amount').fill('1,200.00');
  await page.getByLabel('Purpose').selectOption('rent');
  await page.getByText('Ready to be created.').waitFor();
  await page.getByRole('button', { name: 'Create payout' }).click();
  await heading(page, 'Payout to Jürgen Müller');
  expect(complaints).toEqual([]);
  await close();
});

test('a payee is edited, and who changed what is seen, without the values', async () => {
  const { page, complaints, close } = await world.open(`/payees/${payee.beneficiaryId}`);
  await page.getByRole('link', { name: 'Edit' }).click();
  await heading(page, 'Edit Ada Lovelace');
  await page.getByLabel('Phone (optional)').fill('+44 20 7946 0000');
  await page.getByLabel('Internal name (optional)').fill('Countess');
  await page.getByRole('button', { name: 'Save' }).click();
  await heading(page, 'Countess');
  const line = page.locator('tr', { hasText: 'Updated: internal name and phone' });
  await line.getByText('(you)').waitFor();
  expect(await line.getByText('7946').count()).toBe(0);
  expect(complaints).toEqual([]);
  await close();
});

test('an account is corrected beside the one that it was, and each version has its author', async () => {
  const to = await makePayee(world.harness, world.tenant.key, { accountNumber: '000123450001' });
  const { page, complaints, close } = await world.open(`/payees/${to.beneficiaryId}`);
  await page.getByRole('link', { name: '****0001' }).click();
  await heading(page, 'Account ****0001 of Ada Lovelace');
  await page.getByLabel('ABA routing number').fill('021000021');
  await page.getByLabel('Account number').fill('000123450002');
  await page.getByRole('button', { name: 'Save new version' }).click();
  await heading(page, 'Account ****0002 of Ada Lovelace');
  const versions = page.getByRole('table', { name: 'Versions' });
  await versions.getByText('****0001').waitFor();
  await versions.getByText('****0002').waitFor();
  expect(await page.getByLabel('Account number').inputValue()).toBe('');
  expect(complaints).toEqual([]);
  await close();
});

test('a failed payout says why and leads to the payout in its place, to another account', async () => {
  const to = await makePayee(world.harness, world.tenant.key, { accountNumber: '000123460001' });
  const id = await create({ amount_minor: 9_900 }, to);
  await fails(id, 'account_closed');
  const { page, complaints, close } = await world.open(`/payouts/${id}`);
  await page.getByRole('heading', { name: 'What happened, and what to do next' }).waitFor();
  await page.getByText('The account is closed.').waitFor();
  await page.getByText('Ask the payee for another account and pay there.').waitFor();
  await page.getByRole('link', { name: 'Request details from the payee' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send link' }).click();
  await page.getByText('Awaiting the payee').waitFor();
  await page.goto(`/console/payouts/${id}`);
  await page.getByText('The payee has been asked and has not replied yet.').waitFor();
  await page.getByRole('link', { name: 'Add another account' }).click();
  await page.getByLabel('ABA routing number').fill('021000021');
  await page.getByLabel('Account number').fill('000123460002');
  await page.getByRole('button', { name: 'Save' }).click();
  await heading(page, 'New payout');
  await page.getByText('Ready to be created.').waitFor();
  expect(await page.getByLabel('Account').locator('option:checked').textContent()).toContain(
    '0002',
  );
  await page.getByRole('button', { name: 'Create payout' }).click();
  await page.getByRole('heading', { name: 'Replacements' }).waitFor();
  await page.goto(`/console/payouts/${id}`);
  await page.getByText('It has been replaced. Nothing is left to do.').waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('the books say what there is, why it changed, what caused each entry, and give a statement', async () => {
  const key = world.tenant.key;
  await world.harness.rest('POST', `/v1/payouts/${payout}/approve`, { key, body: {} });
  const { page, complaints, close } = await world.open('/money');
  await page.getByRole('heading', { name: 'USD' }).waitFor();
  const changes = page.getByRole('table', { name: 'Changes since yesterday' });
  await changes.getByRole('link', { name: 'Held for approved payouts' }).click();
  expect(new URL(page.url()).searchParams.get('kind')).toBe('hold');
  const entries = page.getByRole('table', { name: 'Entries' });
  await eventually(async () => (await entries.locator('tbody tr').count()) === 1);
  const loaded = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download statement' }).click();
  expect(readFileSync(await (await loaded).path(), 'utf8')).toContain(payout);
  await page.getByLabel('From').last().fill('2031-01-01');
  await page.getByText('The end of the period is before its start.').waitFor();
  await entries.getByRole('link', { name: payout }).click();
  await heading(page, /Payout to/);
  expect(complaints).toEqual([]);
  await close();
});

test('who may only read is offered no change', async () => {
  const viewer = await world.tenant.keyWithRole('viewer');
  const { page, complaints, close } = await world.open('/payees', { as: viewer });
  await page.getByRole('heading', { level: 1, name: 'Payees' }).waitFor();
  expect(await page.getByRole('link', { name: 'Add payee' }).count()).toBe(0);
  for (const path of [
    'new',
    `${payee.beneficiaryId}/edit`,
    `${payee.beneficiaryId}/accounts/new`,
  ]) {
    await page.goto(`/console/payees/${path}`);
    await page.getByText('Your role cannot change payees.').waitFor();
  }
  expect(complaints).toEqual([]);
  await close();
});

test(
  'the pages of these jobs are accessible in every look',
  async () => {
    const failed = await create({ amount_minor: 5_500 });
    await fails(failed, 'name_mismatch');
    const id = payee.beneficiaryId;
    const found = async (page: Page) => {
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('searchbox').fill('lovel');
      await page.getByRole('dialog').getByRole('heading', { name: 'Payees' }).waitFor();
    };
    const waits = (text: string) => (page: Page) => page.getByText(text).first().waitFor();
    const faults = [
      ...(await lookAt(world, 'money', '/money', waits('Entries'))),
      ...(await lookAt(world, 'payee-add', '/payees/new?aim=pay', waits('Save and continue'))),
      ...(await lookAt(world, 'payee-edit', `/payees/${id}/edit`, waits('First name'))),
      ...(await lookAt(world, 'account-add', `/payees/${id}/accounts/new`, waits('ABA routing'))),
      ...(await lookAt(
        world,
        'account',
        `/payees/${id}/accounts/${payee.bankAccountId}`,
        waits('Versions'),
      )),
      ...(await lookAt(world, 'payee', `/payees/${id}`, waits('History'))),
      ...(await lookAt(world, 'payout-failed', `/payouts/${failed}`, waits('what to do'))),
      ...(await lookAt(world, 'search', '/', found)),
    ];
    expect(faults).toEqual([]);
  },
  longTestMs,
);
