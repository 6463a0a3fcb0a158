import { once } from 'node:events';
import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  errorCode,
  eventually,
  payoutBody,
  recipientBody,
  startWorld,
} from '../providers/support.ts';
import type { World } from '../providers/support.ts';

describe("the simulator's faults", () => {
  let world: World;
  let recipient: string;
  beforeEach(async () => {
    world = await startWorld();
    recipient = await world.recipient();
  });
  afterEach(() => world.close());

  const faults = async (settings: object): Promise<void> => {
    expect((await world.call('PUT', '/control/faults', settings)).status).toBe(200);
  };
  const life = ['acknowledged', 'estimated', 'disbursed', 'settled'].map((t) => `payout.${t}`);

  it('are set, shown, used up and cleared', async () => {
    await faults({ refuse: 2, slow_ms: 1 });
    expect(errorCode(await world.payout(recipient, 'a'))).toBe('provider_rejected');
    const shown = await world.call('GET', '/control/faults');
    expect(shown.body).toMatchObject({ refuse: 1, slow_ms: 1, silent: 0, on: 'payouts' });
    expect((await world.call('DELETE', '/control/faults')).status).toBe(204);
    expect((await world.payout(recipient, 'a')).status).toBe(201);
    expect((await world.call('PUT', '/control/faults', { refuse: -1 })).status).toBe(400);
    expect((await world.call('PUT', '/control/faults', { explode: 1 })).status).toBe(400);
  });

  it.each([
    ['rate_limited', 429, 0],
    ['error_before_accept', 500, 0],
    ['error_after_accept', 500, 1],
  ] as const)('%s answers %i having taken %i', async (fault, status, taken) => {
    await faults({ [fault]: 1 });
    expect((await world.payout(recipient, 'a')).status).toBe(status);
    expect(await world.ledger()).toHaveLength(taken);
    expect((await world.payout(recipient, 'a')).status).toBe(taken === 0 ? 201 : 200);
    expect(await world.ledger()).toHaveLength(1);
  });

  it('cuts the connection after it accepted', async () => {
    await faults({ drop_after_accept: 1 });
    await expect(world.payout(recipient, 'a')).rejects.toThrow('fetch failed');
    expect(await world.ledger()).toMatchObject([{ reference: 'a' }]);
  });

  it('keeps a fault that comes after acceptance for a call that is accepted', async () => {
    await faults({ error_after_accept: 1 });
    expect((await world.payout('rcp_nobody', 'a')).status).toBe(422);
    expect((await world.payout(recipient, 'a')).status).toBe(500);
  });

  /** Submits one cent; resolves once the whole request has left. */
  async function send(reference: string): Promise<{ hangUp(): void }> {
    const caller = request(`${world.simulator.url}/payouts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.config.apiKey}`, 'idempotency-key': reference },
    });
    caller.on('error', () => undefined);
    caller.end(JSON.stringify({ ...payoutBody(recipient, reference), amount_minor: 1 }));
    await once(caller, 'finish');
    return { hangUp: () => caller.destroy() };
  }

  it('takes a submission although its caller gave up waiting', async () => {
    await faults({ slow_ms: 50 });
    (await send('a')).hangUp();
    await eventually(async () => expect(await world.ledger()).toHaveLength(1));
  });

  it('meets the calls that it is meant for', async () => {
    await faults({ on: 'recipients', error_before_accept: 1 });
    expect((await world.payout(recipient, 'a')).status).toBe(201);
    expect((await world.call('POST', '/recipients', recipientBody('1'), 'k')).status).toBe(500);
    await faults({ on: 'lookups', error_before_accept: 1 });
    expect((await world.payout(recipient, 'b')).status).toBe(201);
    expect((await world.call('GET', '/payouts?reference=a')).status).toBe(500);
    await faults({ on: 'all', error_before_accept: 2 });
    expect((await world.call('GET', '/payouts?reference=a')).status).toBe(500);
    expect((await world.payout(recipient, 'c')).status).toBe(500);
  });

  it('sends events in order, each until it is taken, signed anew with the same body', async () => {
    world.receiver.answerWith(500, 302, 404);
    await world.payout(recipient, 'a');
    await eventually(() => {
      expect(world.receiver.types()).toEqual([life[0], life[0], life[0], ...life]);
    });
    const [first, ...rest] = world.receiver.received.slice(0, 4);
    for (const again of rest) expect(again.rawBody).toEqual(first?.rawBody);
    const { received } = world.receiver;
    expect(received.every(({ verification }) => verification === 'valid')).toBe(true);
    // Tries 200, 400 and 800 ms apart pass a second, so the signatures cannot all be one.
    expect(new Set(received.slice(0, 4).map(({ signature }) => signature)).size).toBeGreaterThan(1);
    const seconds = received.map(({ event }) => Date.parse(event.occurred_at));
    expect(seconds).toEqual(seconds.toSorted((a, b) => a - b));
  });

  it('repeats events', async () => {
    await faults({ repeat_events: 2 });
    await world.payout(recipient, 'a');
    await eventually(() => {
      expect(world.receiver.types()).toEqual(life.flatMap((type) => [type, type, type]));
    });
    expect(new Set(world.receiver.received.map(({ event }) => event.id)).size).toBe(4);
  });

  it('reorders events', async () => {
    await faults({ reorder_events: true });
    await world.payout(recipient, 'a');
    await eventually(() => expect(world.receiver.types()).toEqual(life.toReversed()));
  });

  it('delays events', async () => {
    await faults({ delay_events_ms: 600_000 });
    const { id } = (await world.payout(recipient, 'a')).body;
    await eventually(async () => {
      expect((await world.call('GET', `/payouts/${String(id)}`)).body.status).toBe('settled');
    });
    expect(world.receiver.received).toEqual([]);
    await world.restart();
    await eventually(() => expect(world.receiver.types()).toEqual(life));
  });

  it('sends the first event before its own answer', async () => {
    await faults({ early_event: true, silent: 1 });
    const caller = await send('a');
    await eventually(() => expect(world.receiver.types()).toEqual(life));
    caller.hangUp();
    await faults({ early_event: true });
    const answered = await world.payout(recipient, 'b');
    expect(answered.status).toBe(201);
    expect(world.receiver.received.map(({ event }) => event.data.reference)).toContain('b');
  });

  it('dates events and signatures by a clock that runs apart', async () => {
    await faults({ clock_skew_ms: -3_600_000 });
    await world.payout(recipient, 'a');
    await eventually(() => expect(world.receiver.types()).toEqual(life));
    for (const { event, verification } of world.receiver.received) {
      expect(verification).toBe('expired');
      expect(Date.parse(event.occurred_at)).toBeLessThan(Date.now() - 3_500_000);
    }
  });
});
