import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProviderError, ProviderEventRefused } from '../../src/providers/port.ts';
import type {
  EnrollRequest,
  FailureCode,
  ProviderEvent,
  ProviderPort,
  SubmitRequest,
  Verdict,
} from '../../src/providers/port.ts';
import { eventually } from '../support/factory.ts';
import { patience } from '../support/patience.ts';

type Trouble =
  | 'refuse'
  | 'rate_limit'
  | 'fail_before_accept'
  | 'fail_after_accept'
  | 'cut_after_accept'
  | 'silence';

export interface SignedEvent {
  readonly rawBody: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** What an adapter's tests must be able to arrange so that the suite can run against it. */
export interface ConformanceSubject {
  readonly provider: ProviderPort;
  /** The same adapter, with nobody at the provider's address. */
  readonly unreachable: ProviderPort;
  /** A new request whose destination the provider takes, refuses, or holds at submission. */
  enrollRequest(kind: 'good' | 'refused' | 'held'): EnrollRequest;
  submitRequest(recipientId: string): SubmitRequest;
  /** Makes the provider misbehave at the next submission. */
  trouble(kind: Trouble): Promise<void>;
  /** How many disbursements the provider took for a reference. */
  taken(reference: string): Promise<number>;
  /** A payout event and a recipient event, signed at `timestamp` (seconds). */
  payoutEvent(timestamp: number): SignedEvent;
  recipientEvent(timestamp: number): SignedEvent;
  /** A body that is signed correctly but is not an event. */
  signedNonsense(timestamp: number, body: string): SignedEvent;
  close(): Promise<void>;
}

/** The verdict and code of a call that must fail with a ProviderError. */
async function failure(call: Promise<unknown>): Promise<{ verdict: Verdict; code: FailureCode }> {
  const outcome = await call.then(
    () => new Error('the call succeeded'),
    (error: unknown) => error,
  );
  expect(outcome).toBeInstanceOf(ProviderError);
  const { verdict, code } = outcome as ProviderError;
  return { verdict, code };
}

function refusal(read: () => unknown): number {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(ProviderEventRefused);
    return (error as ProviderEventRefused).status;
  }
  throw new Error('the event was accepted');
}

/** Every adapter passes this suite against its provider (or the provider's sandbox). */
export function describeConformance(name: string, start: () => Promise<ConformanceSubject>): void {
  describe(`${name} conforms to the provider port`, () => {
    let subject: ConformanceSubject;
    let provider: ProviderPort;
    let recipientId: string;

    beforeAll(async () => {
      subject = await start();
      provider = subject.provider;
      ({ recipientId } = await provider.enroll(subject.enrollRequest('good'), patience()));
    });
    afterAll(() => subject.close());

    it('names itself and its key window', () => {
      expect(provider.name).toMatch(/^[a-z][a-z0-9-]*$/);
      expect(provider.capabilities.idempotencyWindowMs).toBeGreaterThan(0);
    });

    it('enrolls once for a key', async () => {
      const request = subject.enrollRequest('good');
      const first = await provider.enroll(request, patience());
      expect(first.reference).toBe(request.reference);
      expect(await provider.enroll(request, patience())).toEqual(first);
      expect(first.recipientId).not.toBe(recipientId);
    });

    it('rejects a destination that the bank refuses', async () => {
      const outcome = await failure(provider.enroll(subject.enrollRequest('refused'), patience()));
      expect(outcome).toEqual({ verdict: 'rejected', code: 'invalid_account' });
    });

    it('submits once for a key, and finds it by its reference', async () => {
      const request = subject.submitRequest(recipientId);
      const first = await provider.submit(request, patience());
      const { reference, amountMinor, currency } = request;
      const payment = {
        reference,
        amountMinor,
        currency,
        providerPayoutId: first.providerPayoutId,
      };
      expect(first).toMatchObject({ ...payment, failure: null });
      expect(Date.parse(first.statusAt)).not.toBeNaN();
      const replay = await provider.submit(request, patience());
      expect(replay.providerPayoutId).toBe(first.providerPayoutId);
      const found = await provider.lookUp(request.reference, patience());
      expect(found).toEqual([expect.objectContaining({ ...payment })]);
      expect(await subject.taken(request.reference)).toBe(1);
    });

    it('finds nothing under a reference that was never sent', async () => {
      expect(await provider.lookUp('never sent/?&', patience())).toEqual([]);
    });

    it('does not send an amount that JSON numbers cannot hold exactly', async () => {
      const request = {
        ...subject.submitRequest(recipientId),
        amountMinor: BigInt(Number.MAX_SAFE_INTEGER) + 1n,
      };
      expect((await failure(provider.submit(request, patience()))).verdict).toBe('rejected');
      expect(await subject.taken(request.reference)).toBe(0);
    });

    it('is rejected for a recipient that does not exist', async () => {
      const request = subject.submitRequest('nobody');
      expect((await failure(provider.submit(request, patience()))).verdict).toBe('rejected');
    });

    it('is held by compliance, and nothing is taken', async () => {
      const held = await provider.enroll(subject.enrollRequest('held'), patience());
      const request = subject.submitRequest(held.recipientId);
      expect(await failure(provider.submit(request, patience()))).toEqual({
        verdict: 'held',
        code: 'compliance_rejected',
      });
      expect(await provider.lookUp(request.reference, patience())).toEqual([]);
    });

    it.each([
      ['refuse', 'rejected', 0],
      ['rate_limit', 'retry', 0],
      ['fail_before_accept', 'unknown', 0],
      ['fail_after_accept', 'unknown', 1],
      ['cut_after_accept', 'unknown', 1],
    ] as const)('gives the verdict of %s: %s', async (trouble, verdict, taken) => {
      const request = subject.submitRequest(recipientId);
      await subject.trouble(trouble);
      expect((await failure(provider.submit(request, patience()))).verdict).toBe(verdict);
      expect(await subject.taken(request.reference)).toBe(taken);
      const found = await provider.lookUp(request.reference, patience());
      expect(found).toHaveLength(taken);
    });

    it('ends by its signal when the provider is silent, not knowing the outcome', async () => {
      const request = subject.submitRequest(recipientId);
      await subject.trouble('silence');
      const cut = new AbortController();
      const outcome = failure(provider.submit(request, cut.signal));
      // Cut only once the provider has taken it: the worst moment.
      await eventually(async () => (await subject.taken(request.reference)) > 0);
      cut.abort();
      expect((await outcome).verdict).toBe('unknown');
      const found = await provider.lookUp(request.reference, patience());
      expect(found).toMatchObject([{ reference: request.reference }]);
      const resent = await provider.submit(request, patience());
      expect(resent.providerPayoutId).toBe(found[0]?.providerPayoutId);
      expect(await subject.taken(request.reference)).toBe(1);
    });

    it('may retry what never left, but has learnt nothing from a look-up that never left', async () => {
      const { unreachable } = subject;
      const enrolling = unreachable.enroll(subject.enrollRequest('good'), patience());
      expect((await failure(enrolling)).verdict).toBe('retry');
      const submitting = unreachable.submit(subject.submitRequest(recipientId), patience());
      expect((await failure(submitting)).verdict).toBe('retry');
      expect((await failure(unreachable.lookUp('any', patience()))).verdict).toBe('unknown');
    });

    describe('events', () => {
      const now = 1_800_000_000;
      const read = ({ rawBody, headers }: SignedEvent, at = now): ProviderEvent => {
        const events = provider.parseEvents(rawBody, (name) => headers[name.toLowerCase()], at);
        expect(events).toHaveLength(1);
        return events[0] as ProviderEvent;
      };

      it('reads payout and recipient events', () => {
        expect(read(subject.payoutEvent(now))).toMatchObject({
          kind: 'payout',
          type: 'failed',
          failure: { code: 'invalid_account' },
        });
        expect(read(subject.recipientEvent(now))).toMatchObject({
          kind: 'recipient',
          type: 'suspended',
        });
      });

      it('reads the same event the same way twice', () => {
        expect(read(subject.payoutEvent(now))).toEqual(read(subject.payoutEvent(now + 10)));
      });

      it('accepts a signature at the edge of the replay window and refuses one beyond', () => {
        for (const distance of [-300, 300]) {
          expect(read(subject.payoutEvent(now + distance)).kind).toBe('payout');
        }
        for (const distance of [-301, 301]) {
          expect(refusal(() => read(subject.payoutEvent(now + distance)))).toBe(401);
        }
      });

      it('refuses a body that was tampered with', () => {
        const event = subject.payoutEvent(now);
        const tampered = Buffer.from(event.rawBody);
        tampered[tampered.length - 1] = 0x20;
        expect(refusal(() => read({ ...event, rawBody: tampered }))).toBe(401);
      });

      it('refuses a missing signature', () => {
        expect(refusal(() => read({ ...subject.payoutEvent(now), headers: {} }))).toBe(401);
      });

      it('refuses a head without a signature, or with one beyond the window, and no other', () => {
        const look = (headers: SignedEvent['headers']) =>
          provider.checkHead((name) => headers[name.toLowerCase()], now);
        for (const distance of [-301, 301]) {
          expect(look(subject.payoutEvent(now + distance).headers)).toEqual(expect.any(String));
        }
        expect(look({})).toEqual(expect.any(String));
        for (const distance of [-300, 0, 300]) {
          expect(look(subject.payoutEvent(now + distance).headers)).toBeNull();
        }
      });

      it.each(['', 'not json', '{}', '[]', 'null', '{"type":"payout.exploded"}'])(
        'refuses the well-signed body %j as malformed',
        (body) => {
          expect(refusal(() => read(subject.signedNonsense(now, body)))).toBe(400);
        },
      );
    });
  });
}
