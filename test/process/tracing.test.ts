import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readBytes } from '../../rest/http/body.ts';
import { addPayee, pay, registerBusiness } from '../chaos/support/business.ts';
import { startWorld, type World } from '../chaos/support/world.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/factory.ts';
import { longTestMs } from '../support/patience.ts';

interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
}

let database: TestDatabase;
let world: World;
let collector: Server;
const spans: ReceivedSpan[] = [];
let raw = '';

/** Keeps the spans of a request in the JSON form of OTLP 1.x. */
function keep(body: string): void {
  raw += body;
  const { resourceSpans } = JSON.parse(body) as {
    resourceSpans: { scopeSpans: { spans: ReceivedSpan[] }[] }[];
  };
  spans.push(
    ...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
  );
}

beforeAll(async () => {
  database = await testDatabase();
  collector = createServer((request, response) => {
    void readBytes(request, 8_388_608).then((body) => {
      keep(body.toString());
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const { port } = collector.address() as AddressInfo;
  world = await startWorld({
    databaseUrl: database.url,
    ownerUrl: database.ownerUrl,
    environment: {
      NODE_OPTIONS: '--import=./generated/bundle/telemetry.mjs',
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    },
  });
}, longTestMs);
afterAll(async () => {
  await world.close();
  collector.closeAllConnections();
  collector.close();
  await database.drop();
});

const parentOf = (span: ReceivedSpan): ReceivedSpan | undefined =>
  spans.find(({ spanId }) => spanId === span.parentSpanId);

/** The span and what led to it, from the beginning. */
function wayTo(spanId: string): ReceivedSpan[] {
  const way: ReceivedSpan[] = [];
  let span = spans.find((one) => one.spanId === spanId);
  for (; span !== undefined; span = parentOf(span)) way.unshift(span);
  return way;
}

it(
  'one trace leads from the call over the job to the provider and to the webhook',
  async () => {
    const call = await registerBusiness(world.address);
    const payee = await addPayee(call);
    const subscribed = await call('POST', '/v1/webhook-subscriptions', {
      url: world.receiver.url,
      enabled_events: ['payout.disbursement_submitted'],
    });
    expect(subscribed.status).toBe(201);
    await pay(call, payee, { auto: true });
    const { traceparent } = await eventually(async () => world.receiver.received[0]);
    const [, traceId = '', webhookSpan = ''] = traceparent?.split('-') ?? [];
    expect(traceId).toMatch(/^[\da-f]{32}$/);

    // The processes send their spans every few seconds.
    const way = await eventually(async () => {
      const found = wayTo(webhookSpan);
      return found[0]?.parentSpanId === undefined && found.length > 1 && found;
    });
    expect(way.map(({ name }) => name)).toEqual([
      'POST /v1/payouts',
      'job disburse_payout',
      'job deliver_webhook',
      'webhook',
    ]);
    for (const span of way) expect(span.traceId).toBe(traceId);
    const submit = await eventually(async () =>
      spans.find(({ name }) => name === 'provider submit'),
    );
    expect(submit.traceId).toBe(traceId);
    expect(parentOf(submit)?.name).toBe('job disburse_payout');

    const { rows } = await database.pool.query<{ ids: string[] }>(
      `SELECT ARRAY(SELECT id FROM tenant UNION ALL SELECT id FROM payout) AS ids`,
    );
    const payees = await call('GET', '/v1/beneficiaries');
    const [{ email }] = payees.body.beneficiaries;
    for (const id of [email, ...(rows[0]?.ids ?? [])]) expect(raw).not.toContain(id);
  },
  longTestMs,
);
