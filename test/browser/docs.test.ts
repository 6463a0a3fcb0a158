import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessibilityFaults, startBrowserWorld, type BrowserWorld } from './world.ts';

let world: BrowserWorld;
beforeAll(async () => {
  world = await startBrowserWorld();
});
afterAll(() => world.close());

/** One page of each kind. */
const pages = [
  '/docs',
  '/docs/guides/webhooks',
  '/docs/guides/going-to-production',
  '/docs/reference',
  '/docs/reference/payouts',
  '/docs/errors',
  '/docs/search?q=idempotency',
  '/docs/nothing',
];

const looks = [
  { name: 'phone-light', colorScheme: 'light', viewport: { width: 360, height: 740 } },
  { name: 'desktop-dark', colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
] as const;

test.each(looks)('every kind of page is accessible and fits: $name', async (look) => {
  const { colorScheme, viewport } = look;
  const { page, close } = await world.open('/docs', { colorScheme, viewport, bypassCSP: true });
  for (const path of pages) {
    await page.goto(path);
    // What is folded away is looked at too.
    await page.evaluate(`for (const box of document.querySelectorAll('details')) box.open = true`);
    expect(await accessibilityFaults(page), path).toEqual([]);
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(overflow, path).toBeLessThanOrEqual(0);
  }
  await page.goto('/docs/search?q=payout');
  expect(await accessibilityFaults(page), 'with what was found').toEqual([]);
  await close();
});

test('nothing breaks the policy and nothing fails', async () => {
  const { page, complaints, close } = await world.open('/');
  expect(page.url()).toMatch(/\/docs$/);
  for (const path of pages) {
    await page.goto(path);
    await page.locator('form.search').waitFor();
  }
  expect(complaints).toEqual([]);
  // A violation would have been heard.
  await page.evaluate(
    `document.body.insertAdjacentHTML('beforeend', '<i style="color: red"></i>')`,
  );
  await expect.poll(() => complaints).not.toEqual([]);
  await close();
});

test('the search is reached and answered by the keyboard alone', async () => {
  const { page, complaints, close } = await world.open('/docs');
  await page.keyboard.press('/');
  await page.keyboard.type('key reused');
  await Promise.all([page.waitForURL('**/docs/search?**'), page.keyboard.press('Enter')]);
  const first = page.locator('.results a').first();
  await Promise.all([page.waitForURL('**/docs/errors#IDEMPOTENCY_KEY_REUSED'), first.click()]);
  // The bar at the top does not cover what was found.
  const found = page.locator('#IDEMPOTENCY_KEY_REUSED');
  await expect
    .poll(() => found.evaluate((element) => element.getBoundingClientRect().top))
    .toBeGreaterThan(50);
  expect(complaints).toEqual([]);
  await close();
});

test('without a script the search is a page, and the list of pages still opens', async () => {
  const { page, complaints, close } = await world.open('/docs/errors', {
    javaScriptEnabled: false,
    viewport: { width: 360, height: 740 },
  });
  const menu = page.getByRole('button', { name: 'All pages' });
  const list = page.locator('#frame-pages');
  expect(await list.isVisible()).toBe(false);
  await menu.focus();
  await page.keyboard.press('Enter');
  expect(await list.isVisible()).toBe(true);
  await page.keyboard.press('Escape');
  expect(await list.isVisible()).toBe(false);
  await page.getByLabel('Search the documents').fill('approve payout');
  await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
  expect(page.url()).toContain('/docs/search?q=approve+payout');
  await page.locator('.results a').first().click();
  expect(page.url()).toMatch(/\/docs\/.+#/);
  expect(complaints).toEqual([]);
  await close();
});

test('code is copied as it stands, and the list follows the reader', async () => {
  const { page, complaints, close } = await world.open('/docs/guides/quickstart', {
    permissions: ['clipboard-read', 'clipboard-write'],
    viewport: { width: 1440, height: 900 },
  });
  const block = page.locator('.code').first();
  await block.getByRole('button').click();
  await block.getByText('Copied').waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
    await block.locator('pre').textContent(),
  );
  const present = page.locator('.toc [aria-current]');
  expect(await present.textContent()).toBe('1. A key');
  await page.locator('.toc a', { hasText: '3. A bank account' }).click();
  await expect.poll(() => present.textContent()).toBe('3. A bank account');
  expect(complaints).toEqual([]);
  await close();
});

test('the keyboard reaches the content at once', async () => {
  const { page, close } = await world.open('/docs/guides/webhooks');
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
  await page.keyboard.press('Enter');
  expect(await page.evaluate('document.activeElement.id')).toBe('frame-content');
  await close();
});
