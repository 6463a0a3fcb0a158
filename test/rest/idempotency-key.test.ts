import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { routes } from '../../rest/routes/table.ts';
import { makePayee, makeTenant, payoutBody } from '../support/factory.ts';
import { useHarness, usePayee, useTenant } from '../support/use-harness.ts';
import { sessionsWait } from '../support/sessions-wait.ts';

const harness = useHarness({ worker: false });
const tenant = useTenant(harness);
const payee = usePayee(harness, tenant);

/** A body without its key, which the header then gives. */
function keyless(given: Record<string, unknown> = {}) {
  const { idempotency_key: _, ...body } = payoutBody(payee, given);
  return body;
}

const create = (body: unknown, header?: string, key = tenant.key, path = '/v1/payouts') =>
  harness.rest('POST', path, {
    key,
    body,
    headers: header === undefined ? {} : { 'Idempotency-Key': header },
  });

const payouts = async (): Promise<number> => {
  const { rows } = await harness.database.pool.query('SELECT count(*)::integer AS n FROM payout');
  return rows[0].n;
};

describe('the header Idempotency-Key', () => {
  it('gives the key, in quotes or without, and replays', async () => {
    const key = randomUUID();
    const body = keyless();
    const first = await create(body, `"${key}"`);
    expect([first.status, first.body.payout?.idempotency_key], first.text).toEqual([201, key]);
    const again = await create(body, key);
    expect([again.status, again.body.payout.id]).toEqual([200, first.body.payout.id]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  it('makes the same command as the field: the one replays the other', async () => {
    const key = randomUUID();
    const body = keyless();
    const withField = { ...body, idempotency_key: key };
    const first = await create(withField);
    const answers = [await create(body, `"${key}"`), await create(withField, `"${key}"`)];
    expect(answers.map((answer) => [answer.status, answer.body.payout.id])).toEqual(
      Array(2).fill([200, first.body.payout.id]),
    );
    const other = await create({ ...body, amount_minor: 1 }, key);
    expect([other.status, other.body.error.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
  });

  it('takes what the field takes: the spaces around it go, escapes are read, a dry run keeps none', async () => {
    const key = `in "quotes" ${randomUUID()}`;
    const body = keyless();
    const escaped = `"${key.replaceAll('"', '\\"')} "`;
    const first = await create(body, escaped);
    expect([first.status, first.body.payout?.idempotency_key]).toEqual([201, key]);
    expect((await create({ ...body, idempotency_key: ` ${key}` }, escaped)).status).toBe(200);
    const dry = await create({ ...body, dry_run: true }, randomUUID());
    expect(dry.status).toBe(200);
    expect(dry.body).toMatchObject({ payout: null, dry_run: true });
  });

  it('is refused where it differs from the field, and nothing is written', async () => {
    const before = await payouts();
    const answer = await create(payoutBody(payee), '"another"');
    expect([answer.status, answer.body.error.code]).toEqual([400, 'validation_failed']);
    expect(answer.body.error.details).toMatchObject([
      { field: 'idempotency_key', code: 'mismatch' },
    ]);
    expect(await payouts()).toBe(before);
  });

  it.each([
    ['empty', '', 'too_short'],
    ['an empty string', '""', 'too_short'],
    ['longer than 255 characters', 'k'.repeat(256), 'too_long'],
    ['without its second quote', '"key', 'invalid_format'],
    ['with more behind the string', '"key", "other"', 'invalid_format'],
    ['with an escape of another character', '"k\\ey"', 'invalid_format'],
    ['not ASCII', 'schlüssel', 'invalid_format'],
  ])('is refused when it is %s', async (_what, header, code) => {
    const before = await payouts();
    const answer = await create(keyless(), header);
    expect([answer.status, answer.body.error.code], answer.text).toEqual([
      400,
      'validation_failed',
    ]);
    expect(answer.body.error.details).toMatchObject([{ field: 'Idempotency-Key', code }]);
    expect(await payouts()).toBe(before);
  });

  it('is refused when it comes twice, which no reader would see in a joined value', async () => {
    const sent = request(`${harness.baseUrl}/v1/payouts`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${tenant.key}`,
        'content-type': 'application/json',
        'idempotency-key': ['one', 'two'],
      },
    });
    sent.end(JSON.stringify(keyless()));
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const { error } = (await json(answer)) as { error: { details: unknown } };
    expect(answer.statusCode).toBe(400);
    expect(error.details).toMatchObject([{ field: 'Idempotency-Key', code: 'duplicate' }]);
  });

  it('leaves a malformed field and a body that is no object to the contract', async () => {
    const field = await create({ ...keyless(), idempotency_key: null }, 'key');
    expect(field.body.error.details).toMatchObject([{ field: 'idempotency_key' }]);
    const list = await create([], 'key');
    expect([list.status, list.body.error.code]).toEqual([400, 'validation_failed']);
    const none = await create(keyless());
    expect(none.body.error.details).toMatchObject([{ field: 'idempotency_key', code: 'required' }]);
  });

  it('keeps the keys of tenants apart', async () => {
    const other = await makeTenant(harness);
    const theirs = payoutBody(await makePayee(harness, other.key));
    const mine = await create(keyless(), theirs.idempotency_key);
    const answer = await create(theirs, theirs.idempotency_key, other.key);
    expect([mine.status, answer.status]).toEqual([201, 201]);
    expect(answer.body.payout.id).not.toBe(mine.body.payout.id);
  });

  it('makes one payout of header and field at once, the first of them not yet committed', async () => {
    const key = randomUUID();
    const body = keyless();
    const earlier = await create(payoutBody(payee));
    const client = await harness.database.pool.connect();
    try {
      await client.query('BEGIN');
      // Holds the key as a create does that has not committed; both callers then wait for it.
      await client.query(
        `INSERT INTO payout_idempotency (tenant_id, idempotency_key, payout_id, request_hash, created_at)
         SELECT tenant_id, $1, id, '\\x00', now() FROM payout WHERE id = $2`,
        [key, earlier.body.payout.id],
      );
      const both = [create(body, `"${key}"`), create({ ...body, idempotency_key: key })];
      await sessionsWait(harness.database.pool, 2);
      await client.query('ROLLBACK');
      const answers = await Promise.all(both);
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 201]);
      expect(answers[0]?.body.payout.id).toBe(answers[1]?.body.payout.id);
    } finally {
      client.release();
    }
  });

  it('is refused on a bulk, whose rows have their own', async () => {
    const before = await payouts();
    const rows = { payouts: [payoutBody(payee)] };
    const answer = await create(rows, '"key"', tenant.key, '/v1/payouts/bulk');
    expect([answer.status, answer.body.error.code]).toEqual([400, 'validation_failed']);
    expect(answer.body.error.details).toMatchObject([
      { field: 'Idempotency-Key', code: 'not_applicable' },
    ]);
    expect(await payouts()).toBe(before);
  });
});

it('is taken wherever a body has an idempotency_key', () => {
  const keyed = routes.filter(
    ({ body }) => body !== undefined && 'shape' in body && 'idempotency_key' in Object(body.shape),
  );
  expect(keyed.map(({ operationId }) => operationId)).toContain('createPayout');
  for (const row of keyed) expect(row.idempotencyKey, row.operationId).toBe('of_body');
});
