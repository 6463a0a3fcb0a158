import { describe, expect, it } from 'vitest';
import type { ProviderPort, SubmitRequest } from '../../../src/providers/port.ts';
import { altered, instead } from '../../support/provider-kit/line.ts';
import { patience } from '../../support/patience.ts';
import {
  failureOf,
  type ConformanceCase,
  type ConformanceWorld,
  type PaymentPart,
} from './subject.ts';

const others = [
  ['amount', 999_999, 'amountMinor', 999_999n],
  ['currency', 'SEK', 'currency', 'SEK'],
  ['reference', 'of-another-payment', 'reference', 'of-another-payment'],
] as const;

const parts: readonly PaymentPart[] = ['id', 'reference', 'amount', 'currency', 'status'];

/** How the suite asks, and what it asks for. */
export function describeCalls(
  { enrolls, holds, pages, findsByReference }: ConformanceCase,
  world: () => ConformanceWorld,
): void {
  const provider = (): ProviderPort => world().provider;
  const request = (): SubmitRequest => world().subject.submitRequest(world().recipientId);
  const failure = (call: Promise<unknown>) => failureOf(call, world().subject.secrets);
  const taken = (reference: string) => world().subject.taken(reference);
  const lookUp = (reference: string, recipientId = world().recipientId) =>
    provider().lookUp({ reference, recipientId }, patience());
  const submit = (asked: SubmitRequest) => provider().submit(asked, patience());

  it('names itself and its key window', () => {
    expect(provider().name).toMatch(/^[a-z][a-z0-9-]*$/);
    expect(provider().capabilities.idempotencyWindowMs).toBeGreaterThan(0);
  });

  it('says what it pays, and whether it keeps recipients', () => {
    const { pays, can } = provider().capabilities;
    expect(pays.length).toBeGreaterThan(0);
    expect(can.enrolls).toBe(enrolls);
  });

  it('enrolls once for a key', async () => {
    const asked = world().subject.enrollRequest('good');
    const first = await provider().enroll(asked, patience());
    expect(first.reference).toBe(asked.reference);
    expect(await provider().enroll(asked, patience())).toEqual(first);
    expect(first.recipientId).not.toBe(world().recipientId);
  });

  it('rejects a destination that cannot be paid', async () => {
    const asked = world().subject.enrollRequest('refused');
    expect(await failure(provider().enroll(asked, patience()))).toEqual({
      verdict: 'rejected',
      code: 'invalid_account',
    });
  });

  it('does not send an amount that JSON numbers cannot hold exactly, or none', async () => {
    const before = world().line.arrived();
    for (const amountMinor of [2n ** 53n, 2n ** 53n + 1n, 0n, -1n]) {
      const submitting = submit({ ...request(), amountMinor });
      expect((await failure(submitting)).verdict).toBe('rejected');
    }
    expect(world().line.arrived()).toBe(before);
  });

  it.runIf(enrolls)('is rejected for a recipient that does not exist', async () => {
    const asked = world().subject.submitRequest('nobody');
    expect((await failure(submit(asked))).verdict).toBe('rejected');
  });

  it.runIf(holds)('is held by compliance, and nothing is taken', async () => {
    const held = await provider().enroll(world().subject.enrollRequest('held'), patience());
    const asked = world().subject.submitRequest(held.recipientId);
    const outcome = { verdict: 'held', code: 'compliance_rejected' };
    expect(await failure(submit(asked))).toEqual(outcome);
    expect(await lookUp(asked.reference, held.recipientId)).toEqual([]);
  });

  describe('the same key again', () => {
    it('pays once, and is found by its reference', async () => {
      const asked = request();
      const first = await submit(asked);
      const { reference, amountMinor, currency } = asked;
      const { providerPayoutId } = first;
      const payment = { reference, amountMinor, currency, providerPayoutId };
      expect(first).toMatchObject({ ...payment, failure: null });
      expect(Date.parse(first.statusAt)).not.toBeNaN();
      expect((await submit(asked)).providerPayoutId).toBe(providerPayoutId);
      expect(await lookUp(reference)).toEqual([expect.objectContaining(payment)]);
      expect(await taken(reference)).toBe(1);
    });

    it('pays once though both are under way together', async () => {
      const asked = request();
      const outcomes = await Promise.allSettled([submit(asked), submit(asked)]);
      const told = outcomes.map((outcome) =>
        outcome.status === 'fulfilled' ? 'taken' : (outcome.reason as { verdict: string }).verdict,
      );
      expect(told).toContain('taken');
      expect(['taken', 'retry', 'unknown']).toEqual(expect.arrayContaining(told));
      expect(await taken(asked.reference)).toBe(1);
    });

    it('is never told to have paid what only the second request asked for', async () => {
      const asked = request();
      const first = await submit(asked);
      const otherwise = submit({ ...asked, amountMinor: asked.amountMinor + 1n });
      const told = await otherwise.catch((error: unknown) => error);
      // Either the key is refused, which is no definite no, or the first payment is told once more.
      expect([{ verdict: 'unknown' }, { amountMinor: first.amountMinor }]).toContainEqual(
        told instanceof Error
          ? { verdict: (await failureOf(Promise.reject(told), [])).verdict }
          : { amountMinor: (told as typeof first).amountMinor },
      );
      expect(await taken(asked.reference)).toBe(1);
    });

    it('pays once though the look-up before it did not show the payment yet', async () => {
      const asked = request();
      const first = await submit(asked);
      world().line.next(instead({ status: 200, body: world().subject.emptyList }));
      expect(await lookUp(asked.reference)).toEqual([]);
      expect((await submit(asked)).providerPayoutId).toBe(first.providerPayoutId);
      expect(await lookUp(asked.reference)).toHaveLength(1);
      expect(await taken(asked.reference)).toBe(1);
    });
  });

  describe('a look-up', () => {
    it('finds nothing under a reference that was never sent', async () => {
      expect(await lookUp('never sent/?&')).toEqual([]);
    });

    it('tells of every payment when a reference was paid more than once', async () => {
      const asked = request();
      const keys = Array.from({ length: 5 }, (_one, index) => `${asked.idempotencyKey}-${index}`);
      const ids: string[] = [];
      for (const idempotencyKey of keys) {
        ids.push((await submit({ ...asked, idempotencyKey })).providerPayoutId);
      }
      const found = await lookUp(asked.reference);
      expect(found.map(({ providerPayoutId }) => providerPayoutId).toSorted()).toEqual(
        ids.toSorted(),
      );
    });

    it.runIf(pages)('has learnt nothing where a later page is missing', async () => {
      const asked = request();
      for (const end of ['a', 'b', 'c']) {
        await submit({ ...asked, idempotencyKey: `${asked.idempotencyKey}-${end}` });
      }
      world().line.next(
        async ({ forward, answer }) => answer(await forward()),
        instead({ status: 500, body: '' }),
      );
      expect((await failure(lookUp(asked.reference))).verdict).toBe('unknown');
    });
  });

  describe('an answer', () => {
    it.each(others)('with another %s is passed on as it was said', async (part, value, ...is) => {
      const [field, said] = is;
      const asked = request();
      const { paymentsIn, write } = world().subject;
      const change = altered((json) => {
        for (const payment of paymentsIn(json)) write(payment, part, value);
      });
      world().line.next(change);
      expect(await submit(asked)).toMatchObject({ [field]: said });
      world().line.next(change);
      const isOthers = part === 'reference' && !findsByReference;
      expect(await lookUp(asked.reference)).toMatchObject(isOthers ? [] : [{ [field]: said }]);
    });

    it.each(parts)('without its %s says nothing of the money', async (part) => {
      const asked = request();
      const { paymentsIn, write } = world().subject;
      const change = altered((json) => {
        for (const payment of paymentsIn(json)) write(payment, part, null);
      });
      world().line.next(change);
      expect((await failure(submit(asked))).verdict).toBe('unknown');
      expect(await taken(asked.reference)).toBe(1);
      world().line.next(change);
      if (part === 'reference' && !findsByReference) {
        // A payment to the same recipient that is not of this service.
        expect(await lookUp(asked.reference)).toEqual([]);
        return;
      }
      expect((await failure(lookUp(asked.reference))).verdict).toBe('unknown');
    });
  });
}
