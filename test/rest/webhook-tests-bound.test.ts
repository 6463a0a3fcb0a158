import { expect, it } from 'vitest';
import { makeTenant } from '../support/factory.ts';
import { useHarness } from '../support/use-harness.ts';

const harness = useHarness({ worker: false, env: { WEBHOOK_TESTS_PER_HOUR: '2' } });

const base = '/v1/webhook-subscriptions';

async function subscribed() {
  const { key } = await makeTenant(harness);
  const body = { url: 'https://localhost:9/hook', enabled_events: ['payout.acknowledged'] };
  expect((await harness.rest('POST', base, { key, body })).status).toBe(201);
  return { key, test: () => harness.rest('POST', `${base}/test`, { key }) };
}

const deliveries = async (key: string): Promise<number> =>
  (await harness.rest('GET', `${base}/deliveries`, { key })).body.deliveries.length;

it('sends as many test events an hour as the setting says, and no other tenant less', async () => {
  const [ours, theirs] = [await subscribed(), await subscribed()];
  expect((await ours.test()).status).toBe(200);
  // Also of two at once one is the last.
  const both = await Promise.all([ours.test(), ours.test()]);
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 429]);
  const refused = await ours.test();
  expect(refused.body.error.code).toBe('too_many_requests');
  expect(refused.body.error.message).toContain('2 test events an hour');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000);
  const byGraphql = await harness.graphql(ours.key, 'mutation { webhookTest { id } }');
  expect(byGraphql.body.errors[0].extensions.code).toBe('too_many_requests');
  expect(await deliveries(ours.key)).toBe(2);
  expect((await theirs.test()).status).toBe(200);
});

it('counts no test that was refused for another reason', async () => {
  const { key, test } = await subscribed();
  await harness.rest('PATCH', base, { key, body: { enabled: false } });
  for (let each = 0; each < 3; each += 1) expect((await test()).status).toBe(409);
  await harness.rest('PATCH', base, { key, body: { enabled: true } });
  expect((await test()).status).toBe(200);
});
