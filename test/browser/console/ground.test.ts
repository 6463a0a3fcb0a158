import { afterAll, beforeAll, expect, test } from 'vitest';
import { linkToken, holderOf } from '../../support/sessions.ts';
import { lookAt, startConsoleWorld, type ConsoleWorld } from './world.ts';

let world: ConsoleWorld;
beforeAll(async () => {
  world = await startConsoleWorld();
});
afterAll(() => world.close());

test('a member signs in with a mailed link and finds the overview', async () => {
  const { page, complaints, close } = await world.open('/', { as: null });
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.getByLabel('E-mail address').fill('ada@example.com');
  await page.getByRole('button', { name: 'Mail me a link' }).click();
  await page.getByRole('heading', { name: 'Look into your mail' }).waitFor();
  const { userId } = await holderOf(world.harness, world.tenant.key);
  await page.goto(`/console/sign-in#${await linkToken(world.harness, { userId })}`);
  await page.getByRole('button', { name: 'Sign in now' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('the pages of the ground are accessible in every look', async () => {
  const faults = [
    ...(await lookAt(
      world,
      'sign-in',
      '/sign-in',
      (page) => page.getByRole('heading', { name: 'Sign in' }).waitFor(),
      { as: null },
    )),
    ...(await lookAt(world, 'overview', '/', (page) =>
      page.getByText('Waits for approval').first().waitFor(),
    )),
  ];
  expect(faults).toEqual([]);
});
