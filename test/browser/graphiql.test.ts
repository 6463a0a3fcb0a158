import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { examples } from '../../schema/graphiql/examples.ts';
import { openEvents } from '../support/event-stream.ts';
import { makePayee, makeTenant, payoutBody, type TestTenant } from '../support/factory.ts';
import { startHarness, type Harness } from '../support/harness.ts';
import { conditionMs } from '../support/patience.ts';
import { launchChromium } from './chromium.ts';

let harness: Harness;
let browser: Browser;
let tenant: TestTenant;
let folder: string;
let keyFile: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'graphiql-'));
  keyFile = join(folder, 'sandbox-key');
  [harness, browser] = await Promise.all([
    startHarness({ worker: false, env: { GRAPHIQL_KEY_PATH: keyFile } }),
    launchChromium(),
  ]);
  tenant = await makeTenant(harness);
  await writeFile(keyFile, `${tenant.key}\n`);
});
afterAll(async () => {
  await browser.close();
  await harness.close();
  await rm(folder, { recursive: true });
});

const pageText = (headers: Record<string, string> = {}) =>
  harness.rest('GET', '/graphql', { headers: { accept: 'text/html', ...headers } });

async function create(): Promise<string> {
  const payee = await makePayee(harness, tenant.key);
  const body = payoutBody(payee);
  const answer = await harness.rest('POST', '/v1/payouts', { key: tenant.key, body });
  return answer.body.payout.id as string;
}

test('every example runs as it is', async () => {
  await create();
  for (const { query, variables = {} } of examples) {
    if (query.includes('subscription')) {
      const reader = await openEvents(harness.baseUrl, { key: tenant.key, query });
      expect(reader.status, query).toBe(200);
      const id = await create();
      // A stream may begin a moment before it was opened, with the payout of above.
      const sent = await reader.next(
        ({ event, data }) => event === 'next' && data.data.payoutTransitions.payout.id === id,
      );
      expect(sent, query).not.toBeNull();
      await reader.close();
    } else {
      const { body } = await harness.graphql(tenant.key, query, variables);
      expect(body.errors, query).toBeUndefined();
    }
  }
});

async function run(page: Page): Promise<void> {
  await page.getByRole('button', { name: /execute query/i }).click();
}

test('GraphiQL opens with the key, and runs its first example and the live one under its policy', async () => {
  const context = await browser.newContext({ baseURL: harness.baseUrl });
  context.setDefaultTimeout(conditionMs);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto('/graphql');
  const result = page.locator('.result-window');
  await page.getByRole('tab', { name: 'Start' }).waitFor();
  await run(page);
  await result.getByText('"sandbox"').waitFor();
  await page.getByRole('tab', { name: 'Live' }).click();
  const stop = page.getByRole('button', { name: /stop query/i });
  // GraphiQL learns the name of a tab's operation a moment after it has shown the tab.
  while ((await stop.count()) === 0) {
    await run(page);
    await stop.waitFor({ timeout: 2_000 }).catch(() => undefined);
  }
  // The stream has begun when the page shows that it runs; what was created before may be missed.
  const ids: string[] = [];
  while ((await result.getByText('pending_approval').count()) === 0) {
    ids.push(await create());
    await page.waitForTimeout(500);
  }
  expect(ids.length).toBeGreaterThan(0);
  await stop.click();
  expect(complaints).toEqual([]);
  await context.close();
});

test('the key is shown to a browser of this machine alone, and only a sandbox key', async () => {
  expect((await pageText()).text).toContain(tenant.key);
  const foreign = [
    { 'x-forwarded-for': '203.0.113.7' },
    { via: '1.1 proxy' },
    { origin: 'https://evil.example' },
  ];
  for (const headers of foreign) expect((await pageText(headers)).text).not.toContain(tenant.key);
  const production = await makeTenant(harness, { environment: 'production' });
  await writeFile(keyFile, production.key);
  expect((await pageText()).text).not.toContain(production.key);
  await rm(keyFile);
  expect((await pageText()).text).toContain('npm run key');
});
