import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { make } from '../../../tools/build/make.ts';
import { makeTenant, type TestTenant } from '../../support/factory.ts';
import { freePort } from '../../support/free-port.ts';
import { startHarness, type Harness } from '../../support/harness.ts';
import { conditionMs } from '../../support/patience.ts';
import { sessionLike } from '../../support/sessions.ts';
import { launchChromium } from '../chromium.ts';
import { pictureFolder } from '../config.ts';

/** The service with the console of the present sources, a business, and a browser. */
export interface ConsoleWorld {
  readonly harness: Harness;
  readonly tenant: TestTenant;
  /** Where the browser finds the service: a host for which it takes secure cookies without TLS. */
  readonly origin: string;
  /** Opens a page of a new context; the path is below /console. */
  open(path: string, options?: OpenOptions): Promise<OpenPage>;
  close(): Promise<void>;
}

export interface OpenOptions extends BrowserContextOptions {
  /** Who is signed in: the member of an API key, in its environment; the tenant's by default, null for nobody. */
  readonly as?: string | null;
}

export interface OpenPage {
  readonly page: Page;
  /** Violations of the content security policy, errors of scripts, failed requests: empty at the end of each test. */
  readonly complaints: readonly string[];
  close(): Promise<void>;
}

/** Builds the console, and starts everything on a database of its own. */
export async function startConsoleWorld(
  options: NonNullable<Parameters<typeof startHarness>[0]> = {},
): Promise<ConsoleWorld> {
  await make('console');
  // A passkey is bound to the host of the public URL, and a switch of pages compares its origin.
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const env = { PUBLIC_URL: origin, ...options.env };
  const [harness, browser] = await Promise.all([
    startHarness({ worker: false, port, ...options, env }),
    launchChromium(),
  ]);
  const tenant = await makeTenant(harness);
  return {
    harness,
    tenant,
    origin,
    open: (path, { as = tenant.key, ...given } = {}) =>
      openPage({ harness, browser, origin }, path, as, given),
    async close() {
      await browser.close();
      await harness.close();
    },
  };
}

interface Place {
  readonly harness: Harness;
  readonly browser: Browser;
  readonly origin: string;
}

async function openPage(
  { harness, browser, origin }: Place,
  path: string,
  as: string | null,
  given: BrowserContextOptions,
): Promise<OpenPage> {
  const context = await browser.newContext({ baseURL: origin, locale: 'en-GB', ...given });
  context.setDefaultTimeout(conditionMs);
  if (as !== null) {
    const value = (await sessionLike(harness, as)).slice('session '.length);
    const url = origin.replace('http:', 'https:');
    await context.addCookies([
      { name: '__Host-payouts_session', value, url, secure: true, httpOnly: true },
    ]);
  }
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    const meant = message.text().startsWith('Failed to load resource');
    if (['error', 'warning'].includes(message.type()) && !meant) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('requestfailed', (request) => {
    // What a page that is left still waits for ends with it.
    const left = request.failure()?.errorText === 'net::ERR_ABORTED';
    if (!left) complaints.push(`failed: ${request.url()}`);
  });
  await page.goto(`/console${path}`);
  return { page, complaints, close: () => context.close() };
}

/** The windows in which each page is looked at, and the colours in each. */
const windows = [
  {
    name: 'wide',
    colours: ['light', 'dark'],
    look: { viewport: { width: 1360, height: 860 } },
  },
  {
    name: 'phone',
    colours: ['light'],
    look: { viewport: { width: 375, height: 740 }, hasTouch: true, isMobile: true },
  },
] as const;

/** Everything that axe finds wrong on a page, by the rules of WCAG 2.2 AA and its own; the context must bypass the policy. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

/**
 * Takes a picture of the whole page, where `PICTURE_FOLDER` names a folder for them, in a window as high as the
 * page: Chromium's own picture of a whole page forgets for a moment that a phone has no fine pointer.
 */
async function takePicture(page: Page, name: string): Promise<void> {
  const window = page.viewportSize();
  if (pictureFolder === null || window === null) return;
  const height = Number(await page.evaluate('document.documentElement.scrollHeight'));
  await page.setViewportSize({ ...window, height });
  await page.screenshot({ path: join(pictureFolder, `${name}.png`), animations: 'disabled' });
  await page.setViewportSize(window);
}

/** How many tables are wider than what surrounds them. */
const cutTables = `[...document.querySelectorAll('.table-frame')]
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length`;

interface LookOptions extends OpenOptions {
  /** Whether `ready` leaves the page so that nothing else can be looked at in it: without its service, or its session. */
  readonly spoils?: boolean;
}

/** The pages that a world looks through, by window and user: to open one takes longer than to look at what it shows. */
const kept = new WeakMap<ConsoleWorld, Map<string, OpenPage>>();

async function show(
  world: ConsoleWorld,
  path: string,
  { name, look }: (typeof windows)[number],
  { spoils = false, ...options }: LookOptions,
): Promise<OpenPage> {
  // axe is injected as a script of the page; the policy has tests of its own.
  const seen = { ...options, ...look, bypassCSP: true, reducedMotion: 'reduce' } as const;
  if (spoils) return world.open(path, seen);
  const pages = kept.get(world) ?? new Map<string, OpenPage>();
  kept.set(world, pages);
  const { as = 'tenant' } = options;
  const user = `${name} ${as ?? 'nobody'}`;
  const known = pages.get(user);
  if (known !== undefined) {
    await known.page.emulateMedia({ colorScheme: 'light' });
    await known.page.goto(`/console${path}`);
    return known;
  }
  const opened = await world.open(path, seen);
  pages.set(user, opened);
  return opened;
}

/**
 * Looks at a page in light, in dark and on a phone: what axe finds, what leads to sideways scrolling,
 * tables that are cut, and what the browser complains about.
 *
 * @param ready brings the page to what is to be looked at, and waits for it; called for both windows at once, so
 *   it changes nothing that the service keeps
 * @returns what is wrong; a test expects nothing
 */
export async function lookAt(
  world: ConsoleWorld,
  name: string,
  path: string,
  ready: (page: Page) => Promise<unknown>,
  options: LookOptions = {},
): Promise<string[]> {
  const found = await Promise.all(
    windows.map(async (window) => {
      const { page, complaints, close } = await show(world, path, window, options);
      await ready(page);
      const faults: string[] = [];
      for (const colorScheme of window.colours) {
        await page.emulateMedia({ colorScheme });
        const seen = `${name} (${window.name}, ${colorScheme})`;
        const wrong = await faultsOf(page, window.look.viewport.width);
        faults.push(...wrong.map((fault) => `${seen}: ${fault}`));
        await takePicture(page, `${name}-${window.name}-${colorScheme}`);
      }
      if (options.spoils === true) await close();
      return [...faults, ...complaints.map((complaint) => `${name}: ${complaint}`)];
    }),
  );
  return found.flat();
}

/** What is wrong with a page in a window of that width. */
async function faultsOf(page: Page, windowWidth: number): Promise<string[]> {
  // A phone shows a page that is too wide smaller, so its own measure of the window grows with it.
  const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
  const wide = width - windowWidth;
  const cut = Number(await page.evaluate(cutTables));
  return [
    ...(await accessibilityFaults(page)),
    ...(wide > 0 ? [`scrolls sideways by ${wide} pixels`] : []),
    ...(cut > 0 ? [`${cut} tables do not fit and are cut`] : []),
  ];
}
