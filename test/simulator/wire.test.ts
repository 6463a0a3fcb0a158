import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contentDigest } from '../../simulator/model.ts';
import { apiKey, errorCode, payoutBody, recipientBody, startWorld } from '../providers/support.ts';
import type { World } from '../providers/support.ts';

describe("the simulator's wire protocol", () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ stepDelayMs: 60_000 });
  });
  afterAll(() => world.close());

  it('is healthy without a key and closed without one elsewhere', async () => {
    const { url } = world.simulator;
    const health = await fetch(`${url}/healthz`);
    expect([health.status, await health.json()]).toEqual([200, { status: 'ok' }]);
    for (const authorization of ['', 'Bearer wrong', `Basic ${apiKey}`]) {
      const refused = await fetch(`${url}/control/ledger`, { headers: { authorization } });
      expect(refused.status).toBe(401);
    }
  });

  it('knows its paths and their methods', async () => {
    expect((await world.call('GET', '/nothing')).status).toBe(404);
    expect((await world.call('GET', '/payouts/po_nobody')).status).toBe(404);
    const wrong = await world.call('DELETE', '/payouts');
    expect(wrong.status).toBe(405);
    expect(wrong.headers.get('allow')).toBe('POST, GET');
  });

  it('refuses what is no JSON, not valid, too large or without a key', async () => {
    const post = async (body: string | Uint8Array<ArrayBuffer>, key = 'k') => {
      const response = await fetch(`${world.simulator.url}/payouts`, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}`, ...(key && { 'idempotency-key': key }) },
        body,
      });
      return [response.status, ((await response.json()) as { error: { code: string } }).error.code];
    };
    expect(await post('{"reference":')).toEqual([400, 'malformed_json']);
    expect(await post('')).toEqual([400, 'malformed_json']);
    expect(await post(new Uint8Array([0x22, 0xff, 0x22]))).toEqual([400, 'malformed_json']);
    expect(await post(' '.repeat(64 * 1024 + 1))).toEqual([413, 'body_too_large']);
    const valid = payoutBody('rcp_1', 'r');
    expect(await post(JSON.stringify(valid), '')).toEqual([400, 'idempotency_key_required']);
    for (const wrong of [
      { amount_minor: 0 },
      { amount_minor: 1.5 },
      { amount_minor: '1250' },
      { amount_minor: 9_007_199_254_740_992 },
      { currency: 'eur' },
      { reference: '' },
      { memo: 'unknown field' },
    ]) {
      expect(await post(JSON.stringify({ ...valid, ...wrong }))).toEqual([400, 'invalid_request']);
    }
  });

  it('never repeats the values of a body that it refuses', async () => {
    const body = { ...recipientBody('6789'), secret: 1 };
    const refused = await world.call('POST', '/recipients', body, 'k');
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).not.toContain('123456789');
  });

  it('enrolls once for a key', async () => {
    const body = recipientBody('1111');
    const first = await world.call('POST', '/recipients', body, 'enroll-1');
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({ reference: 'enr_1', status: 'active', currency: 'EUR' });
    expect(first.body.id).toMatch(/^rcp_/);
    const replay = await world.call('POST', '/recipients', body, 'enroll-1');
    expect([replay.status, replay.body]).toEqual([200, first.body]);
    const other = await world.call('POST', '/recipients', recipientBody('2222'), 'enroll-1');
    expect([other.status, errorCode(other)]).toEqual([409, 'idempotency_conflict']);
    const read = await world.call('GET', `/recipients/${String(first.body.id)}`);
    expect(read.body).toEqual(first.body);
  });

  it('takes a payout once for a key, and tells it by id and reference', async () => {
    const recipient = await world.recipient();
    const first = await world.payout(recipient, 'ref-1');
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({
      ...payoutBody(recipient, 'ref-1'),
      status: 'processing',
      rail_ref: null,
      failure: null,
    });
    const replay = await world.payout(recipient, 'ref-1');
    expect([replay.status, replay.body]).toEqual([200, first.body]);
    const other = await world.payout(recipient, 'ref-other', 'ref-1');
    expect([other.status, errorCode(other)]).toEqual([409, 'idempotency_conflict']);
    expect((await world.call('GET', `/payouts/${String(first.body.id)}`)).body).toEqual(first.body);
    const found = await world.call('GET', '/payouts?reference=ref-1');
    expect(found.body).toEqual({ data: [first.body] });
    expect((await world.call('GET', '/payouts?reference=none')).body).toEqual({ data: [] });
    expect((await world.call('GET', '/payouts')).status).toBe(400);
  });

  it('takes racing submissions with one key once', async () => {
    const recipient = await world.recipient();
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => world.payout(recipient, 'race')),
    );
    const created = replies.filter(({ status }) => status === 201);
    const replayed = replies.filter(({ status }) => status === 200);
    expect([created.length, replayed.length]).toEqual([1, 19]);
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1);
  });

  it('pays again under another key: the mistake that a caller must not make', async () => {
    const recipient = await world.recipient('4242');
    await world.payout(recipient, 'twice', 'key-a');
    expect((await world.payout(recipient, 'twice', 'key-b')).status).toBe(201);
    const lines = (await world.ledger()).filter((line) => line.reference === 'twice');
    expect(lines).toMatchObject([{ idempotency_key: 'key-a' }, { idempotency_key: 'key-b' }]);
    for (const line of lines) {
      expect(line).toMatchObject({
        recipient_id: recipient,
        amount_minor: 1250,
        currency: 'EUR',
        destination_last4: '4242',
        destination_sha256: contentDigest(recipientBody('4242').destination),
      });
    }
  });

  it('refuses definitely, and leaves the key free', async () => {
    const recipient = await world.recipient();
    const unknown = await world.payout('rcp_nobody', 'free');
    expect([unknown.status, errorCode(unknown)]).toEqual([422, 'recipient_unknown']);
    const body = { ...payoutBody(recipient, 'free'), currency: 'USD' };
    const currency = await world.call('POST', '/payouts', body, 'free');
    expect([currency.status, errorCode(currency)]).toEqual([422, 'currency_mismatch']);
    expect((await world.payout(recipient, 'free')).status).toBe(201);
  });
});

describe("the simulator's key window", () => {
  it('forgets a key when the window ends, and pays again', async () => {
    const world = await startWorld({ keyWindowMs: 0 });
    try {
      const recipient = await world.recipient();
      expect((await world.payout(recipient, 'r')).status).toBe(201);
      expect((await world.payout(recipient, 'r')).status).toBe(201);
      expect(await world.ledger()).toHaveLength(2);
    } finally {
      await world.close();
    }
  });
});
