import { afterEach, describe, expect, it } from 'vitest';
import { createGateway } from '../../../src/providers/gateway/adapter.ts';
import type { Gateway } from '../../../src/providers/gateway/adapter.ts';
import { contentDigest } from '../../../simulator/model.ts';
import {
  apiKey,
  enrollRequest,
  eventually,
  startWorld,
  submitRequest,
  webhookSecret,
} from '../support.ts';
import type { World } from '../support.ts';
import { patience } from '../../support/patience.ts';

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
      webhookSecrets: [webhookSecret],
    });
    closers.unshift(() => provider.close());
    return provider;
  }
  async function world(stepDelayMs = 1): Promise<World> {
    const started = await startWorld({ stepDelayMs });
    closers.push(() => started.close());
    return started;
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

  it('treats a name that does not resolve as never sent', async () => {
    const provider = connect({ url: 'http://nobody.invalid' });
    await expect(provider.submit(submitRequest('rcp_1'), patience())).rejects.toMatchObject({
      verdict: 'retry',
    });
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
    const events = await provider.parseEvents(
      released?.rawBody ?? Buffer.alloc(0),
      () => released?.signature,
      Math.floor(Date.now() / 1000),
    );
    const { reference } = request;
    expect(events).toMatchObject([{ kind: 'payout', type: 'released', reference }]);
    expect((await provider.submit(request, patience())).status).toBe('processing');
  });
});
