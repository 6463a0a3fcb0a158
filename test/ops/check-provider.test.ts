import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { apiKey, financialAccount, webhookSecret } from '../providers/stripe/subject.ts';
import { makeTenant, type TestTenant } from '../support/factory.ts';
import { runProgram } from '../support/program.ts';
import { startFakeStripe, type FakeStripe } from '../support/provider-kit/stripe.ts';
import { useHarness } from '../support/use-harness.ts';

const harness = useHarness({ worker: false, env: { LOG_LEVEL: 'silent' } });

let tenant: TestTenant;
let fake: FakeStripe;
/** What the address of the service leads to. */
let front: Server;
let status = 401;
beforeAll(async () => {
  tenant = await makeTenant(harness);
  fake = await startFakeStripe({ apiKey, financialAccount, pageSize: 2 });
  front = createServer((_request, response) => response.writeHead(status).end());
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  front.close();
  await fake.close();
});

async function connect(given: Readonly<Record<string, string>> = {}): Promise<string> {
  const settings = Object.entries({ apiKey, financialAccount, webhookSecret, ...given });
  const { body, text } = await harness.graphql(
    tenant.key,
    `mutation ($settings: [ProviderSettingInput!]!) {
      sandboxProviderConnect(name: "Dollars", adapter: "stripe", settings: $settings) { id }
    }`,
    { settings: settings.map(([name, value]) => ({ name, value })) },
  );
  if (body.data?.sandboxProviderConnect == null) throw new Error(text);
  return body.data.sandboxProviderConnect.id as string;
}

async function check(id: string) {
  const { port } = front.address() as AddressInfo;
  const ended = await runProgram('src/ops.ts', ['check-connection', id], {
    DATABASE_URL: harness.services.config.DATABASE_URL ?? '',
    LOG_LEVEL: 'silent',
    STRIPE_TEST_URL: fake.url,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
  });
  return { ...ended, missing: ended.out.split('\n').filter((line) => line.startsWith('MISSING')) };
}

it('proves credentials, balance, address and signature of a connection, and names what is missing', async () => {
  const id = await connect();
  const before = await check(id);
  expect(before.out).toContain(`opens the financial account ${financialAccount} in test mode`);
  expect(before.out).toContain('USD 1000000');
  expect(before.out).toContain(`/provider-webhooks/${id} is reached`);
  expect(before.missing).toEqual([expect.stringContaining('No event with its signature')]);
  await harness.database.pool.query(
    `INSERT INTO provider_event (provider, event_id, event) VALUES ($1, 'evt_1', '{}')`,
    [`stripe:${id}`],
  );
  expect(await check(id)).toMatchObject({ status: 0, missing: [] });
});

it('says that a key opens nothing, and that the address leads elsewhere, and tells no secret', async () => {
  status = 404;
  const wrong = 'sk_test_fedcba9876543210';
  const checked = await check(await connect({ apiKey: wrong }));
  expect(checked.status).toBe(1);
  expect(checked.missing).toEqual([
    expect.stringContaining('do not open it'),
    expect.stringContaining('answers 404'),
    expect.stringContaining('No event'),
  ]);
  expect(checked.out + checked.error).not.toContain(wrong);
});
