import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEvents } from '../support/event-stream.ts';
import { payoutBody } from '../support/factory.ts';
import { transitionsQuery } from '../support/live.ts';
import { startSecondApi, type SecondApi } from '../support/second-api.ts';
import { useHarness, usePayee, useTenant } from '../support/use-harness.ts';
import { blocksOf } from './blocks.ts';

interface Told {
  readonly id: string;
  readonly transition: { readonly toState: string };
  readonly payout: { readonly id: string };
}

type PayoutTransitions = (
  url: string,
  key: string,
  lastId: string | null,
  signal: AbortSignal,
) => AsyncGenerator<Told>;

const harness = useHarness({ worker: false });
const tenant = useTenant(harness);
const payee = usePayee(harness, tenant);
let second: SecondApi;
let scratch: string;
let payoutTransitions: PayoutTransitions;

beforeAll(async () => {
  second = await startSecondApi(harness.services.config);
  scratch = mkdtempSync(join(tmpdir(), 'live-'));
  const file = join(scratch, 'client.mjs');
  const block = blocksOf('docs/dashboards.md').find(({ language }) => language === 'js');
  writeFileSync(file, block?.text ?? '');
  ({ payoutTransitions } = (await import(pathToFileURL(file).href)) as {
    payoutTransitions: PayoutTransitions;
  });
});
afterAll(async () => {
  await second.close();
  rmSync(scratch, { recursive: true, force: true });
});

async function create(): Promise<string> {
  const body = payoutBody(payee);
  const answer = await harness.rest('POST', '/v1/payouts', { key: tenant.key, body });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.payout.id as string;
}

test('the client of the page yields transitions, and resumes elsewhere after its server has gone', async () => {
  const first = new AbortController();
  // From a known place on, so that it does not matter when the stream opens.
  const begun = await openEvents(second.url, { key: tenant.key, query: transitionsQuery });
  const place = await begun.next(({ id }) => id !== null);
  await begun.close();
  const stream = payoutTransitions(second.url, tenant.key, place?.id ?? null, first.signal);
  const created = await create();
  const { value: told } = await stream.next();
  expect(told).toMatchObject({ payout: { id: created } });
  await second.stop();
  const waits = expect(stream.next()).rejects.toThrow();
  const missed = await create();
  first.abort();
  await waits;

  const again = new AbortController();
  const resumed = payoutTransitions(harness.baseUrl, tenant.key, (told as Told).id, again.signal);
  const { value } = await resumed.next();
  expect(value).toMatchObject({
    transition: { toState: 'pending_approval' },
    payout: { id: missed },
  });
  again.abort();
  await expect(resumed.next()).rejects.toThrow();
});

test('the client of the page stops for good when the key does not work', async () => {
  const stream = payoutTransitions(harness.baseUrl, 'no key', null, AbortSignal.timeout(60_000));
  await expect(stream.next()).rejects.toThrow('unauthorized');
});
