import { expect, test } from 'vitest';
import { launchPackagedChromium } from './chromium.ts';

test('a machine without a Chromium has the one of the npm package', async () => {
  const browser = await launchPackagedChromium();
  try {
    const page = await browser.newPage();
    await page.setContent(
      '<input id="name" aria-label="Name"><script>document.title = "It runs"</script>',
    );
    await page.getByLabel('Name').fill('Ada');
    expect(await page.title()).toBe('It runs');
    expect(await page.locator('#name').inputValue()).toBe('Ada');
  } finally {
    await browser.close();
  }
});
