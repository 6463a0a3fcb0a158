import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sessionLike } from '../../support/sessions.ts';
import { lookAt, startConsoleWorld, type ConsoleWorld } from './world.ts';

let world: ConsoleWorld;
beforeAll(async () => {
  world = await startConsoleWorld();
});
afterAll(() => world.close());

const ready = (page: Page) => page.getByRole('heading', { name: 'Passkeys' }).waitFor();

/** A device that makes passkeys and confirms each wish at once. */
async function giveAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

test('a member adds a passkey, signs in with it, and removes it', async () => {
  const { page, complaints, close } = await world.open('/sessions');
  await giveAuthenticator(page);
  await ready(page);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
  await dialog.getByRole('button', { name: 'Add a passkey' }).click();
  await dialog.getByText('Give it a name by which you know it again.').waitFor();
  await dialog.getByLabel('Name').fill('My phone');
  await page.keyboard.press('Enter');
  await page.getByRole('table', { name: 'Your passkeys' }).getByText('My phone').waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('button', { name: 'Remove My phone' }).click();
  await page.getByText('You have no passkey yet.').waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('a member sees where they are signed in and ends another session', async () => {
  await sessionLike(world.harness, world.tenant.key);
  const { page, complaints, close } = await world.open('/sessions');
  await ready(page);
  const table = page.getByRole('table', { name: 'Browsers in which you are signed in' });
  expect(await table.getByText('This one').count()).toBe(1);
  const others = table.getByRole('button', { name: /^End the session in/ });
  const before = await others.count();
  expect(before).toBeGreaterThan(0);
  await others.first().click();
  await expect.poll(() => others.count()).toBe(before - 1);
  expect(complaints).toEqual([]);
  await close();
});

test('the page of sessions is accessible in every look', async () => {
  expect(await lookAt(world, 'sessions', '/sessions', ready)).toEqual([]);
});
