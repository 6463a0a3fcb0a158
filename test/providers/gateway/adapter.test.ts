import { afterEach, describe, expect, it } from 'vitest';
import { createGateway } from '../../../src/providers/gateway/adapter.ts';
import type { Gateway } from '../../../src/providers/gateway/adapter.ts';
import { contentDigest } from '../../../simulator/model.ts';
import {
  apiKey,
  enrollRequest,
  eventually,
  listen,
  startWorld,
  submitRequest,
  webhookSecret,
} from '../support.ts';
import type { ListeningServer, World } from '../support.ts';
import { patience } from '../../support/patience.ts';

/** A payment as the provider tells of it. */
const processing = (reference: string) => ({
  id: 'po_1',
  reference,
  status: 'processing',
  rail_ref: null,
  failure: null,
});

describe('the gateway adapter', () => {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });

  function connect(server: { url: string }): Gateway {
    const provider = createGateway({
      name: 'simulator',
      baseUrl: server.url,
      apiKey,
      webhookSecret,
    });
    closers.unshift(() => provider.close());
    return provider;
  }
  async function world(stepDelayMs = 1): Promise<World> {
    const started = await startWorld({ stepDelayMs });
    closers.push(() => started.close());
    return started;
  }
  async function answering(
    status: number,
    body: string,
    headers: Record<string, string> = {},
  ): Promise<ListeningServer> {
    const server = await listen((request, response) => {
      request.resume();
      response.writeHead(status, headers).end(body);
    });
    closers.push(() => server.close());
    return server;
  }
  it('sends the destination as it was given, and no more', async () => {
    const { simulator, ...rest } = await world();
    const provider = connect(simulator);
    const { recipientId } = await provider.enroll(enrollRequest('4321'), patience());
    const request = submitRequest(recipientId);
    await provider.submit({ ...request, amountMinor: 9_007_199_254_740_991n }, patience());
    expect(await rest.ledger()).toMatchObject([
      {
        idempotency_key: request.idempotencyKey,
        reference: request.reference,
        amount_minor: Number.MAX_SAFE_INTEGER,
        currency: 'USD',
        destination_last4: '4321',
        destination_sha256: contentDigest({
          account_holder_name: 'Ada Byron',
          country: 'US',
          currency: 'USD',
          account_number: '987654321',
          routing_code: '021000021',
          account_type: 'checking',
        }),
      },
    ]);
  });

  it.each([
    ['a 2xx that is not JSON', 200, '<html>', 'unknown'],
    ['a 2xx of another shape', 201, '{"id":"po_1"}', 'unknown'],
    [
      'a 2xx without amount and currency',
      201,
      '{"id":"po_1","reference":"x","status":"processing","status_at":"2026-11-21T00:00:00Z","rail_ref":null,"failure":null}',
      'unknown',
    ],
    ['a redirect', 302, '', 'unknown'],
    ['a body too large', 413, '{"error":{"code":"too_large","message":"m"}}', 'rejected'],
    ['a refusal without a body', 422, '', 'unknown'],
    ['a proxy that does not know the path', 404, 'not found', 'unknown'],
    ['a time-out on the way', 408, '{"error":{"code":"timeout","message":"m"}}', 'unknown'],
    ['a wrong API key', 401, '{"error":{"code":"unauthorized","message":"m"}}', 'retry'],
    ['a key in use', 409, '{"error":{"code":"request_in_progress","message":"m"}}', 'retry'],
    [
      'a key used otherwise',
      409,
      '{"error":{"code":"idempotency_conflict","message":"m"}}',
      'unknown',
    ],
    ['a 429 without a body', 429, '', 'retry'],
    ['a 503', 503, '{"error":{"code":"unavailable","message":"m"}}', 'unknown'],
    ['a code that is new to us', 422, '{"error":{"code":"new","message":"m"}}', 'rejected'],
  ] as const)('gives %s its verdict', async (_, status, body, verdict) => {
    const provider = connect(await answering(status, body, { location: 'http://127.0.0.1:9' }));
    const submitting = provider.submit(submitRequest('rcp_1'), patience());
    await expect(submitting).rejects.toMatchObject({ name: 'ProviderError', verdict });
    await expect(provider.lookUp('dat_1', patience())).rejects.toMatchObject({
      verdict: 'unknown',
    });
  });

  it('reads no more of an endless answer than it needs', async () => {
    const server = await listen((request, response) => {
      request.resume();
      const chunk = Buffer.alloc(64 * 1024, 0x20);
      const more = (): void => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', more);
      more();
    });
    closers.push(() => server.close());
    const provider = connect(server);
    await expect(provider.submit(submitRequest('rcp_1'), patience())).rejects.toMatchObject({
      verdict: 'unknown',
    });
  });

  it('does not wade through a large answer to what it may hold', async () => {
    const request = submitRequest('rcp_1');
    const answer = JSON.stringify(processing(request.reference)) + ' '.repeat(2 * 1024 * 1024);
    const provider = connect(await answering(201, answer));
    await expect(provider.submit(request, patience())).rejects.toMatchObject({
      verdict: 'unknown',
    });
  });

  it('believes no payment that comes with a redirect', async () => {
    const request = submitRequest('rcp_1');
    const provider = connect(
      await answering(302, JSON.stringify(processing(request.reference)), { location: '/' }),
    );
    await expect(provider.submit(request, patience())).rejects.toMatchObject({
      verdict: 'unknown',
    });
  });

  it('believes no look-up that tells of another reference', async () => {
    const provider = connect(
      await answering(200, JSON.stringify({ data: [processing('dat_another')] })),
    );
    await expect(provider.lookUp('dat_1', patience())).rejects.toMatchObject({
      verdict: 'unknown',
    });
  });

  it('sends no amount that a JSON number would round', async () => {
    let asked = 0;
    const request = submitRequest('rcp_1');
    const server = await listen((incoming, response) => {
      asked += 1;
      incoming.resume();
      response.writeHead(201).end(JSON.stringify(processing(request.reference)));
    });
    closers.push(() => server.close());
    for (const amountMinor of [2n ** 53n, 2n ** 53n + 1n, 0n, -1n]) {
      const submitting = connect(server).submit({ ...request, amountMinor }, patience());
      await expect(submitting).rejects.toMatchObject({ verdict: 'rejected' });
    }
    expect(asked).toBe(0);
  });

  it('treats a name that does not resolve as never sent', async () => {
    const provider = connect({ url: 'http://nobody.invalid' });
    await expect(provider.submit(submitRequest('rcp_1'), patience())).rejects.toMatchObject({
      verdict: 'retry',
    });
  });

  it('tells of each payment when a reference was paid more than once', async () => {
    const { simulator, ...rest } = await world(60_000);
    const provider = connect(simulator);
    const { recipientId } = await provider.enroll(enrollRequest(), patience());
    const request = submitRequest(recipientId);
    const live = await provider.submit(request, patience());
    const other = await provider.submit({ ...request, idempotencyKey: 'another' }, patience());
    await provider.control.simulate(other.providerPayoutId, 'fail');
    const found = await provider.lookUp(request.reference, patience());
    expect(found).toMatchObject([
      { providerPayoutId: live.providerPayoutId, status: 'processing' },
      { providerPayoutId: other.providerPayoutId, status: 'failed' },
    ]);
    expect(await rest.ledger()).toHaveLength(2);
  });

  it('rejects an enrollment whose recipient has been closed since', async () => {
    const { simulator, ...rest } = await world();
    const provider = connect(simulator);
    const request = enrollRequest();
    const { recipientId } = await provider.enroll(request, patience());
    await rest.call('POST', `/control/recipients/${recipientId}/events`, { event: 'close' });
    await expect(provider.enroll(request, patience())).rejects.toMatchObject({
      verdict: 'rejected',
      code: 'account_closed',
    });
    await expect(provider.submit(submitRequest(recipientId), patience())).rejects.toMatchObject({
      verdict: 'rejected',
      code: 'account_closed',
    });
  });

  it('simulates events, and is rejected where the status permits none', async () => {
    const { simulator, receiver } = await world(60_000);
    const provider = connect(simulator);
    const { recipientId } = await provider.enroll(enrollRequest(), patience());
    const { providerPayoutId } = await provider.submit(submitRequest(recipientId), patience());
    await provider.control.simulate(providerPayoutId, 'disburse');
    await eventually(() => expect(receiver.types()).toEqual(['payout.disbursed']));
    for (const [id, event] of [
      [providerPayoutId, 'hold'],
      ['po_nobody', 'settle'],
    ] as const) {
      await expect(provider.control.simulate(id, event)).rejects.toMatchObject({
        verdict: 'rejected',
      });
    }
  });

  it('releases what compliance held, which can then be sent', async () => {
    const { simulator, receiver } = await world();
    const provider = connect(simulator);
    const { recipientId } = await provider.enroll(enrollRequest('0005'), patience());
    const request = submitRequest(recipientId);
    await expect(provider.submit(request, patience())).rejects.toMatchObject({ verdict: 'held' });
    await provider.control.releaseHeld(request.reference);
    await eventually(() => expect(receiver.types()).toEqual(['payout.released']));
    const [released] = receiver.received;
    const events = provider.parseEvents(
      released?.rawBody ?? Buffer.alloc(0),
      () => released?.signature,
      Math.floor(Date.now() / 1000),
    );
    const { reference } = request;
    expect(events).toMatchObject([{ kind: 'payout', type: 'released', reference }]);
    expect((await provider.submit(request, patience())).status).toBe('processing');
  });
});
