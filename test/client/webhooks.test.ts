import { Headers as UndiciHeaders } from 'undici';
import { expect, test } from 'vitest';
import { verifyWebhook, WebhookError, type WebhookDelivery } from '../../client/src/webhooks.ts';
import { sign } from '../../src/crypto/signature.ts';
import { standardHeaders, standardSecret } from '../../src/crypto/standard-webhooks.ts';

const secret = `whsec_sandbox_${'0123456789abcdef'.repeat(4)}`;
const now = 1_795_262_400;
const body = Buffer.from('{ "id": "evt_1", "type":"payout.settled", "data": {"amount": 10.00} }');
const own = { 'X-Service-Signature': sign(secret, now, body) };
const standard = standardHeaders(secret, 'evt_1', now, body);

const verify = (given: Partial<WebhookDelivery>) =>
  verifyWebhook({ body, headers: own, secret, now, ...given });

test.each([
  ['our header and our secret', own, secret],
  ['our header and the other spelling', own, standardSecret(secret)],
  ['the standard headers and our secret', standard, secret],
  ['the standard headers and their spelling', standard, standardSecret(secret)],
])('takes %s', async (_what, headers, key) => {
  expect(await verify({ headers, secret: key })).toMatchObject({ id: 'evt_1' });
});

test.each<[string, Partial<WebhookDelivery>]>([
  ['bytes of a larger buffer', { body: Buffer.concat([body, Buffer.of(0)]).subarray(0, -1) }],
  ['an ArrayBuffer', { body: Uint8Array.from(body).buffer }],
  ['text', { body: body.toString() }],
  ['Headers', { headers: new Headers(own) }],
  ['Headers of another library', { headers: new UndiciHeaders(own) as unknown as Headers }],
  [
    'lists of values, as Node may have them',
    { headers: { 'x-service-signature': Object.values(own) } },
  ],
  ['the new one of two secrets', { secret: ['whsec_sandbox_old', secret] }],
  ['300 seconds before', { now: now - 300 }],
  ['300 seconds after', { now: now + 300 }],
  ['an hour, if told so', { now: now + 3_600, toleranceSeconds: 3_600 }],
  [
    'one of several standard signatures',
    {
      headers: {
        ...standard,
        'webhook-signature': `v1a,x v1,${'A'.repeat(43)}= ${standard['webhook-signature'] ?? ''}`,
      },
    },
  ],
])('takes %s', async (_what, given) => {
  expect((await verify(given)).type).toBe('payout.settled');
});

test.each<[WebhookError['reason'], string, Partial<WebhookDelivery>]>([
  ['unsigned', 'no header', { headers: {} }],
  ['unsigned', 'half of the standard headers', { headers: { 'webhook-id': 'evt_1' } }],
  ['malformed', 'a header of another form', { headers: { 'X-Service-Signature': 'v1=00' } }],
  [
    'malformed',
    'a standard signature of another version',
    { headers: { ...standard, 'webhook-signature': 'v2,AA==' } },
  ],
  ['malformed', 'a time that is none', { headers: { ...standard, 'webhook-timestamp': 'now' } }],
  ['expired', 'an old signature', { now: now + 301 }],
  ['expired', 'a signature of the future', { now: now - 301 }],
  ['mismatch', 'another secret', { secret: 'whsec_sandbox_other' }],
  ['mismatch', 'another body', { body: `${String(body)} ` }],
  ['mismatch', 'another id', { headers: { ...standard, 'webhook-id': 'evt_2' } }],
  ['mismatch', 'another time', { headers: { ...standard, 'webhook-timestamp': String(now + 1) } }],
])('refuses as %s: %s', async (reason, _what, given) => {
  const thrown = await verify(given).catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(WebhookError);
  expect(thrown).toMatchObject({ reason });
});

test('refuses a signed body that is no event, and an empty secret', async () => {
  const signed = (text: string) => ({
    body: text,
    headers: { 'X-Service-Signature': sign(secret, now, Buffer.from(text)) },
  });
  for (const text of ['[]', 'null', '{', '{"id":"evt_1"}']) {
    await expect(verify(signed(text))).rejects.toMatchObject({ reason: 'not_an_event' });
  }
  await expect(verify({ secret: '' })).rejects.toThrow('The secret is empty.');
});
