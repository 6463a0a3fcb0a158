import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { makeTenant, type TestTenant } from '../support/factory.ts';
import { startHarness, type Harness } from '../support/harness.ts';
import { launchChromium } from './chromium.ts';
import { pictureFolder } from './config.ts';
import { startMailSink, type MailSink } from './mail-sink.ts';
import { conditionMs } from '../support/patience.ts';

/** The service with a mail server, a business, and a browser. */
export interface BrowserWorld {
  readonly harness: Harness;
  readonly tenant: TestTenant;
  readonly sink: MailSink;
  readonly browser: Browser;
  /** Opens a page of a new context, which collects what the browser complains about. */
  open(path: string, options?: BrowserContextOptions): Promise<OpenPage>;
  close(): Promise<void>;
}

export interface OpenPage {
  readonly page: Page;
  /** Violations of the content security policy, script errors, failed requests. */
  readonly complaints: readonly string[];
  close(): Promise<void>;
}

/**
 * Starts everything on a database of its own. Limits are off, since all requests have one address.
 * @param worker whether jobs run, mails among them
 */
export async function startBrowserWorld(worker = false): Promise<BrowserWorld> {
  const sink = await startMailSink();
  const [harness, browser] = await Promise.all([
    startHarness({
      worker,
      env: {
        SMTP_URL: sink.url,
        COLLECTION_ADDRESS_RATE_LIMIT: '1000000',
        COLLECTION_LINK_RATE_LIMIT: '1000000',
      },
    }),
    launchChromium(),
  ]);
  const tenant = await makeTenant(harness);
  return {
    harness,
    tenant,
    sink,
    browser,
    async open(path, options = {}) {
      const context = await browser.newContext({ baseURL: harness.baseUrl, ...options });
      context.setDefaultTimeout(conditionMs);
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on('console', (message) => {
        // A page that answers 422 or 410 is told as a failed resource; those statuses are meant.
        const meant = message.text().startsWith('Failed to load resource');
        if (message.type() === 'error' && !meant) complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('requestfailed', (request) => {
        // A page that is left while its icon is still on the way ends that request itself.
        const left = request.failure()?.errorText === 'net::ERR_ABORTED';
        if (!left) complaints.push(`failed: ${request.url()}`);
      });
      await page.goto(path);
      return { page, complaints, close: () => context.close() };
    },
    async close() {
      await browser.close();
      await harness.close();
      await sink.close();
    },
  };
}

/** Keeps a picture of the whole page, where `PICTURE_FOLDER` names a folder for them. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  if (pictureFolder === null) return;
  await page.screenshot({ path: join(pictureFolder, `${name}.png`), fullPage: true });
}

/** Everything that axe finds wrong on a page; the context must bypass the content security policy. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  // The pages have no frames, for which the other mode would open a window of its own each time.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

/** Sends the form at hand and waits for the page that comes of it. */
export async function submit(page: Page): Promise<void> {
  await Promise.all([page.waitForEvent('load'), page.locator('#answers button').last().click()]);
}

/** Sends the form past the checks of the script, as a browser without it would. */
export async function submitUnchecked(page: Page): Promise<void> {
  await Promise.all([
    page.waitForEvent('load'),
    page.evaluate(`document.getElementById('answers').submit()`),
  ]);
}

/** Fills in a form by the names of its controls: texts, lists and choices. */
export async function fill(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    const control = page.locator(`#answers [name="${name}"]`).first();
    const type = await control.evaluate((element) => Reflect.get(element, 'type'));
    if (type === 'select-one') await control.selectOption(value);
    else if (type === 'radio') await page.locator(`[name="${name}"][value="${value}"]`).check();
    else await control.fill(value);
  }
}

/** Chooses the bank's country, with the button where there is no script. */
export async function chooseCountry(page: Page, country: string, scripted: boolean): Promise<void> {
  await page.locator('#country').selectOption(country);
  if (scripted) return;
  await Promise.all([
    page.waitForEvent('load'),
    page.locator('#country-choice button[type=submit]').click(),
  ]);
}
