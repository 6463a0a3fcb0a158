import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { statement, statusReport, type Movement } from '../../support/bank-answers.ts';
import { asOperator } from './operators.ts';
import { banksOf } from './banks.ts';
import { lookAt, startConsoleWorld, type ConsoleWorld, type OpenOptions } from './world.ts';

let world: ConsoleWorld;
let banks: Awaited<ReturnType<typeof banksOf>>;
let olga: OpenOptions;
beforeAll(async () => {
  world = await startConsoleWorld();
  banks = await banksOf(world);
  olga = await asOperator(world);
});
afterAll(() => world.close());

const desk = '/operator/banks/desk';

/** A statement of a connection with these movements. */
const shown = (connection: string, ...movements: readonly Movement[]) =>
  banks.take(
    connection,
    'statement.xml',
    statement({ account: '000123456789', currency: 'USD', day: '2026-11-24', movements }),
  );

/** A payout that is in a file of the connection, as if a worker had brought the file to the bank. */
async function paid(connection: string): Promise<string> {
  const { id } = await banks.file(connection);
  const [payment] = await banks.sql('SELECT payout_id FROM bank_payment WHERE batch_id = $1', [id]);
  return payment?.['payout_id'] ?? '';
}

test('an operator matches a movement by hand, and it leaves the desk', async () => {
  const connection = await banks.connect('Matches', {});
  const payout = await paid(connection);
  await shown(connection, { direction: 'debit', amount: '1250.00', reference: 'NO NAME' });
  const { page, complaints, close } = await world.open(desk, olga);
  const row = page.getByRole('row', { name: 'NO NAME' });
  await row.getByText('It names no payment of this connection').waitFor();
  await row.getByRole('button', { name: 'Match manually' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Payout or batch id').fill(randomUUID());
  await dialog.getByLabel('Reason').fill('the bank told us');
  await dialog.getByRole('button', { name: 'Match manually' }).click();
  await dialog.getByText('No payment of this payout or batch').waitFor();
  await dialog.getByLabel('Payout or batch id').fill(payout);
  await dialog.getByRole('button', { name: 'Match manually' }).click();
  await row.waitFor({ state: 'detached' });
  const [match] = await banks.sql('SELECT payout_id, kind FROM bank_match WHERE payout_id = $1', [
    payout,
  ]);
  expect(match).toEqual({ payout_id: payout, kind: 'debit' });
  expect(await banks.logged()).toMatchObject({
    action: 'match_bank_line',
    reason: 'the bank told us',
  });
  expect(complaints).toEqual([]);
  await close();
});

test('an operator explains a movement that belongs to no payout', async () => {
  const connection = await banks.connect('Explains', {});
  await shown(connection, { direction: 'debit', amount: '77.00', reference: 'RENT' });
  const { page, complaints, close } = await world.open(desk, olga);
  const row = page.getByRole('row', { name: 'RENT' });
  await row.getByRole('button', { name: 'Explain' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Explanation').fill('Rent of the office');
  await dialog.getByLabel('Reason').fill('asked the business');
  await dialog.getByRole('button', { name: 'Explain' }).click();
  await row.waitFor({ state: 'detached' });
  const [line] = await banks.sql(
    "SELECT match, explanation FROM bank_line WHERE bank_reference = 'RENT'",
  );
  expect(line).toEqual({ match: 'explained', explanation: 'Rent of the office' });
  expect(complaints).toEqual([]);
  await close();
});

test('of an amount that differs an operator sees both, and where the contradiction is answered', async () => {
  const connection = await banks.connect('Differs', {});
  const payout = await paid(connection);
  await shown(connection, { direction: 'debit', amount: '12.00', payout });
  const { page, complaints, close } = await world.open(desk, olga);
  const row = page
    .getByRole('table', { name: 'Unmatched statement entries' })
    .getByRole('row', { name: payout });
  await row.getByText('12.00').waitFor();
  await row.getByText('1,250.00').waitFor();
  expect(await row.getByRole('button', { name: 'Match manually' }).count()).toBe(0);
  await row.getByRole('link', { name: 'Provider discrepancies' }).click();
  await page.getByRole('heading', { name: 'Exceptions' }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('an operator explains an answer of a bank that names nothing of its connection', async () => {
  const connection = await banks.connect('Answers', {});
  const report = statusReport({ message: 'PAYROLL-7', group: 'RJCT', reason: 'FF01' });
  await banks.take(connection, 'report.xml', report);
  const { page, complaints, close } = await world.open(desk, olga);
  const row = page.getByRole('row', { name: 'PAYROLL-7' });
  await row.getByText('answers a file that this connection has not sent').waitFor();
  await row.getByText('RJCT FF01').waitFor();
  await row.getByRole('button', { name: 'Explain' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Explanation').fill('A file of the payroll');
  await dialog.getByLabel('Reason').fill('asked the bank');
  await dialog.getByRole('button', { name: 'Explain' }).click();
  await row.waitFor({ state: 'detached' });
  expect(
    await banks.sql(
      "SELECT status, explanation FROM bank_stray_answer WHERE original_message_id = 'PAYROLL-7'",
    ),
  ).toEqual([{ status: 'explained', explanation: 'A file of the payroll' }]);
  expect(complaints).toEqual([]);
  await close();
});

test('an operator has a file read again that could not be read', async () => {
  const connection = await banks.connect('Unreadable', {});
  const file = await banks.take(connection, 'cut.xml', 'no file of a bank');
  const { page, complaints, close } = await world.open(desk, olga);
  const row = page.getByRole('row', { name: 'cut.xml' });
  await row.getByText('The file is neither XML nor a NACHA file.').waitFor();
  await row.getByRole('button', { name: 'Read again: cut.xml' }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('the reader is mended');
  await page.getByRole('dialog').getByRole('button', { name: 'Read again' }).click();
  await row.waitFor({ state: 'detached' });
  expect(await banks.sql('SELECT status FROM bank_file WHERE id = $1', [file])).toEqual([
    { status: 'received' },
  ]);
  expect(await banks.logged()).toMatchObject({ subject_id: file, reason: 'the reader is mended' });
  expect(complaints).toEqual([]);
  await close();
});

test('an operator resolves a payout that no statement shows only where its outcome is open', async () => {
  const connection = await banks.connect('Missing', {});
  const open = await paid(connection);
  const taken = await paid(connection);
  await banks.sql("UPDATE bank_batch SET execution_date = '2026-01-05' WHERE connection_id = $1", [
    connection,
  ]);
  await banks.sql('UPDATE disbursement_attempt SET needs_operator = true WHERE payout_id = $1', [
    open,
  ]);
  const { page, complaints, close } = await world.open(desk, olga);
  const table = page.getByRole('table', { name: 'Payouts missing on statements' });
  const ofTaken = table.getByRole('row', { name: taken });
  await ofTaken.getByText('Its file updates the payout.').waitFor();
  expect(await ofTaken.getByRole('button', { name: 'Resolve manually' }).count()).toBe(0);
  await table
    .getByRole('row', { name: open })
    .getByRole('button', { name: 'Resolve manually' })
    .click();
  await page.getByRole('dialog').getByLabel('Evidence').fill('ticket 4711');
  await page.getByRole('dialog').getByLabel('Reason').fill('the bank refused it');
  await page.getByRole('dialog').getByRole('button', { name: 'Resolve manually' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await banks.logged()).toMatchObject({ subject_id: open, reason: 'the bank refused it' });
  expect(complaints).toEqual([]);
  await close();
});

test('the desk is accessible in light, in dark and on a phone', async () => {
  const connection = await banks.connect('House bank', {});
  await shown(connection, { direction: 'debit', amount: '9.00', reference: 'FURNITURE' });
  await banks.take(connection, 'other.xml', statusReport({ message: 'PAYROLL-8', group: 'ACSC' }));
  await banks.take(connection, 'damaged.xml', '<?xml version="1.0"?><Document>');
  const faults = await lookAt(
    world,
    'operator-bank-desk',
    desk,
    async (page) => {
      await page.getByText('FURNITURE').first().waitFor();
      await page.getByText('PAYROLL-8').first().waitFor();
      await page.getByText('damaged.xml').first().waitFor();
      await page.locator('main .loading').first().waitFor({ state: 'detached' });
    },
    olga,
  );
  expect(faults).toEqual([]);
});
