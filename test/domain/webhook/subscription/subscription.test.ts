import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { deleteSubscription } from '../../../../src/domain/webhook/subscription/delete.ts';
import { registerSubscription } from '../../../../src/domain/webhook/subscription/register.ts';
import { openSecret } from '../../../../src/domain/webhook/subscription/secret.ts';
import { updateSubscription } from '../../../../src/domain/webhook/subscription/update.ts';
import { DomainError } from '../../../../src/errors/domain-error.ts';
import type { Call } from '../../../../src/process/services.ts';
import { startDeliveryBench, type DeliveryBench } from '../delivery/deliver-support.ts';

let bench: DeliveryBench;
let call: Call;
const input = { url: 'https://localhost/hook', enabledEvents: ['payout.disbursed'] };

beforeAll(async () => {
  bench = await startDeliveryBench();
});

afterAll(() => bench.close());

beforeEach(async () => {
  call = await bench.makeCall();
});

function openStored(
  subscription: { id: string; secretCiphertext: Uint8Array },
  id = subscription.id,
) {
  const { keyring } = bench.services;
  return openSecret(keyring, call.scope, id, subscription.secretCiphertext);
}

test('the first registration creates, the next rotates the secret of the same subscription', async () => {
  const first = await registerSubscription(call, input);
  expect(first.created).toBe(true);
  expect(first.secret).toMatch(/^whsec_sandbox_[0-9a-f]{64}$/);
  expect(openStored(first.subscription)).toBe(first.secret);

  const second = await registerSubscription(call, {
    url: 'https://localhost/other',
    enabledEvents: ['payout.failed', 'payout.settled', 'payout.failed'],
  });
  expect(second.created).toBe(false);
  expect(second.secret).not.toBe(first.secret);
  expect(openStored(second.subscription)).toBe(second.secret);
  expect(second.subscription).toMatchObject({
    id: first.subscription.id,
    url: 'https://localhost/other',
    enabledEvents: ['payout.failed', 'payout.settled'],
    apiVersion: first.subscription.apiVersion,
    createdAt: first.subscription.createdAt,
  });
});

test('a secret does not open for another subscription', async () => {
  const { subscription } = await registerSubscription(call, input);
  expect(() => openStored(subscription, 'whs_00000000000000000000000000')).toThrow();
});

test('of racing registrations one creates, and the stored secret is one of those given out', async () => {
  const all = await Promise.all(Array.from({ length: 6 }, () => registerSubscription(call, input)));
  expect(all.filter((one) => one.created)).toHaveLength(1);
  expect(new Set(all.map((one) => one.subscription.id)).size).toBe(1);
  const stored = await updateSubscription(call, {});
  expect(all.map((one) => one.secret)).toContain(openStored(stored));
});

test('registrations and deletions that cross each other leave a secret that opens', async () => {
  const work = Array.from({ length: 8 }, (_, index) =>
    index % 2 === 0
      ? registerSubscription(call, input).then(() => null)
      : deleteSubscription(call).then(
          () => null,
          (error: unknown) => (error instanceof DomainError ? error.code : String(error)),
        ),
  );
  const outcomes = await Promise.all(work);
  expect(outcomes.every((code) => code === null || code === 'not_found')).toBe(true);
  const { subscription, secret } = await registerSubscription(call, input);
  expect(openStored(subscription)).toBe(secret);
});

test('an update changes what it names, and not the secret', async () => {
  const { subscription, secret } = await registerSubscription(call, input);
  const updated = await updateSubscription(call, { enabled: false });
  expect(updated).toMatchObject({ ...subscription, enabled: false, updatedAt: expect.any(Date) });
  const moved = await updateSubscription(call, { url: 'https://localhost/new' });
  expect(moved).toMatchObject({ url: 'https://localhost/new', enabled: false });
  expect(openStored(moved)).toBe(secret);
  const rotated = await registerSubscription(call, input);
  expect(rotated.subscription.enabled).toBe(false);
});

test('without a subscription there is nothing to update or delete', async () => {
  await expect(updateSubscription(call, { enabled: true })).rejects.toMatchObject({
    code: 'not_found',
  });
  await expect(deleteSubscription(call)).rejects.toMatchObject({ code: 'not_found' });
});

test.each([
  ['http://example.com/', 'https_required'],
  ['https://user:password@example.com/', 'credentials_not_allowed'],
  ['https://example.com/#part', 'fragment_not_allowed'],
  ['https://127.0.0.1/', 'target_not_public'],
  ['https://2130706433/', 'target_not_public'],
  ['https://[::ffff:10.0.0.1]/', 'target_not_public'],
  ['https://169.254.169.254/latest/meta-data', 'target_not_public'],
  ['https://intranet/', 'target_not_public'],
  ['nonsense', 'invalid_format'],
  [`https://localhost/${'a'.repeat(2_048)}`, 'too_long'],
])('the URL %s is refused as %s', async (url, code) => {
  const refused = {
    code: 'validation_failed',
    details: [expect.objectContaining({ field: 'url', code })],
  };
  await expect(registerSubscription(call, { ...input, url })).rejects.toMatchObject(refused);
  await registerSubscription(call, input);
  await expect(updateSubscription(call, { url })).rejects.toMatchObject(refused);
});

test.each([
  [[], 'enabledEvents', 'too_short'],
  [['payout.disbursed', 'payout.unheard'], 'enabledEvents[1]', 'invalid_value'],
  [['webhook.test'], 'enabledEvents[0]', 'invalid_value'],
])('the event types %j are refused', async (enabledEvents, field, code) => {
  await expect(registerSubscription(call, { ...input, enabledEvents })).rejects.toMatchObject({
    code: 'validation_failed',
    details: [expect.objectContaining({ field, code })],
  });
});

test('nothing of a subscription can be cleared', async () => {
  await registerSubscription(call, input);
  await expect(updateSubscription(call, { url: null })).rejects.toMatchObject({
    code: 'validation_failed',
  });
});
