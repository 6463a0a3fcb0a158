import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../support/factory.ts';
import { freePort } from '../../support/free-port.ts';
import { longTestMs } from '../../support/patience.ts';
import { readPng } from '../../support/png.ts';
import { launchPackagedChromium } from '../chromium.ts';
import { keepsPictures } from '../config.ts';
import { differences, type Box } from './gallery-pictures.ts';
import { accessibilityFaults } from './world.ts';

/*
 * Every part of the console in every state, against pictures that are kept. Where a change is meant,
 * KEEP_PICTURES=true writes them anew; look at them before they are committed.
 */

const root = join(import.meta.dirname, '../../..');
const kept = join(import.meta.dirname, 'gallery');

let server: ChildProcess;
let browser: Browser;
let address: string;
beforeAll(async () => {
  const port = await freePort();
  address = `http://localhost:${port}/console/look/gallery.html`;
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  server = spawn(process.execPath, [vite, 'console', '--port', String(port), '--strictPort'], {
    cwd: root,
    stdio: 'ignore',
  });
  browser = await launchPackagedChromium();
  await eventually(() => fetch(address).catch(() => null));
}, longTestMs);
afterAll(async () => {
  await browser.close();
  const ended = once(server, 'exit');
  server.kill();
  await ended;
});

const viewport = { width: 1024, height: 800 };
const looks: readonly (readonly [string, BrowserContextOptions])[] = [
  ['wide-light', { viewport }],
  ['wide-dark', { viewport, colorScheme: 'dark' }],
  [
    'phone-light',
    { viewport: { width: 375, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 1 },
  ],
];

/** The boxes of all specimens, as the page measures them. */
const boxesOf = (page: Page) =>
  page.evaluate<Box[]>(`[...document.querySelectorAll('[data-specimen]')].map((part) => {
    const { x, y, width, height } = part.getBoundingClientRect();
    const [left, top] = [Math.round(x + scrollX), Math.round(y + scrollY)];
    return { title: part.dataset.specimen, x: left, y: top, width: Math.round(width), height: Math.round(height) };
  })`);

/** The gallery in a window as high as it is. */
async function open(options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({
    ...options,
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    bypassCSP: true,
  });
  const page = await context.newPage();
  await page.goto(address);
  await page.locator('[data-specimen="Loading"]').waitFor();
  await page.evaluate('document.fonts.ready');
  const { width } = page.viewportSize() ?? { width: 0 };
  const height = Number(await page.evaluate('document.documentElement.scrollHeight'));
  await page.setViewportSize({ width, height });
  return page;
}

test.each(looks)(
  'every part looks as it is meant, and is accessible: %s',
  async (name, options) => {
    const page = await open(options);
    expect(await accessibilityFaults(page)).toEqual([]);
    const boxes = await boxesOf(page);
    const bytes = await page.screenshot({ animations: 'disabled' });
    await page.context().close();
    const picture = join(kept, `${name}.png`);
    const places = join(kept, `${name}.json`);
    if (keepsPictures) {
      await writeFile(picture, bytes);
      await writeFile(places, `${JSON.stringify(boxes, null, 2)}\n`);
    }
    const was = {
      picture: readPng(await readFile(picture)),
      boxes: JSON.parse(await readFile(places, 'utf8')) as Box[],
    };
    expect(boxes.length).toBeGreaterThan(10);
    expect(differences(was, { picture: readPng(bytes), boxes })).toEqual([]);
  },
  longTestMs,
);

test(
  'every part is accessible with more contrast',
  async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await open({ viewport, colorScheme, contrast: 'more' });
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.context().close();
    }
  },
  longTestMs,
);

test('a part that looks otherwise is named', async () => {
  const [first] = looks;
  const picture = readPng(await readFile(join(kept, `${first?.[0] ?? ''}.png`)));
  const places = await readFile(join(kept, `${first?.[0] ?? ''}.json`), 'utf8');
  const boxes = JSON.parse(places) as Box[];
  const [{ title, ...place } = { title: '', x: 0, y: 0, width: 0, height: 0 }] = boxes;
  const pixels = Buffer.from(picture.pixels);
  const { width, channels } = picture;
  // A stripe as high as a line of text.
  pixels.fill(128, (place.y + 40) * width * channels, (place.y + 60) * width * channels);
  const changed = { picture: { ...picture, pixels }, boxes };
  expect(differences({ picture, boxes }, changed)).toEqual([
    expect.stringMatching(new RegExp(`^${title}: .* looks otherwise$`)),
  ]);
  const without = { picture, boxes: boxes.slice(1) };
  expect(differences({ picture, boxes }, without)).toEqual([`${title} is gone`]);
});
