import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type * as Client from '../../client/src/index.ts';
import { standardHeaders } from '../../src/crypto/standard-webhooks.ts';
import { makePayee, makeTenant, payoutBody } from '../support/factory.ts';
import { startHarness, type Harness } from '../support/harness.ts';
import { longTestMs } from '../support/patience.ts';
import { launchChromium } from './chromium.ts';

/*
 * The built client in a browser: a page of another origin, which the service lists.
 */

const root = join(import.meta.dirname, '../..');
let dist: string;
let site: Server;
let harness: Harness;
let browser: Browser;

beforeAll(async () => {
  dist = await mkdtemp(join(tmpdir(), 'client-dist-'));
  const tsc = join(root, 'node_modules/.bin/tsc');
  await promisify(execFile)(tsc, ['-p', join(root, 'client'), '--outDir', dist]);
  site = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://x');
    if (!pathname.endsWith('.js')) {
      response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>x</title>');
      return;
    }
    response.setHeader('Content-Type', 'text/javascript');
    void readFile(join(dist, pathname)).then((code) => response.end(code));
  }).listen(0, 'localhost');
  await once(site, 'listening');
  harness = await startHarness({ worker: false, env: { CORS_ORIGINS: origin() } });
  browser = await launchChromium();
}, longTestMs);
afterAll(async () => {
  await browser.close();
  await harness.close();
  site.close();
  site.closeAllConnections();
  await rm(dist, { recursive: true });
});

const origin = (): string => `http://localhost:${(site.address() as AddressInfo).port}`;

test('creates a payout, tells an error apart, goes through a list and verifies a webhook', async () => {
  const tenant = await makeTenant(harness);
  const purpose = { purpose_of_payment: 'contractor_payment' } as const;
  const { idempotency_key: _, ...rest } = payoutBody(await makePayee(harness, tenant.key));
  const body = { ...rest, ...purpose };
  const secret = 'whsec_sandbox_browser';
  const event = '{"id":"evt_1","type":"payout.settled"}';
  const headers = standardHeaders(
    secret,
    'evt_1',
    Math.floor(Date.now() / 1_000),
    Buffer.from(event),
  );
  const page = await browser.newPage();
  await page.goto(origin());
  const seen = await page.evaluate(
    async ({ options, body, event, headers, secret }) => {
      const path = '/index.js';
      const { createPayoutClient, isApiError, verifyWebhook } = (await import(
        path
      )) as typeof Client;
      const client = createPayoutClient(options);
      const { payout } = await client.createPayout({ body: body });
      const unknown = await client
        .getPayout({ path: { payoutId: 'pay_1' } })
        .catch((e: unknown) => e);
      const listed: string[] = [];
      for await (const { id } of client.all('listPayouts', { query: { limit: 1 } }))
        listed.push(id);
      const verified = await verifyWebhook({ body: event, headers, secret });
      return {
        id: payout.id,
        notFound: isApiError(unknown, 'PAYOUT_NOT_FOUND'),
        listed,
        event: verified.id,
      };
    },
    { options: { baseUrl: harness.baseUrl, apiKey: tenant.key }, body, event, headers, secret },
  );
  expect(seen).toEqual({
    id: expect.stringMatching(/^pay_/),
    notFound: true,
    listed: [seen.id],
    event: 'evt_1',
  });
});
