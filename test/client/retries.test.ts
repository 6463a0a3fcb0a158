import { afterEach, describe, expect, test } from 'vitest';
import { ApiError, ConnectionError } from '../../client/src/errors.ts';
import type { ClientOptions } from '../../client/src/client.ts';
import { waitAfter } from '../../client/src/retry.ts';
import {
  answer,
  answering,
  cut,
  cutInBody,
  payoutBody,
  refusal,
  silence,
  type Answering,
  type Handler,
} from './answers.ts';

let server: Answering | undefined;
afterEach(() => server?.close());

async function against(...handlers: readonly Handler[]): Promise<Answering> {
  return (server = await answering(handlers));
}

async function within(options: Partial<ClientOptions>, ...handlers: readonly Handler[]) {
  return (server = await answering(handlers, options));
}

const away: readonly (readonly [string, Handler])[] = [
  ['a cut connection', cut],
  ['an answer that breaks off', cutInBody],
  ['502', answer(502, '<html>')],
  ['503', refusal(503, 'service_unavailable', { 'Retry-After': '0' })],
  ['504', answer(504, '')],
];

describe('a create with a key', () => {
  test.each([
    ...away,
    ['429', refusal(429, 'RATE_LIMITED', { 'Retry-After': '0' })] as const,
    ['409 of a lost race', refusal(409, 'PAYOUT_CONCURRENCY_CONFLICT')] as const,
    ['409 conflict', refusal(409, 'conflict')] as const,
  ])('is sent again after %s, with the same key that the client made', async (_what, handler) => {
    const { client, seen } = await against(handler, answer(201, { payout: { id: 'pay_1' } }));
    const { payout } = await client.createPayout({ body: payoutBody });
    expect(payout.id).toBe('pay_1');
    expect(seen).toHaveLength(2);
    expect(seen[1]?.body).toBe(seen[0]?.body);
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
      ...payoutBody,
      idempotency_key: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
    });
  });

  test('keeps the key of its caller, from the field or from the header', async () => {
    const { client, seen } = await against(cut, answer(201, {}), answer(201, {}));
    await client.createPayout({ body: { ...payoutBody, idempotency_key: 'mine' } });
    await client.createPayout({ body: payoutBody, headers: { 'Idempotency-Key': '"also mine"' } });
    expect(seen.map(({ body }) => JSON.parse(body).idempotency_key)).toEqual([
      'mine',
      'mine',
      undefined,
    ]);
    expect(seen[2]?.headers['idempotency-key']).toBe('"also mine"');
  });

  test('makes another key for another call', async () => {
    const { client, seen } = await against(answer(201, {}));
    await client.createPayout({ body: payoutBody });
    await client.createPayout({ body: payoutBody });
    expect(new Set(seen.map(({ body }) => JSON.parse(body).idempotency_key)).size).toBe(2);
  });

  test.each([
    ['422 with a code', refusal(422, 'IDEMPOTENCY_KEY_REUSED')],
    ['another 409', refusal(409, 'INVALID_STATE_TRANSITION')],
    ['500, after which the service asks for a look', refusal(500, 'internal_error')],
  ])('is final after %s', async (_what, handler) => {
    const { client, seen } = await against(handler);
    await expect(client.createPayout({ body: payoutBody })).rejects.toThrow(ApiError);
    expect(seen).toHaveLength(1);
  });

  test('tells its key with the error, so that its caller can go on with it', async () => {
    const { client, seen } = await within({ maxRetries: 1 }, cut);
    const error = await client
      .createPayout({ body: payoutBody })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConnectionError);
    const { idempotency_key: idempotencyKey } = JSON.parse(seen[0]?.body ?? '');
    expect(error).toMatchObject({
      idempotencyKey,
      attempts: 2,
      timedOut: false,
      message: expect.stringMatching(/^createPayout: no answer to attempt 2: \w+/),
    });
  });
});

test('a decision carries an id of its own, and rows in bulk have their keys', async () => {
  const { client, seen } = await against(cut, answer(200, {}), cut, answer(200, {}));
  await client.approvePayout({ path: { payoutId: 'pay_1' } });
  await client.createPayoutsInBulk({
    body: { payouts: [{ ...payoutBody, idempotency_key: 'row' }] },
  });
  expect(seen).toHaveLength(4);
  expect(JSON.parse(seen[0]?.body ?? '').decision_id).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
  expect(seen[1]?.body).toBe(seen[0]?.body);
});

describe('a write without a key', () => {
  const write = ({ client }: Answering) =>
    client.registerWebhookSubscription({
      body: { url: 'https://example.com', enabled_events: ['payout.settled'] },
    });

  test.each(away)(
    'is not sent again after %s: it may have taken effect',
    async (_what, handler) => {
      const answers = await against(handler, answer(201, {}));
      await expect(write(answers)).rejects.toThrow();
      expect(answers.seen).toHaveLength(1);
    },
  );

  test('is sent again after 429, which comes before any work', async () => {
    const answers = await against(
      refusal(429, 'RATE_LIMITED', { 'Retry-After': '0' }),
      answer(201),
    );
    await write(answers);
    expect(answers.seen).toHaveLength(2);
  });

  test('is not sent again after a conflict, since the resource is another now', async () => {
    const answers = await against(refusal(409, 'conflict'), answer(201));
    await expect(write(answers)).rejects.toMatchObject({ status: 409, code: 'conflict' });
    expect(answers.seen).toHaveLength(1);
  });
});

test.each(away)('a read is sent again after %s', async (_what, handler) => {
  const { client, seen } = await against(handler, answer(200, { payouts: [], next_cursor: null }));
  expect(await client.listPayouts()).toEqual({ payouts: [], next_cursor: null });
  expect(seen).toHaveLength(2);
});

describe('the bounds', () => {
  test('gives up after its retries', async () => {
    const again = refusal(503, 'service_unavailable', { 'Retry-After': '0' });
    const { client, seen } = await within({ maxRetries: 2 }, again);
    await expect(client.listPayouts()).rejects.toMatchObject({ status: 503, attempts: 3 });
    expect(seen).toHaveLength(3);
  });

  test('gives up at once where Retry-After leads past its time', async () => {
    const hour = refusal(429, 'REGISTRATION_RATE_LIMITED', { 'Retry-After': '3600' });
    const { client, seen } = await against(hour);
    await expect(client.listPayouts()).rejects.toMatchObject({ retryAfterSeconds: 3_600 });
    expect(seen).toHaveLength(1);
  });

  test('ends an attempt that takes too long, and sends a read again', async () => {
    const { client, seen } = await within(
      { timeoutMs: 200 },
      silence,
      answer(200, { payouts: [] }),
    );
    await client.listPayouts();
    expect(seen.length).toBeGreaterThan(1);
    const { client: other } = await within({ timeoutMs: 200, maxRetries: 0 }, silence);
    await expect(other.listPayouts()).rejects.toMatchObject({ timedOut: true, attempts: 1 });
  });

  test('waits without an end where it is asked to', async () => {
    const month = refusal(503, 'service_unavailable', { 'Retry-After': '2592000' });
    const { client, seen } = await within({ timeoutMs: Infinity, retryForMs: Infinity }, month);
    const abort = new AbortController();
    const call = client.listPayouts({}, { signal: abort.signal });
    await expect.poll(() => seen.length).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 100));
    abort.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    expect(seen).toHaveLength(1);
  });

  test.each([
    ['before the first attempt', answer(200)],
    ['while it waits for an answer', silence],
    ['while it waits for the next attempt', refusal(503, 'x', { 'Retry-After': '30' })],
  ])('ends with the reason of its signal %s', async (when, handler) => {
    const abort = new AbortController();
    const { client, seen } = await within({ signal: abort.signal }, (response) => {
      handler(response);
      abort.abort(new Error('no longer needed'));
    });
    if (when === 'before the first attempt') abort.abort(new Error('no longer needed'));
    await expect(client.listPayouts()).rejects.toThrow('no longer needed');
    expect(seen.length).toBeLessThan(2);
  });

  test('takes a signal for one call beside that of the client', async () => {
    const { client } = await within({ signal: new AbortController().signal }, silence);
    const signal = AbortSignal.abort(new Error('this one'));
    await expect(client.listPayouts({}, { signal })).rejects.toThrow('this one');
  });
});

test.each([
  ['seconds', '7', 7_000],
  ['a date', new Date(Date.now() + 3_600_000).toUTCString(), 3_000_000],
])(
  'waits at least as long as Retry-After says in %s, a little more at random',
  (_how, value, least) => {
    const outcome = {
      kind: 'answer',
      status: 429,
      code: '',
      headers: new Headers({ 'Retry-After': value }),
    } as const;
    for (const random of [0, 0.5, 1]) {
      const wait = waitAfter(1, outcome, random);
      expect(wait).toBeGreaterThanOrEqual(least);
      expect(wait).toBeLessThan(least * 1.5);
    }
  },
);

test.each(['-5', '1.5', 'soon', ''])('takes Retry-After "%s" for none', (value) => {
  const headers = new Headers({ 'Retry-After': value });
  const outcome = { kind: 'answer', status: 429, code: '', headers } as const;
  expect(waitAfter(1, outcome, 1)).toBe(250);
});

test('doubles its wait without Retry-After, up to a bound, within half of it at random', () => {
  const waits = [1, 2, 3, 10].map((attempt) => waitAfter(attempt, { kind: 'none' }, 1));
  expect(waits).toEqual([250, 500, 1_000, 8_000]);
  expect(waitAfter(1, { kind: 'none' }, 0)).toBe(125);
});
