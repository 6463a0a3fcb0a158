import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStack, type Stack } from '../../support/stack.ts';
import { conditionMs, longTestMs } from '../../support/patience.ts';
import { launchChromium } from '../chromium.ts';
import { make } from '../../../tools/build/make.ts';

let stack: Stack;
let browser: Browser;

/** What `npm start` starts, as somebody who has just cloned the project starts it. */
beforeAll(async () => {
  await make('console');
  [stack, browser] = await Promise.all([createStack(), launchChromium()]);
  await stack.start();
}, longTestMs);
afterAll(async () => {
  await browser.close();
  await stack.close();
});

/** What the terminal shows: the console's address, and the link. */
function printed(): { readonly address: string; readonly link: string } {
  const output = stack.output();
  const address = /^ +(\S+\/console) /m.exec(output)?.[1];
  const link = /^ +(\S+\/console\/sign-in#\S+)$/m.exec(output)?.[1];
  if (address === undefined || link === undefined) throw new Error(output);
  return { address, link };
}

/** Opens an address in a browser of its own, in which nobody is signed in. */
async function open(address: string): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB' });
  context.setDefaultTimeout(conditionMs);
  const page = await context.newPage();
  await page.goto(address);
  return page;
}

const signIn = (page: Page) => page.getByRole('button', { name: 'Sign in now' }).click();
const overview = (page: Page) =>
  page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();

async function expectOwner(page: Page): Promise<void> {
  await overview(page);
  await page.goto(page.url().replace(/\/console\/.*/, '/console/members'));
  await page.getByRole('row', { name: /\(you\).*Owner/ }).waitFor();
}

test(
  'the start prints the console and a link that signs its owner in, once; a restart prints another one',
  { timeout: longTestMs },
  async () => {
    const first = printed();
    const stranger = await open(first.address);
    await stranger.getByRole('heading', { name: 'Sign in' }).waitFor();

    const owner = await open(first.link);
    await signIn(owner);
    await expectOwner(owner);

    const late = await open(first.link);
    await late.getByText('This link is no longer valid.').first().waitFor();

    stack.killAll();
    await stack.start();
    const second = printed();
    expect(second.address).toBe(first.address);
    expect(second.link).not.toBe(first.link);
    const again = await open(second.link);
    await signIn(again);
    await expectOwner(again);
    // Who had signed in stays so.
    await owner.goto(second.address);
    await overview(owner);
  },
);
