import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePayee, payoutBody } from '../../support/factory.ts';
import { startConsoleWorld, type ConsoleWorld } from './world.ts';

let world: ConsoleWorld;
beforeAll(async () => {
  world = await startConsoleWorld();
  const { harness, tenant } = world;
  const payee = await makePayee(harness, tenant.key);
  for (const minor of [10_000, 20_050, 30_000]) {
    const body = payoutBody(payee, { amount_minor: minor, external_ref: `=INV ${minor}` });
    const { status, text } = await harness.rest('POST', '/v1/payouts', { key: tenant.key, body });
    expect(status, text).toBe(201);
  }
});
afterAll(() => world.close());

const sums = (page: Page) => page.locator('.list-sums');

test('a list says what it comes to, and its file holds exactly what is seen', async () => {
  const { page, complaints, close } = await world.open('/payouts');
  await sums(page).getByText('600.50 USD').waitFor();
  await page.goto('/console/payouts?currency=USD&amountMinorFrom=20000');
  await sums(page).getByText('500.50 USD').waitFor();
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByLabel('Created', { exact: true }).uncheck();
  await page.keyboard.press('Escape');
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  const file = await readFile(await (await coming).path(), 'utf8');
  expect(file.split('\r\n')).toEqual([
    'Payee,Amount,Currency,Status,Reference',
    "Ada Lovelace,300.00,USD,Awaiting approval,'=INV 30000",
    "Ada Lovelace,200.50,USD,Awaiting approval,'=INV 20050",
    '',
  ]);
  expect(complaints).toEqual([]);
  await close();
});

test('a view keeps conditions and columns in the browser, and is taken away', async () => {
  const { page, complaints, close } = await world.open(
    '/payouts?currency=USD&amountMinorFrom=20000',
  );
  await sums(page).getByText('500.50 USD').waitFor();
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByLabel('ID', { exact: true }).check();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('button', { name: 'Save this view' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save this view' });
  await dialog.getByLabel('Name').fill('Large');
  await page.keyboard.press('Enter');
  await page.goto('/console/payouts');
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByLabel('ID', { exact: true }).uncheck();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('button', { name: 'Large', exact: true }).click();
  await sums(page).getByText('500.50 USD').waitFor();
  await page.getByRole('columnheader', { name: 'ID' }).waitFor();
  expect(new URL(page.url()).search).toBe('?currency=USD&amountMinorFrom=20000');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('button', { name: 'Remove the view “Large”' }).click();
  await page.reload();
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByText('No saved views yet.').waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('the rows of a list are walked with the keyboard, and a filter that takes the place of another says so', async () => {
  const { page, complaints, close } = await world.open(
    '/payouts?createdSince=2026-01-01T00:00:00Z',
  );
  const rows = page.locator('tbody tr');
  await rows.nth(2).waitFor();
  await rows.nth(0).getByRole('link').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('j');
  const focused = () => page.evaluate('document.activeElement.closest("tr").rowIndex');
  expect(await focused()).toBe(3);
  await page.keyboard.press('k');
  expect(await focused()).toBe(2);
  const bar = page.getByRole('region', { name: 'Filters' });
  await bar.getByRole('button', { name: 'More filters' }).click();
  await page.getByText('Replaces the filter “Created”.').waitFor();
  await page.getByLabel('Value').fill('=INV 10000');
  await page.keyboard.press('Enter');
  await sums(page).getByText('100.00 USD').waitFor();
  await bar.getByRole('button', { name: 'Remove the filter: Reference' }).click();
  await sums(page).getByText('600.50 USD').waitFor();
  expect(complaints).toEqual([]);
  await close();
});
