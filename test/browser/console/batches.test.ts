import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePayee, payoutBody, type TestPayee } from '../../support/factory.ts';
import { longTestMs } from '../../support/patience.ts';
import { lookAt, startConsoleWorld, type ConsoleWorld } from './world.ts';

let world: ConsoleWorld;
let payee: TestPayee;

beforeAll(async () => {
  world = await startConsoleWorld({ worker: true });
  payee = await makePayee(world.harness, world.tenant.key);
});
afterAll(() => world.close());

const head = 'beneficiary_id,bank_account_id,amount,currency,purpose_of_payment,external_ref';
const line = (amount: string, reference: string, account = payee.bankAccountId) =>
  `${payee.beneficiaryId},${account},${amount},USD,payroll,${reference}`;

test('a file becomes a batch, which is checked, corrected, submitted and canceled', async () => {
  const { page, complaints, close } = await world.open('/payouts/import');
  const lines = [
    head,
    line('12.34', 'A'),
    line('20.00', 'B'),
    line('5.00', 'C', 'bac_00000000000000000000000000'),
  ];
  await page.getByLabel('CSV file').setInputFiles({
    name: 'november.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(lines.join('\n')),
  });
  await page.getByRole('button', { name: 'Create a batch of 3 rows' }).click();
  await page.getByRole('heading', { level: 1, name: 'november.csv' }).waitFor();
  await page.getByRole('button', { name: 'Check rows' }).click();
  await page.getByText('All rows were checked.').waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Submit batch' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Submit batch' }).click();
  await page.getByRole('alert').getByText('The bank account does not exist.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Leave out 1 row' }).click();
  await page.getByText('1 row is left out.').waitFor({ state: 'attached' });
  await page.getByText('Left out').first().waitFor();
  await page.getByRole('button', { name: 'Submit batch' }).click();
  await page.getByRole('dialog').getByText('32.34').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Submit batch' }).click();
  await page.getByRole('row', { name: /^1 Created Awaiting approval Ada Lovelace/ }).waitFor();
  await page.getByLabel('Show').selectOption('left_out');
  await page.getByRole('row', { name: /^3 Left out/ }).waitFor();
  await page.getByRole('button', { name: 'Cancel batch' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel batch' }).click();
  await page.getByText('The batch was canceled.').waitFor({ state: 'attached' });
  await page.getByRole('link', { name: 'Batches' }).first().click();
  await page.getByRole('row', { name: /november.csv.*Canceled/ }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test(
  'the pages of batches are accessible in every look',
  async () => {
    const { idempotency_key: key, ...row } = payoutBody(payee);
    const { body } = await world.harness.rest('POST', '/v1/payout-batches', {
      key: world.tenant.key,
      body: { name: 'Looked at', idempotency_key: key, rows: [row, { ...row, currency: 'EUR' }] },
    });
    const { id } = body.payout_batch;
    await world.harness.rest('POST', `/v1/payout-batches/${id}/check`, { key: world.tenant.key });
    const faults = [
      ...(await lookAt(world, 'batches', '/payouts/batches', (page) =>
        page.getByText('Looked at').waitFor(),
      )),
      ...(await lookAt(world, 'batch', `/payouts/batches/${id}`, (page) =>
        page.getByText('Invalid rows by reason').first().waitFor(),
      )),
    ];
    expect(faults).toEqual([]);
  },
  longTestMs,
);
