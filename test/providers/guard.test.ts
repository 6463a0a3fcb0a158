import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { abilitiesOf } from '../../src/providers/capabilities.ts';
import { guardProvider } from '../../src/providers/guard.ts';
import type { GuardOptions, ProviderCall } from '../../src/providers/guard.ts';
import { ProviderError, ProviderEventRefused } from '../../src/providers/port.ts';
import type { ProviderPayout, ProviderPort, Verdict } from '../../src/providers/port.ts';
import { enrollRequest, submitRequest } from './support.ts';

const paid: ProviderPayout = {
  providerPayoutId: 'po_1',
  reference: 'dat_1',
  amountMinor: 1_250n,
  currency: 'USD',
  statusAt: '2026-11-21T00:00:00.000Z',
  status: 'processing',
  railRef: null,
  failure: null,
};

type Submit = ProviderPort['submit'];

function port(overrides: Partial<ProviderPort>): ProviderPort {
  return {
    name: 'fake',
    capabilities: { idempotencyWindowMs: 1, pays: [], can: abilitiesOf() },
    enroll: () => Promise.resolve({ recipientId: 'rcp_1', reference: 'enr_1' }),
    submit: () => Promise.resolve(paid),
    lookUp: () => Promise.resolve([]),
    checkHead: () => null,
    parseEvents: () => {
      throw new TypeError('account 987654321');
    },
    ...overrides,
  };
}

const never = new AbortController().signal;
const request = submitRequest('rcp_1');
const asked = { reference: 'dat_1', recipientId: 'rcp_1' };
const failing = (verdict: Verdict) => () =>
  Promise.reject(new ProviderError(verdict, 'other', 'no'));

describe('guardProvider', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function guard(overrides: Partial<ProviderPort>, options: Partial<GuardOptions> = {}) {
    return guardProvider(port(overrides), {
      timeoutMs: 1_000,
      breaker: { failures: 3, coolDownMs: 5_000 },
      now: () => Date.now(),
      ...options,
    });
  }

  describe('time-out', () => {
    it('ends a call that does not answer as unknown, and aborts it', async () => {
      let seen: AbortSignal | undefined;
      const provider = guard({
        submit: (_, signal) => {
          seen = signal;
          return new Promise(() => undefined);
        },
      });
      const outcome = expect(provider.submit(request)).rejects.toMatchObject({
        verdict: 'unknown',
        message: 'No answer within 1000 ms.',
      });
      await vi.advanceTimersByTimeAsync(999);
      expect(seen?.aborted).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      await outcome;
      expect(seen?.aborted).toBe(true);
    });

    it('leaves no timer behind', async () => {
      await guard({}).submit(request, never);
      await expect(guard({ submit: failing('rejected') }).submit(request, never)).rejects.toThrow();
      expect(vi.getTimerCount()).toBe(0);
    });

    it('ends with the caller, whose signal counts as no failure', async () => {
      const submit = vi.fn<Submit>(() => new Promise(() => undefined));
      const provider = guard({ submit });
      for (let call = 0; call < 4; call += 1) {
        const caller = new AbortController();
        const outcome = expect(provider.submit(request, caller.signal)).rejects.toMatchObject({
          verdict: 'unknown',
        });
        caller.abort();
        await outcome;
      }
      expect(submit).toHaveBeenCalledTimes(4);
    });

    it('does not call at all for a caller that has gone', async () => {
      const submit = vi.fn<Submit>();
      await expect(guard({ submit }).submit(request, AbortSignal.abort())).rejects.toMatchObject({
        verdict: 'unknown',
      });
      expect(submit).not.toHaveBeenCalled();
    });
  });

  describe('circuit breaker', () => {
    async function failTimes(provider: ProviderPort, times: number): Promise<void> {
      for (let call = 0; call < times; call += 1) {
        await provider.submit(request, never).catch(() => undefined);
      }
    }

    it.each(['unknown', 'retry'] as const)('opens after consecutive %s', async (verdict) => {
      const submit = vi.fn<Submit>(failing(verdict));
      const lookUp = vi.fn<ProviderPort['lookUp']>();
      const provider = guard({ submit, lookUp });
      await failTimes(provider, 5);
      expect(submit).toHaveBeenCalledTimes(3);
      await expect(provider.submit(request, never)).rejects.toMatchObject({ verdict: 'retry' });
      await expect(provider.lookUp(asked, never)).rejects.toMatchObject({ verdict: 'unknown' });
      expect(lookUp).not.toHaveBeenCalled();
    });

    it.each(['rejected', 'held'] as const)('takes %s for a sign of life', async (verdict) => {
      const submit = vi.fn<Submit>(failing('unknown'));
      const provider = guard({ submit });
      await failTimes(provider, 2);
      submit.mockImplementationOnce(failing(verdict));
      await failTimes(provider, 3);
      expect(submit).toHaveBeenCalledTimes(5);
    });

    it('lets one probe through after the cool-down; its failure opens it anew', async () => {
      const submit = vi.fn<Submit>(failing('unknown'));
      const provider = guard({ submit });
      await failTimes(provider, 3);
      await vi.advanceTimersByTimeAsync(4_999);
      await failTimes(provider, 1);
      expect(submit).toHaveBeenCalledTimes(3);
      await vi.advanceTimersByTimeAsync(1);
      await Promise.all([failTimes(provider, 1), failTimes(provider, 1)]);
      expect(submit).toHaveBeenCalledTimes(4);
      await vi.advanceTimersByTimeAsync(4_999);
      await failTimes(provider, 1);
      expect(submit).toHaveBeenCalledTimes(4);
    });

    it('closes when the probe succeeds', async () => {
      const submit = vi.fn<Submit>(failing('unknown'));
      const provider = guard({ submit });
      await failTimes(provider, 3);
      submit.mockImplementation(() => Promise.resolve(paid));
      await vi.advanceTimersByTimeAsync(5_000);
      expect(await provider.submit(request, never)).toEqual(paid);
      expect(await provider.submit(request, never)).toEqual(paid);
    });

    it('gives the probe to another when its caller goes', async () => {
      const submit = vi.fn<Submit>(failing('unknown'));
      const provider = guard({ submit });
      await failTimes(provider, 3);
      await vi.advanceTimersByTimeAsync(5_000);
      submit.mockImplementation(() => new Promise(() => undefined));
      const caller = new AbortController();
      const gone = provider.submit(request, caller.signal).catch(() => undefined);
      caller.abort();
      await gone;
      submit.mockImplementation(() => Promise.resolve(paid));
      expect(await provider.submit(request, never)).toEqual(paid);
    });

    it('is not closed by a straggler from before it opened', async () => {
      const straggler = Promise.withResolvers<ProviderPayout>();
      const submit = vi.fn<Submit>(failing('unknown'));
      submit.mockImplementationOnce(() => straggler.promise);
      const provider = guard({ submit });
      const early = provider.submit(request, never);
      await failTimes(provider, 3);
      straggler.resolve(paid);
      expect(await early).toEqual(paid);
      await expect(provider.submit(request, never)).rejects.toMatchObject({ verdict: 'retry' });
      expect(submit).toHaveBeenCalledTimes(4);
    });
  });

  describe('errors', () => {
    it('makes any foreign exception unknown and repeats none of its text', async () => {
      const foreign = Object.assign(new TypeError('account 98765-6789'), { code: 'E_FAKE' });
      const error = await guard({ submit: () => Promise.reject(foreign) })
        .submit(request, never)
        .catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ProviderError);
      expect(error).toMatchObject({ verdict: 'unknown', code: 'other' });
      expect(String(error)).toContain('TypeError E_FAKE');
      expect(String(error)).not.toContain('6789');
      expect((error as Error).cause).toBeUndefined();
    });

    it('also when it is thrown before a promise exists', async () => {
      const provider = guard({
        submit: () => {
          throw new RangeError('at once');
        },
      });
      await expect(provider.submit(request, never)).rejects.toMatchObject({ verdict: 'unknown' });
    });

    it.each(['rejected', 'held', 'retry'] as const)(
      'never lets a failed look-up say %s',
      async (verdict) => {
        const provider = guard({ lookUp: failing(verdict) });
        await expect(provider.lookUp(asked, never)).rejects.toMatchObject({ verdict: 'unknown' });
      },
    );

    it('refuses an event that the adapter stumbles over', async () => {
      const parsing = guard({}).parseEvents(Buffer.alloc(0), () => undefined, 0);
      const error: unknown = await parsing.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ProviderEventRefused);
      expect((error as Error).message).not.toContain('987654321');
    });
  });

  describe('redaction', () => {
    const enrolling = enrollRequest('6789');

    it.each([
      'bad account 987656789',
      'bad account 98765 6789, routing 021-000-021',
      'tax 123456789 and 123-45-6789',
      'born 1990-02-03, 03.02.1990, 02/03/1990, 19900203',
    ])('masks what the request holds: %s', async (text) => {
      const provider = guard({
        enroll: () =>
          Promise.reject(
            new ProviderError('rejected', 'invalid_account', text, { cause: new Error(text) }),
          ),
      });
      const error = await provider.enroll(enrolling, never).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ verdict: 'rejected', code: 'invalid_account' });
      const { message, stack, cause } = error as Error;
      expect(cause).toBeUndefined();
      for (const said of [message, stack ?? '']) {
        expect(said).not.toMatch(/98765|021-?000|123-?45|1990|03.02|02.03/);
        expect(said).toContain('****');
      }
    });

    it.each([
      ['DE89370400440532013000 is closed', '****00 is closed'],
      ['DE89 3704 0044 0532 0130 00 is closed', '****00 is closed'],
      ['account 0123-4567-89: unknown', 'account ****89: unknown'],
      ['reference dat_01k9zzzz12345678 of 12 500', 'reference dat_01k9zzzz12345678 of 12 500'],
    ])('masks what looks like an identifier in a failure: %s', async (message, masked) => {
      const failure = { code: 'invalid_account', message } as const;
      const provider = guard({
        submit: () => Promise.resolve({ ...paid, failure }),
        lookUp: () => Promise.resolve([{ ...paid, failure }]),
        parseEvents: async () => [
          {
            kind: 'recipient',
            eventId: 'sev_1',
            occurredAt: '2026-11-21T00:00:00Z',
            type: 'closed',
            reference: 'enr_1',
            recipientId: 'rcp_1',
            reason: message,
          },
        ],
      });
      expect((await provider.submit(request, never)).failure?.message).toBe(masked);
      expect((await provider.lookUp(asked, never))[0]?.failure?.message).toBe(masked);
      expect(await provider.parseEvents(Buffer.alloc(0), () => undefined, 0)).toMatchObject([
        { reason: masked },
      ]);
    });
  });

  it('reports each call, and survives a reporter that throws', async () => {
    const calls: ProviderCall[] = [];
    const onCall = (call: ProviderCall): void => {
      calls.push(call);
      throw new Error('the metric failed');
    };
    const submit = vi.fn<Submit>(() => Promise.resolve(paid));
    const provider = guard({ submit }, { onCall, breaker: { failures: 1, coolDownMs: 5_000 } });
    expect(await provider.submit(request, never)).toEqual(paid);
    submit.mockImplementation(async () => {
      await new Promise((resolve) => setTimeout(resolve, 250));
      throw new ProviderError('unknown', 'other', 'no');
    });
    const failed = provider.submit(request, never).catch(() => undefined);
    await vi.advanceTimersByTimeAsync(250);
    await failed;
    await provider.submit(request, never).catch(() => undefined);
    expect(calls).toEqual([
      { provider: 'fake', operation: 'submit', outcome: 'ok', durationMs: 0 },
      { provider: 'fake', operation: 'submit', outcome: 'unknown', durationMs: 250 },
      { provider: 'fake', operation: 'submit', outcome: 'circuit_open', durationMs: 0 },
    ]);
  });
});
