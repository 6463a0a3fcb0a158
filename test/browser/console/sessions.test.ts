import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeTenant } from '../../support/factory.ts';
import { holderOf, sessionLike, sessionOf } from '../../support/sessions.ts';
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
  await dialog.getByText('Give it a name you will recognize.').waitFor();
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
  const table = page.getByRole('table', { name: 'Browsers where you are signed in' });
  expect(await table.getByText('This browser').count()).toBe(1);
  const others = table.getByRole('button', { name: /^End the session in/ });
  const before = await others.count();
  expect(before).toBeGreaterThan(0);
  await others.first().click();
  await expect.poll(() => others.count()).toBe(before - 1);
  expect(complaints).toEqual([]);
  await close();
});

test('a member signs out everywhere else in one step, after reading what stays', async () => {
  const { key } = await makeTenant(world.harness);
  const others = [await sessionLike(world.harness, key), await sessionLike(world.harness, key)];
  const { page, complaints, close } = await world.open('/sessions', { as: key });
  await ready(page);
  const table = page.getByRole('table', { name: 'Browsers where you are signed in' });
  const shown = table.locator('tbody tr');
  expect(await shown.count()).toBe(3);
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign out everywhere else' });
  await dialog.getByText('Your passkeys and API keys remain.').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await shown.count()).toBe(3);
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await dialog.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await expect.poll(() => shown.count()).toBe(1);
  await shown.getByText('This browser').waitFor();
  // There is nobody left to sign out.
  expect(await page.getByRole('button', { name: 'Sign out everywhere else' }).count()).toBe(0);
  for (const other of others) expect(await isSignedIn(other)).toBe(false);
  expect(complaints).toEqual([]);
  await close();
});

const isSignedIn = async (key: string): Promise<boolean> =>
  (await world.harness.graphql(key, '{ viewer { id } }')).body.errors === undefined;

/** A member of a business of its own, signed in with a browser of a name, for who manages the members. */
async function colleague() {
  const business = await makeTenant(world.harness);
  const { email, ...person } = await holderOf(
    world.harness,
    await business.keyWithRole('approver'),
  );
  const session = await sessionOf(world.harness, person, person.membershipId);
  await world.harness.database.pool.query(
    "UPDATE user_session SET user_agent = 'Mozilla/5.0 (Windows NT 10.0) Firefox/140.0' WHERE id = $1",
    [session.id],
  );
  return { business, email, session: session.key };
}

test('an admin sees where a member is signed in, and ends it after reading what that does', async () => {
  const { business, email, session } = await colleague();
  const as = await business.keyWithRole('admin');
  const { page, complaints, close } = await world.open('/members', { as });
  await page.getByRole('button', { name: `Sessions of ${email}` }).click();
  const dialog = page.getByRole('dialog', { name: `Sessions of ${email}` });
  await dialog.getByRole('row', { name: /Firefox, Windows.*192\.0\.2\.0\/24/ }).waitFor();
  await dialog.getByText('they can sign in again').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await isSignedIn(session)).toBe(true);
  await page.getByRole('button', { name: `Sessions of ${email}` }).click();
  await dialog.getByRole('button', { name: 'End all sessions' }).click();
  await dialog.getByText(`1 session of ${email} ended.`).waitFor();
  expect(await isSignedIn(session)).toBe(false);
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: `Sessions of ${email}` }).click();
  await dialog.getByText('They are not signed in here in any browser.').waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test("an admin reads why they may not end an owner's sessions", async () => {
  const { business } = await colleague();
  const { email } = await holderOf(world.harness, business.key);
  const session = await sessionLike(world.harness, business.key);
  const as = await business.keyWithRole('admin');
  const { page, complaints, close } = await world.open('/members', { as });
  await page.getByRole('button', { name: `Sessions of ${email}` }).click();
  await page.getByRole('button', { name: 'End all sessions' }).click();
  await page.getByText('may not give, change or take away the role owner').waitFor();
  expect(await isSignedIn(session)).toBe(true);
  expect(complaints).toEqual([]);
  await close();
});

test('the pages of sessions are accessible in every look', async () => {
  const { business, email } = await colleague();
  await sessionLike(world.harness, business.key);
  const as = business.key;
  const faults = [
    await lookAt(world, 'sessions', '/sessions', ready, { as }),
    await lookAt(
      world,
      'sessions-end-others',
      '/sessions',
      (page) => page.getByRole('button', { name: 'Sign out everywhere else' }).click(),
      { as },
    ),
    await lookAt(
      world,
      'member-sessions',
      '/members',
      async (page) => {
        await page.getByRole('button', { name: `Sessions of ${email}` }).click();
        await page.getByRole('dialog').getByRole('table').waitFor();
      },
      { as },
    ),
  ];
  expect(faults.flat()).toEqual([]);
});
