import { afterAll, beforeAll, expect, test } from 'vitest';
import { statement } from '../../support/bank-answers.ts';
import { bankRows } from '../../support/bank-rows.ts';
import { sandboxBank } from '../../support/banking.ts';
import { banksOf } from './banks.ts';
import { lookAt, startConsoleWorld, type ConsoleWorld } from './world.ts';

let world: ConsoleWorld;
let banks: Awaited<ReturnType<typeof banksOf>>;
let connection: string;
let file: { id: string; name: string };
beforeAll(async () => {
  world = await startConsoleWorld({ env: sandboxBank });
  banks = await banksOf(world);
  connection = await banks.connect('Hausbank', { country: 'US', schemes: ['ach'] });
  file = await banks.file(connection);
  await banks.take(
    connection,
    'statement.xml',
    statement({
      account: '000123456789',
      currency: 'USD',
      day: '2026-11-24',
      movements: [{ direction: 'debit', amount: '1250.00', reference: 'UNNAMED' }],
    }),
  );
  await banks.take(connection, 'photo.pdf', '%PDF-1.7');
});
afterAll(() => world.close());

test('a business connects a bank of its sandbox, sees each step, and pauses it', async () => {
  const { page, complaints, close } = await world.open('/banks');
  await page.getByRole('link', { name: 'Connect a bank' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Pound account');
  await page.getByLabel('Payer, as known to the bank').fill('Example Ltd');
  await page.getByLabel('Account').selectOption('GBP');
  await page.getByRole('button', { name: 'Connect' }).click();
  await page.getByRole('heading', { name: 'Pound account' }).waitFor();
  const checks = page.getByRole('table', { name: 'Checks' });
  await checks
    .getByRole('row', { name: /details are sufficient/ })
    .getByText('Works')
    .waitFor();
  await checks
    .getByRole('row', { name: /can be reached/ })
    .getByText('Not seen yet')
    .waitFor();
  await page.getByLabel('Status').selectOption('paused');
  await page.getByLabel('Payments per file').fill('20');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('.card-head').getByText('Paused').waitFor();
  const [row] = await banks.sql(
    `SELECT status, max_payments FROM bank_connection WHERE name = 'Pound account'`,
  );
  expect(row).toEqual({ status: 'paused', max_payments: 20 });
  expect(complaints).toEqual([]);
  await close();
});

test('a business tries other routes, sees what would go elsewhere, and saves them with the keyboard', async () => {
  const { page, complaints, close } = await world.open('/banks/routes');
  await page.getByRole('button', { name: 'Add a route' }).click();
  const second = page.getByRole('group', { name: 'Route 2' });
  await second.getByLabel('Paid by').selectOption('simulator');
  await second.getByLabel('Currency').selectOption('USD');
  await second.getByLabel('From').fill('1,000.00');
  await second.getByRole('button', { name: 'Move route 2 up' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'What would go where?' }).click();
  const preview = page.getByRole('table', { name: /The latest 100 payouts/ });
  await preview.getByText('1,250.00').waitFor();
  await preview.getByText('simulator').waitFor();
  await page.getByText('1 would go elsewhere').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Routes saved.').waitFor();
  const rows = await banks.sql('SELECT provider, currency FROM payout_route ORDER BY position');
  expect(rows).toEqual([
    { provider: 'simulator', currency: 'USD' },
    { provider: `bank:${connection}`, currency: null },
  ]);
  await page.goto('/console/banks/routes');
  await page.getByRole('group', { name: 'Route 1' }).getByLabel('From').fill('nonsense');
  await page.getByRole('button', { name: 'What would go where?' }).click();
  await page.getByText('Each route needs someone who pays it.').waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('an entry that matches nothing shows what it may be, and leads to the payout', async () => {
  const { page, complaints, close } = await world.open('/banks');
  await page.getByText('Some statement entries match no payout.').waitFor();
  await page.getByRole('link', { name: 'Exceptions' }).first().click();
  const row = page.getByRole('row', { name: /UNNAMED/ });
  await row.getByText('It refers to no payment of this connection').waitFor();
  await row.getByRole('link').click();
  await page.waitForURL(/\/payouts\/pay_/);
  expect(complaints).toEqual([]);
  await close();
});

test('a month counts what is open, and prints as a sheet that somebody signs', async () => {
  const { page, complaints, close } = await world.open('/banks/month?month=2026-11');
  const table = page.getByRole('table', { name: 'Hausbank, USD' });
  await table
    .getByRole('row', { name: /Open: unmatched/ })
    .getByText('1,250.00')
    .waitFor();
  expect(await page.getByText('Signature').isVisible()).toBe(false);
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByText('Signature').isVisible()).toBe(true);
  expect(await page.getByRole('navigation', { name: 'Main' }).isVisible()).toBe(false);
  expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false);
  expect(complaints).toEqual([]);
  await close();
});

test('somebody who may change payees takes what a bank says of an account', async () => {
  const { pool } = world.harness.database;
  const [sent] = await banks.sql(
    `SELECT p.id, p.beneficiary_id, p.bank_account_id FROM payout p
     JOIN bank_payment bp ON bp.payout_id = p.id WHERE bp.batch_id = $1`,
    [file.id],
  );
  const [known] = await banks.sql('SELECT id FROM bank_file ORDER BY id LIMIT 1');
  await bankRows(pool, banks.call).proposal(connection, known?.['id'] ?? '', {
    payoutId: sent?.['id'] ?? '',
    beneficiaryId: sent?.['beneficiary_id'] ?? '',
    bankAccountId: sent?.['bank_account_id'] ?? '',
  });
  const { page, complaints, close } = await world.open('/banks/desk');
  await page.getByRole('button', { name: /Apply the correction of/ }).click();
  await page.getByRole('dialog').getByText('The account gets a new version').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Apply correction' }).click();
  await page.getByText('No corrections from banks.').waitFor();
  const [account] = await banks.sql('SELECT version::text FROM bank_account WHERE id = $1', [
    sent?.['bank_account_id'],
  ]);
  expect(account).toEqual({ version: '2' });
  expect(complaints).toEqual([]);
  await close();
});

test('the pages of banks are accessible in light, in dark and on a phone', async () => {
  const pages = [
    ['banks', '/banks', 'Hausbank'],
    ['bank-new', '/banks/new', 'Connect a bank'],
    ['bank-connection', `/banks/connections/${connection}`, 'Fails'],
    ['bank-routes', '/banks/routes', 'Route 1'],
    ['bank-files', '/banks/files', 'photo.pdf'],
    ['bank-batch', `/banks/batches/${file.id}`, 'Payments in the file'],
    ['bank-desk', '/banks/desk', 'UNNAMED'],
    ['bank-month', '/banks/month?month=2026-11', 'Hausbank, USD'],
  ] as const;
  const faults: string[] = [];
  for (const [name, path, seen] of pages) {
    faults.push(
      ...(await lookAt(world, name, path, (page) => page.getByText(seen).first().waitFor())),
    );
  }
  expect(faults).toEqual([]);
});
