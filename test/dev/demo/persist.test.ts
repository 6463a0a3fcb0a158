import { expect, test } from 'vitest';
import { persist } from '../../../dev/demo/persist.ts';
import { ApiError, ConnectionError } from '../../../client/src/errors.ts';
import { patience } from '../../support/patience.ts';

const lost = new ConnectionError('cut', {
  timedOut: false,
  idempotencyKey: null,
  attempts: 1,
  cause: null,
});
const refused = (status: number) =>
  new ApiError({ status, headers: new Headers(), error: null, idempotencyKey: null, attempts: 1 });

/** A write that fails so, one error an attempt, and then answers with the number of the attempt. */
function failing(...errors: readonly Error[]) {
  let attempts = 0;
  return async (): Promise<number> => {
    const error = errors[attempts];
    attempts += 1;
    if (error !== undefined) throw error;
    return attempts;
  };
}

const context = (retryMs = 60_000) => ({ retryMs, signal: patience() });

test('repeats a write whose outcome is unclear, and no other', async () => {
  expect(await persist(context(), failing(lost, refused(500), refused(503)))).toBe(4);
  await expect(persist(context(), failing(refused(409)))).rejects.toMatchObject({ status: 409 });
});

test('asks before each repetition whether the lost attempt took effect', async () => {
  let asked = 0;
  const found = await persist(context(), failing(lost, lost), async () => {
    asked += 1;
    return asked === 2 ? 77 : null;
  });
  expect([found, asked]).toEqual([77, 2]);
});

test('gives up when its time or its signal ends', async () => {
  const errors = Array<Error>(1_000).fill(lost);
  await expect(persist(context(150), failing(...errors))).rejects.toBe(lost);
  const signal = AbortSignal.abort(new Error('time is up'));
  await expect(persist({ retryMs: 60_000, signal }, failing(...errors))).rejects.toThrow();
});
