import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asOperator } from './operators.ts';
import { banksOf } from './banks.ts';
import { lookAt, startConsoleWorld, type ConsoleWorld, type OpenOptions } from './world.ts';

let world: ConsoleWorld;
let banks: Awaited<ReturnType<typeof banksOf>>;
let olga: OpenOptions;
let piet: OpenOptions;
beforeAll(async () => {
  world = await startConsoleWorld();
  banks = await banksOf(world);
  olga = await asOperator(world, 'Olga');
  piet = await asOperator(world, 'Piet');
});
afterAll(() => world.close());

const statusOf = async (batch: string) =>
  (await banks.sql('SELECT status FROM bank_batch WHERE id = $1', [batch]))[0]?.['status'];

test('one operator downloads a file, is told why its upload is not theirs, and a second one records it', async () => {
  const connection = await banks.connect('Carried', { transport: 'manual' });
  const file = await banks.file(connection);
  const first = await world.open('/operator/banks', olga);
  await first.page.getByRole('button', { name: `Download ${file.name}` }).click();
  const dialog = first.page.getByRole('dialog');
  await dialog.getByText(file.sha256).waitFor();
  await dialog.getByLabel('Reason').fill('evening file');
  const coming = first.page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download' }).click();
  const download = await coming;
  expect(download.suggestedFilename()).toBe(file.name);
  const content = await readFile(await download.path());
  expect(createHash('sha256').update(content).digest('hex')).toBe(file.sha256);
  expect(await banks.logged()).toMatchObject({
    action: 'operatorBankBatchDownload',
    subject_id: file.id,
    reason: 'evening file',
  });
  const ofFirst = first.page.getByRole('row', { name: file.name });
  await ofFirst.getByText('You downloaded this file').waitFor();
  expect(await ofFirst.getByRole('button', { name: /upload/ }).count()).toBe(0);
  expect(first.complaints).toEqual([]);
  await first.close();

  const second = await world.open('/operator/banks', piet);
  const ofSecond = second.page.getByRole('row', { name: file.name });
  await ofSecond.getByText('olga downloaded it.').waitFor();
  await ofSecond.getByRole('button', { name: `Record upload of ${file.name}` }).click();
  await second.page.getByRole('dialog').getByLabel('Reason').fill('seen in the portal');
  await second.page.getByRole('dialog').getByRole('button', { name: 'Record upload' }).click();
  await ofSecond.getByText('At the bank').waitFor();
  expect(await statusOf(file.id)).toBe('sent');
  expect(await banks.logged()).toMatchObject({
    action: 'operatorBankBatchUploaded',
    reason: 'seen in the portal',
  });
  expect(second.complaints).toEqual([]);
  await second.close();
});

test('a file that arrives damaged is not handed to the operator', async () => {
  const connection = await banks.connect('Damaged', { transport: 'manual' });
  const file = await banks.file(connection);
  const { page, complaints, close } = await world.open('/operator/banks', olga);
  await page.getByRole('button', { name: `Download ${file.name}` }).click();
  await page.route('**/graphql', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replace(/"contentBase64":"./, '"contentBase64":"z');
    await route.fulfill({ response: answer, body });
  });
  await page.getByRole('dialog').getByLabel('Reason').fill('evening file');
  await page.getByRole('dialog').getByRole('button', { name: 'Download' }).click();
  await page.getByText('The file was damaged in transfer.').waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('two operators have to find that the bank has not got a file before it is sent again', async () => {
  const connection = await banks.connect('Mounted', {});
  const file = await banks.file(connection);
  await banks.sql(
    "UPDATE bank_batch SET status = 'unknown', stagings = 1, needs_operator = true WHERE id = $1",
    [file.id],
  );
  const find = async (who: OpenOptions, told: string) => {
    const { page, complaints, close } = await world.open('/operator/banks', who);
    const row = page.getByRole('row', { name: file.name });
    await row.getByRole('button', { name: `The bank does not have it: ${file.name}` }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(file.sha256).waitFor();
    await dialog.getByLabel('Evidence').fill('ticket 4711');
    await dialog.getByLabel('Reason').fill('asked the bank');
    await dialog.getByRole('button', { name: 'The bank does not have it' }).click();
    await row.getByText(told).waitFor();
    const buttons = await row.getByRole('button', { name: 'The bank' }).allTextContents();
    expect(complaints).toEqual([]);
    await close();
    return buttons;
  };
  expect(await find(olga, 'You reported that the bank does not have it.')).toEqual([
    'The bank has it',
  ]);
  expect(await statusOf(file.id)).toBe('unknown');
  expect(await find(piet, 'It is sent to the bank automatically.')).toEqual([]);
  expect(await statusOf(file.id)).toBe('closed');
  expect(await banks.logged()).toMatchObject({ action: 'operatorBankBatchResolve' });
});

test('an operator says that the bank has a file of which nobody knew', async () => {
  const connection = await banks.connect('Answered', {});
  const file = await banks.file(connection);
  await banks.sql(
    "UPDATE bank_batch SET status = 'unknown', stagings = 1, needs_operator = true WHERE id = $1",
    [file.id],
  );
  const { page, complaints, close } = await world.open('/operator/banks', olga);
  await page.getByRole('button', { name: `The bank has it: ${file.name}` }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('asked the bank');
  await dialog.getByRole('button', { name: 'The bank has it' }).click();
  // Without evidence nothing is believed.
  await dialog.getByRole('alert').filter({ hasText: /\S/ }).waitFor();
  expect(await statusOf(file.id)).toBe('unknown');
  await dialog.getByLabel('Evidence').fill('the portal lists it');
  await dialog.getByRole('button', { name: 'The bank has it' }).click();
  await page.getByRole('row', { name: file.name }).getByText('At the bank').waitFor();
  expect(await statusOf(file.id)).toBe('sent');
  expect(complaints).toEqual([]);
  await close();
});

test('an operator sees why the files of a bank cannot be fetched, and has files made before the cut-off', async () => {
  const connection = await banks.connect('Unreachable', {});
  await banks.waiting(connection);
  await banks.sql(
    `INSERT INTO bank_fetch (tenant_id, connection_id, problem, problem_since)
     VALUES ($1, $2, 'The login is refused.', now() - interval '3 hours')`,
    [world.tenant.tenantId, connection],
  );
  const { page, complaints, close } = await world.open('/operator/banks', olga);
  const row = page.getByRole('table', { name: 'Connections' }).getByRole('row', {
    name: 'Unreachable',
  });
  await row.getByText('The login is refused.').waitFor();
  await row.getByText('3 hours').waitFor();
  await row.getByRole('button', { name: 'Create files now for Unreachable' }).click();
  await page.getByRole('dialog').getByText('1 payout goes into a payment file').waitFor();
  await page.getByRole('dialog').getByLabel('Reason').fill('before the holiday');
  await page.getByRole('dialog').getByRole('button', { name: 'Create files now' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await banks.logged()).toMatchObject({
    action: 'operatorBankBatchesClose',
    subject_id: connection,
    reason: 'before the holiday',
  });
  expect(complaints).toEqual([]);
  await close();
});

test('a file has a page of its own, with what the bank said of each payment', async () => {
  const connection = await banks.connect('Told', { transport: 'manual' });
  const file = await banks.file(connection);
  await banks.sql(
    "UPDATE disbursement_attempt SET acknowledged_at = now() WHERE provider = 'bank:' || $1",
    [connection],
  );
  const { page, complaints, close } = await world.open('/operator/banks', olga);
  await page.getByRole('link', { name: file.name }).click();
  await page.getByRole('heading', { name: 'Batch' }).waitFor();
  await page.getByText('Closed on request').waitFor();
  const payments = page.getByRole('table', { name: 'Payments' });
  await payments.getByText(/^Accepted/).waitFor();
  expect(await payments.getByText('1,250.00').count()).toBe(1);
  await page.getByRole('button', { name: `Download ${file.name}` }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('evening file');
  const coming = page.waitForEvent('download');
  await page.getByRole('dialog').getByRole('button', { name: 'Download' }).click();
  expect((await coming).suggestedFilename()).toBe(file.name);
  await page.getByText('You downloaded this file').waitFor();
  await page.getByText('Downloaded by').waitFor();
  await page.getByRole('link', { name: 'Operator log' }).click();
  await page.getByText('evening file').waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('a file that does not exist is said to be none', async () => {
  const { page, complaints, close } = await world.open('/operator/banks/batches/bbt_0', olga);
  await page.getByText('Batch not found').waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('the pages of banks are accessible in light, in dark and on a phone', async () => {
  const carried = await banks.file(await banks.connect('House bank', { transport: 'manual' }));
  const faults = await lookAt(
    world,
    'operator-banks',
    '/operator/banks',
    async (page) => {
      await page.getByText(carried.name).first().waitFor();
      await page.getByRole('table', { name: 'Connections' }).waitFor();
    },
    olga,
  );
  const ofFile = await lookAt(
    world,
    'operator-bank-batch',
    `/operator/banks/batches/${carried.id}`,
    (page) => page.getByRole('table', { name: 'Payments' }).waitFor(),
    olga,
  );
  expect([...faults, ...ofFile]).toEqual([]);
});
