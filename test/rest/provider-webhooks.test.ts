import { afterAll, beforeAll, expect, it } from 'vitest';
import { sign } from '../../src/crypto/signature.ts';
import { makeReference } from '../../src/providers/reference.ts';
import { newId } from '../../src/values/ids.ts';
import { startHarness, type Harness } from '../support/harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ worker: false });
});
afterAll(() => harness.close());

const event = (id: string) => ({
  id,
  type: 'payout.settled',
  occurred_at: '2026-11-21T10:00:00.000Z',
  data: {
    payout_id: 'po_1',
    reference: makeReference(newId('tenant'), newId('disbursementAttempt')),
    amount_minor: 1_250,
    currency: 'EUR',
    rail_ref: null,
    expected_delivery_date: null,
    failure: null,
  },
});

async function post(content: object, secret?: string): Promise<number> {
  const body = JSON.stringify(content);
  const key = secret ?? harness.services.config.SIMULATOR_WEBHOOK_SECRET;
  const signature = sign(key, Math.floor(Date.now() / 1_000), Buffer.from(body));
  const answer = await harness.rest('POST', '/provider-webhooks/simulator', {
    body,
    headers: { 'X-Service-Signature': signature },
  });
  return answer.status;
}

async function stored(prefix: string): Promise<string[]> {
  const { rows } = await harness.database.pool.query<{ event_id: string }>(
    `SELECT event_id FROM provider_event WHERE starts_with(event_id, $1) ORDER BY event_id`,
    [prefix],
  );
  return rows.map(({ event_id }) => event_id);
}

it('stores each event of a body once, also those that are known or named twice', async () => {
  const [first, second, third] = ['all_1', 'all_2', 'all_3'].map(event);
  expect(await post(event('all_2'))).toBe(200);
  const events = [first, second, third, third];
  expect(await Promise.all([post({ events }), post({ events })])).toEqual([200, 200]);
  expect(await stored('all_')).toEqual(['all_1', 'all_2', 'all_3']);
});

it('stores none of a body in which one is refused, or whose signature is wrong', async () => {
  expect(await post({ events: [event('no_1'), { ...event('no_2'), type: 'payout.lost' }] })).toBe(
    400,
  );
  expect(await post({ events: [event('no_1')] }, 'whsec_of_somebody_else')).toBe(401);
  expect(await stored('no_')).toEqual([]);
});
