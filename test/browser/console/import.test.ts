import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePayee, type TestPayee } from '../../support/factory.ts';
import { longTestMs } from '../../support/patience.ts';
import { lookAt, startConsoleWorld, type ConsoleWorld } from './world.ts';

let world: ConsoleWorld;
let payee: TestPayee;

beforeAll(async () => {
  world = await startConsoleWorld();
  payee = await makePayee(world.harness, world.tenant.key);
});
afterAll(() => world.close());

const head = 'beneficiary_id,bank_account_id,amount,currency,purpose_of_payment,external_ref';

/** A line of the file. */
const line = (amount: string, reference: string, to = payee) =>
  `${to.beneficiaryId},${to.bankAccountId},${amount},USD,payroll,${reference}`;

const chooseFile = (page: Page, content: Buffer) =>
  page
    .getByLabel('CSV file')
    .setInputFiles({ name: 'payouts.csv', mimeType: 'text/csv', buffer: content });

const choose = (page: Page, lines: readonly string[]) =>
  chooseFile(page, Buffer.from([head, ...lines].join('\n')));

async function made(to = payee): Promise<{ external_ref: string; amount_minor: string }[]> {
  const { rows } = await world.harness.database.pool.query(
    'SELECT external_ref, amount_minor FROM payout WHERE beneficiary_id = $1 ORDER BY external_ref',
    [to.beneficiaryId],
  );
  return rows;
}

async function confirm(page: Page, action: string): Promise<void> {
  await page.getByRole('button', { name: action }).click();
  await page.getByRole('dialog').getByRole('button', { name: action }).click();
}

test('each row of a file is checked before anything is made, and what failed can be downloaded', async () => {
  const unknown = { ...payee, bankAccountId: 'bac_00000000000000000000000000' };
  const { page, complaints, close } = await world.open('/payouts/import');
  await choose(page, [
    line('12.34', 'A'),
    line('12.345', 'B'),
    line('5.00', '"=C, with ""quotes"""', unknown),
    line('7.00', 'D').replace('payroll', ''),
    line('1.00', 'E'),
    line('1.00', 'E'),
  ]);
  await page.getByText('2 rows are valid, 4 refused').first().waitFor();
  await page.getByText('Not a valid amount in this currency.').waitFor();
  await page.getByText('purpose_of_payment is missing.').waitFor();
  await page.getByText('The bank account does not exist.').waitFor();
  await page.getByText('Duplicate of line 6').waitFor();
  await page.getByText('13.34 USD').first().waitFor();
  expect(await made()).toEqual([]);

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download refused rows' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('refused-payouts.csv');
  const file = await readFile(await download.path(), 'utf8');
  expect(file.split('\r\n')).toHaveLength(6);
  expect(file).toContain('12.345,USD,payroll,B,,3,Not a valid amount in this currency.');
  // A cell that a spreadsheet would run stays a text.
  expect(file).toContain(`"'=C, with ""quotes"""`);

  await confirm(page, 'Create 2 payouts');
  await page.getByText('2 payouts created, 4 refused').first().waitFor();
  expect(await made()).toEqual([
    { external_ref: 'A', amount_minor: '1234' },
    { external_ref: 'E', amount_minor: '100' },
  ]);
  await page.getByRole('link', { name: /^pay_/ }).first().click();
  await page.getByRole('heading', { name: 'Payout to Ada Lovelace' }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('the same file again makes nothing twice, on the next day and later', async () => {
  const to = await makePayee(world.harness, world.tenant.key);
  const { page, complaints, close } = await world.open('/payouts/import');
  await choose(page, [line('20.00', 'X', to)]);
  await confirm(page, 'Create 1 payout');
  await page.getByText('1 payout created').first().waitFor();
  for (const age of ['1 minute', '3 days']) {
    await world.harness.database.pool.query(
      `UPDATE payout_idempotency SET created_at = now() - $1::interval`,
      [age],
    );
    await page.getByRole('button', { name: 'Choose another file' }).click();
    await choose(page, [line('20.00', 'X', to), line('30.00', `Y after ${age}`, to)]);
    await page.getByText('1 row is valid, 0 refused, 1 already created').first().waitFor();
    await page.getByText('A payout with this key already exists:').waitFor();
    await confirm(page, 'Create 1 payout');
    await page.getByText('1 payout created, 0 refused, 1 already created').first().waitFor();
  }
  expect(await made(to)).toEqual([
    { external_ref: 'X', amount_minor: '2000' },
    { external_ref: 'Y after 1 minute', amount_minor: '3000' },
    { external_ref: 'Y after 3 days', amount_minor: '3000' },
  ]);
  expect(complaints).toEqual([]);
  await close();
});

test('the list of what was refused is corrected and chosen again, with its references as they were', async () => {
  const to = await makePayee(world.harness, world.tenant.key);
  const { page, complaints, close } = await world.open('/payouts/import');
  await choose(page, [line('8.001', '-17', to)]);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download refused rows' }).click(),
  ]);
  const refused = await readFile(await download.path(), 'utf8');
  await page.getByRole('button', { name: 'Choose another file' }).click();
  await chooseFile(page, Buffer.from(`\u{feff}${refused.replace('8.001', '8.01')}`));
  await confirm(page, 'Create 1 payout');
  await page.getByText('1 payout created').first().waitFor();
  expect(await made(to)).toEqual([{ external_ref: '-17', amount_minor: '801' }]);
  expect(complaints).toEqual([]);
  await close();
});

test('a row is known again with blanks in its quotes', async () => {
  const to = await makePayee(world.harness, world.tenant.key);
  const { page, complaints, close } = await world.open('/payouts/import');
  await choose(page, [line('3.00', 'Q', to), line('3.00', '" Q "', to)]);
  await page.getByText('Duplicate of line 2').waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test.each([
  ['an amount is appears twice', `amount,${head}\n1,a,b,900,d,e,f`, 'appears twice'],
  ['a letter is not in UTF-8', `${head}\na,b,c,d,e,M\u{fc}ller`, 'not in UTF-8'],
])('a file is refused as a whole where %s', async (_what, content, text) => {
  const { page, complaints, close } = await world.open('/payouts/import');
  await chooseFile(page, Buffer.from(content, 'latin1'));
  await page.getByText(text).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test.each([
  ['no rows', [], 'The file has no rows.'],
  ['an open quote', ['"a'], 'Line 2 is not valid CSV'],
  ['too many rows', Array.from({ length: 1_001 }, () => 'a,b,c,d,e,f'), 'The file has 1,001 rows'],
])('a file with %s is refused as a whole', async (_what, lines, text) => {
  const { page, complaints, close } = await world.open('/payouts/import');
  await choose(page, lines);
  await page.getByText(text).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test(
  'a thousand rows are checked and made',
  async () => {
    const to = await makePayee(world.harness, world.tenant.key);
    const { page, complaints, close } = await world.open('/payouts/import');
    await choose(
      page,
      Array.from({ length: 1_000 }, (_, n) => line(`${n + 1}.00`, `R${n}`, to)),
    );
    await confirm(page, 'Create 1,000 payouts');
    await page.getByText('1,000 payouts created, 0 refused').first().waitFor();
    expect(await made(to)).toHaveLength(1_000);
    expect(complaints).toEqual([]);
    await close();
  },
  longTestMs,
);

test(
  'the import is accessible in every look',
  async () => {
    const to = await makePayee(world.harness, world.tenant.key);
    const faults = [
      ...(await lookAt(world, 'import', '/payouts/import', (page) =>
        page.getByLabel('CSV file').waitFor(),
      )),
      ...(await lookAt(world, 'import-checked', '/payouts/import', async (page) => {
        await choose(page, [line('12.34', 'A', to), line('12.345', 'B', to), line('7', 'C', to)]);
        await page.getByText('2 rows are valid, 1 refused').first().waitFor();
      })),
    ];
    expect(faults).toEqual([]);
  },
  longTestMs,
);
