import { afterAll, beforeAll, expect, test } from 'vitest';
import { statement } from '../../support/bank-answers.ts';
import { sandboxBank } from '../../support/banking.ts';
import { makePayee } from '../../support/factory.ts';
import { asOperator } from './operators.ts';
import { banksOf } from './banks.ts';
import { lookAt, startConsoleWorld, type ConsoleWorld, type OpenOptions } from './world.ts';

let world: ConsoleWorld;
let banks: Awaited<ReturnType<typeof banksOf>>;
let olga: OpenOptions;
let business: string;
let connection: string;
beforeAll(async () => {
  world = await startConsoleWorld({ env: sandboxBank });
  banks = await banksOf(world);
  olga = await asOperator(world);
  business = world.tenant.businessId;
  connection = await banks.connect('Hausbank', { country: 'US', schemes: ['ach'] });
  await banks.file(connection);
  await banks.sql(
    `UPDATE business SET profile_status = 'accepted', registration_proven_at = now() WHERE id = $1`,
    [business],
  );
});
afterAll(() => world.close());

test('an operator books money, reports a balance and enforces funds', async () => {
  const { page, complaints, close } = await world.open('/operator/businesses', olga);
  const [named] = await banks.sql('SELECT company_name FROM business WHERE id = $1', [business]);
  await page
    .getByRole('link', { name: named?.['company_name'] ?? '' })
    .first()
    .click();
  await page.getByRole('button', { name: 'Book money that moved' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Currency').selectOption('EUR');
  await dialog.getByLabel('Amount').fill('1,000.005');
  await dialog.getByLabel('Known from').fill('statement 7, entry 3');
  await dialog.getByLabel('Reason').fill('first deposit');
  await dialog.getByRole('button', { name: 'Book money that moved' }).click();
  await dialog.getByText('Write an amount of the currency').waitFor();
  await dialog.getByLabel('Amount').fill('1,000.50');
  await dialog.getByRole('button', { name: 'Book money that moved' }).click();
  const funds = page.getByRole('table', { name: 'Production funds' });
  await funds.getByText('1,000.50').first().waitFor();
  await page.getByRole('button', { name: 'Report the balance' }).click();
  await dialog.getByLabel('Currency').selectOption('EUR');
  await dialog.getByLabel('Amount').fill('900');
  await dialog.getByLabel('Reason').fill('the bank says so');
  await dialog.getByRole('button', { name: 'Report the balance' }).click();
  await funds.getByText('900.00').first().waitFor();
  await page.getByRole('button', { name: 'Enforce funds' }).click();
  await dialog.getByLabel('Currency').selectOption('EUR');
  await dialog.getByLabel('What it has').fill('900.00');
  await dialog.getByLabel('Reason').fill('agreed');
  await dialog.getByRole('button', { name: 'Enforce funds' }).click();
  await page.getByText('Funds are enforced').waitFor();
  expect(await banks.logged()).toMatchObject({
    action: 'operatorFundingModeSet',
    reason: 'agreed',
  });
  expect(complaints).toEqual([]);
  await close();
});

test('an operator suspends a payee, reinstates them, and erases another', async () => {
  const { harness, tenant } = world;
  const [one, other] = [await makePayee(harness, tenant.key), await makePayee(harness, tenant.key)];
  const { page, complaints, close } = await world.open(`/operator/businesses/${business}`, olga);
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Suspend a payee' }).click();
  await dialog.getByLabel('Environment').selectOption('sandbox');
  await dialog.getByLabel('Id of the payee').fill(one.beneficiaryId);
  await dialog.getByLabel('Reason').fill('a court asks');
  await dialog.getByRole('button', { name: 'Suspend a payee' }).click();
  const row = page.getByRole('row', { name: one.beneficiaryId });
  await row.getByText('a court asks').waitFor();
  await row.getByRole('button', { name: `Reinstate ${one.beneficiaryId}` }).click();
  await dialog.getByLabel('Reason').fill('it is settled');
  await dialog.getByRole('button', { name: 'Reinstate' }).click();
  await page.getByText('No payee is suspended.').waitFor();
  await page.getByRole('button', { name: 'Erase a payee' }).click();
  await dialog.getByLabel('Environment').selectOption('sandbox');
  await dialog.getByLabel('Id of the payee').fill(other.beneficiaryId);
  await dialog.getByLabel('Reason').fill('asked by letter');
  await dialog.getByRole('button', { name: 'Erase a payee' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await banks.logged()).toMatchObject({
    action: 'operatorBeneficiaryErase',
    subject_id: other.beneficiaryId,
  });
  expect(complaints).toEqual([]);
  await close();
});

test('an operator issues a production key to who registered the business, and it is shown once', async () => {
  const { page, complaints, close } = await world.open(`/operator/businesses/${business}`, olga);
  await page
    .getByRole('button', { name: /Issue a production key to/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('onboarding');
  await dialog.getByRole('button', { name: 'Issue a production key' }).click();
  await dialog.getByRole('button', { name: 'Copy' }).first().waitFor();
  expect(await banks.logged()).toMatchObject({ action: 'operatorProductionKeyIssue' });
  expect(complaints).toEqual([]);
  await close();
});

test('an operator connects a bank, pauses it, and is told what is wrong at once', async () => {
  const path = `/operator/businesses/${business}/banks/new`;
  const { page, complaints, close } = await world.open(path, olga);
  await page.getByLabel('Payer, as known to the bank').fill('Example GmbH');
  await page.getByLabel('Town').fill('Berlin');
  await page.getByLabel('Country', { exact: true }).selectOption('DE');
  await page.getByLabel('Country of the bank').selectOption('DE');
  await page.getByLabel('Currency').selectOption('EUR');
  await page.getByLabel('IBAN', { exact: true }).fill('DE02120300000000202051');
  await page.getByLabel('BIC').fill('BYLADEM1001');
  await page.getByLabel('SEPA credit transfer').check();
  await page.getByRole('combobox', { name: 'Way' }).selectOption('manual');
  await page.getByLabel('Connection', { exact: true }).fill('Euro account');
  await page.getByLabel('Time zone').fill('Nowhere/Town');
  await page.getByLabel('Reason').fill('as agreed');
  await page.getByRole('button', { name: 'Connect' }).click();
  await page.getByRole('alert').filter({ hasText: /zone/i }).first().waitFor();
  await page.getByLabel('Time zone').fill('Europe/Berlin');
  await page.getByRole('button', { name: 'Connect' }).click();
  await page.getByRole('link', { name: 'Euro account' }).click();
  await page.getByRole('table', { name: 'Check' }).getByText('Works').first().waitFor();
  await page.getByLabel('Status', { exact: true }).selectOption('paused');
  await page.getByLabel('Reason').first().fill('holiday');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('.card-head').getByText('Paused').waitFor();
  expect(await banks.logged()).toMatchObject({ action: 'operatorBankConnectionChange' });
  expect(complaints).toEqual([]);
  await close();
});

test('a statement that is dropped is read, and the same one is known', async () => {
  const path = `/operator/businesses/${business}/banks/${connection}?environment=sandbox`;
  const { page, complaints, close } = await world.open(path, olga);
  const content = statement({
    account: '000123456789',
    currency: 'USD',
    day: '2026-11-24',
    movements: [{ direction: 'debit', amount: '77.00', reference: 'RENT' }],
  });
  const bring = async () => {
    await page.locator('.drop').dispatchEvent('dragover', {
      dataTransfer: await page.evaluateHandle(() => new DataTransfer()),
    });
    const given = await page.evaluateHandle((text) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], 'statement.xml'));
      return transfer;
    }, content);
    await page.locator('.drop').dispatchEvent('drop', { dataTransfer: given });
    await page.getByLabel('Reason').fill('from the portal');
    await page.getByRole('button', { name: 'Bring 1 file' }).click();
  };
  await bring();
  await page.getByText('is stored, and is read within moments.').waitFor();
  await page
    .getByRole('row', { name: /statement.xml/ })
    .getByText('Brought by')
    .waitFor();
  await bring();
  await page.getByText('was here before').waitFor();
  const [row] = await banks.sql(
    `SELECT count(*)::text FROM bank_file WHERE name = 'statement.xml'`,
  );
  expect(row).toEqual({ count: '1' });
  expect(complaints).toEqual([]);
  await close();
});

test('the pages about one business are accessible in light, in dark and on a phone', async () => {
  const of = `/operator/businesses/${business}`;
  const pages = [
    ['operator-business', of, 'Production funds'],
    ['operator-business-banks', `${of}/banks?environment=sandbox`, 'Hausbank'],
    ['operator-connect-bank', `${of}/banks/new`, 'Account that is debited'],
    ['operator-connection', `${of}/banks/${connection}?environment=sandbox`, 'Checks'],
    ['operator-month', `${of}/month?environment=sandbox&month=2026-11`, 'Hausbank, USD'],
  ] as const;
  const faults: string[] = [];
  for (const [name, path, seen] of pages) {
    const ready = (page: Parameters<Parameters<typeof lookAt>[3]>[0]) =>
      page.getByText(seen).first().waitFor();
    faults.push(...(await lookAt(world, name, path, ready, olga)));
  }
  expect(faults).toEqual([]);
});
