import { describe, expect, it } from 'vitest';
import type { ProviderEvent } from '../../../src/providers/port.ts';
import {
  refusalOf,
  type ConformanceCase,
  type ConformanceWorld,
  type EventWish,
  type SignedEvent,
} from './subject.ts';

const now = 1_800_000_000;
const fresh = [-300, 0, 300];
const stale = [-301, 301];

/** What the provider posts, and what anybody else may. */
export function describeEvents(
  { datedSignatures }: ConformanceCase,
  world: () => ConformanceWorld,
): void {
  const readAll = ({ rawBody, headers }: SignedEvent, at = now) =>
    world().provider.parseEvents(rawBody, (name) => headers[name.toLowerCase()], at);
  const read = async (event: SignedEvent, at = now): Promise<ProviderEvent> => {
    const events = await readAll(event, at);
    expect(events).toHaveLength(1);
    return events[0] as ProviderEvent;
  };
  const look = ({ headers }: Pick<SignedEvent, 'headers'>) =>
    world().provider.checkHead((name) => headers[name.toLowerCase()], now);
  const posted = (wish: EventWish = {}, at = now) => world().subject.payoutEvent(at, wish);

  describe('events', () => {
    it.each(['disbursed', 'settled', 'failed', 'returned'] as const)(
      'tell that a payment is %s, and which it is',
      async (type) => {
        const event = await read(posted({ type, reference: 'ten_1.dat_1' }));
        expect(event).toMatchObject({ kind: 'payout', type, reference: 'ten_1.dat_1' });
        const { failure, amountMinor, currency, providerPayoutId } = event as Extract<
          ProviderEvent,
          { kind: 'payout' }
        >;
        expect(failure === null).toBe(type === 'disbursed' || type === 'settled');
        expect(amountMinor).toBeGreaterThan(0n);
        expect(currency).toMatch(/^[A-Z]{3}$/);
        expect(providerPayoutId).not.toBe('');
      },
    );

    it('tell of a recipient, where the provider has recipients', async () => {
      const { recipientEvent } = world().subject;
      if (recipientEvent === null) return;
      expect(await read(recipientEvent(now))).toMatchObject({
        kind: 'recipient',
        type: 'suspended',
      });
    });

    it('are the same when they are sent twice', async () => {
      const wish = { type: 'settled', occurredAt: '2026-11-21T09:30:00.000Z' } as const;
      expect(await read(posted(wish, now + 10))).toEqual(await read(posted(wish)));
    });

    it('keep the time at which they happened, however late and in whichever order they come', async () => {
      const times = ['2026-11-21T09:31:00.000Z', '2026-11-21T09:30:00.000Z'];
      const told = await Promise.all(
        times.map((occurredAt, index) =>
          read(posted({ type: index === 0 ? 'returned' : 'settled', occurredAt })),
        ),
      );
      expect(told.map(({ occurredAt }) => Date.parse(occurredAt))).toEqual(times.map(Date.parse));
      expect(new Set(told.map(({ eventId }) => eventId)).size).toBe(2);
    });

    it('about a payment of somebody else are taken, and told as such or not at all', async () => {
      const reference = 'invoice 7';
      for (const event of await readAll(posted({ type: 'settled', reference }))) {
        expect(event.reference).toBe(reference);
      }
    });

    it('may be signed with the secret before the last rotation', async () => {
      const event = posted({ secret: 'previous' });
      expect(look(event)).toBeNull();
      expect((await read(event)).kind).toBe('payout');
    });

    it('are refused where another secret signed them', async () => {
      expect(await refusalOf(() => read(posted({ secret: 'forged' })))).toBe(401);
    });

    it('are refused where they were tampered with', async () => {
      const event = posted();
      const tampered = Buffer.from(event.rawBody);
      tampered[tampered.length - 1] = 0x20;
      expect(await refusalOf(() => read({ ...event, rawBody: tampered }))).toBe(401);
    });

    it('are refused without a signature, before their body is read', async () => {
      expect(await refusalOf(() => read({ ...posted(), headers: {} }))).toBe(401);
      expect(look({ headers: {} })).toEqual(expect.any(String));
      expect(look(posted())).toBeNull();
    });

    it.runIf(datedSignatures)(
      'are refused where they were signed too early or too late',
      async () => {
        for (const distance of fresh) {
          expect((await read(posted({}, now + distance))).kind).toBe('payout');
          expect(look(posted({}, now + distance))).toBeNull();
        }
        for (const distance of stale) {
          expect(await refusalOf(() => read(posted({}, now + distance)))).toBe(401);
          expect(look(posted({}, now + distance))).toEqual(expect.any(String));
        }
      },
    );

    it.each(['', 'not json', '{}', '[]', 'null', '{"type":"payout.exploded"}', '\ud800'])(
      'are refused as malformed though %j is signed well',
      async (body) => {
        expect(await refusalOf(() => readAll(world().subject.signed(now, body)))).toBe(400);
      },
    );

    it('are refused where their bytes are no text', async () => {
      const event = world().subject.signed(now, 'x');
      expect(await refusalOf(() => readAll({ ...event, rawBody: Buffer.from([0xff]) }))).toBe(401);
    });
  });
}
