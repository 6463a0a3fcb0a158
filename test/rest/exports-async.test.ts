import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../src/values/ids.ts';
import { eventually, makeTenant, type TestTenant } from '../support/factory.ts';
import type { RestAnswer } from '../support/harness.ts';
import { seedLedger } from '../support/ledger.ts';
import { useHarness } from '../support/use-harness.ts';

const transactions = '/v1/reporting/transactions/export';
const beneficiaries = '/v1/beneficiaries/export';
const prefer = { prefer: 'respond-async' };
let tenant: TestTenant;
const harness = useHarness({ env: { WORKER_HEARTBEAT_MS: '100', EXPORT_LIVE_LIMIT: '3' } });
beforeEach(async () => {
  tenant = await makeTenant(harness);
});

const get = (path: string, headers: Record<string, string> = {}, key = tenant.key) =>
  harness.rest('GET', path, { key, headers });

async function order(path = transactions): Promise<string> {
  const answer = await get(path, prefer);
  expect(answer.status).toBe(202);
  return answer.body.export.id;
}

/** Waits until the file is there, and downloads it. */
async function finished(id: string, key = tenant.key): Promise<RestAnswer> {
  return eventually(async () => {
    const answer = await get(`/v1/exports/${id}`, {}, key);
    return answer.status === 202 ? null : answer;
  });
}

const set = (id: string, assignment: string) =>
  harness.database.pool.query(`UPDATE export SET ${assignment} WHERE id = $1`, [id]);

/** What workers of every process leave alone from the next beat on. */
async function paused(work: () => Promise<void>): Promise<void> {
  const { pool } = harness.database;
  const beats = async () => {
    const { rows } = await pool.query<{ at: string }>(
      'SELECT beat_at::text AS at FROM worker_heartbeat',
    );
    return rows[0]?.at;
  };
  await pool.query(
    `INSERT INTO paused_task (task, paused_by, reason) VALUES ('write_export', 'me', 'test')`,
  );
  const first = await beats();
  const second = await eventually(async () => ((await beats()) === first ? null : beats()));
  await eventually(async () => (await beats()) !== second);
  try {
    await work();
  } finally {
    await pool.query('DELETE FROM paused_task');
  }
}

describe('Prefer: respond-async', () => {
  it('answers 202 with the export and its place; the file is the one that is streamed', async () => {
    await seedLedger(harness.database.pool, tenant.tenantId, { count: 500 });
    const answer = await get(`${transactions}?state=settled&created_since=2026-01-01T00:00:00Z`, {
      prefer: 'wait=5, Respond-Async; foo=bar',
    });
    expect(answer.status).toBe(202);
    const { export: ordered } = answer.body;
    expect(ordered).toMatchObject({
      kind: 'transactions',
      status: 'pending',
      filter: {
        beneficiary_id: null,
        state: ['settled'],
        created_since: '2026-01-01T00:00:00Z',
        created_before: null,
      },
      row_count: 0,
      byte_count: 0,
      schedule_id: null,
      failure_message: null,
      expires_at: null,
    });
    expect(ordered.id).toMatch(/^exp_/);
    expect(answer.headers.get('location')).toBe(`/v1/exports/${ordered.id}`);
    expect(answer.headers.get('preference-applied')).toBe('respond-async');

    const file = await finished(ordered.id);
    expect(file.status).toBe(200);
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(file.headers.get('content-disposition')).toBe(
      `attachment; filename="${ordered.filename}"`,
    );
    expect(file.headers.get('content-length')).toBe(String(Buffer.byteLength(file.text)));
    const streamed = await get(`${transactions}?state=settled`);
    expect(file.text).toBe(streamed.text);
    expect(file.text.split('\r\n')).toHaveLength(452);

    const { body } = await get('/v1/exports');
    expect(body.exports).toHaveLength(1);
    const [listed] = body.exports;
    expect(listed).toMatchObject({ id: ordered.id, status: 'completed', row_count: 450 });
    expect(listed.byte_count).toBe(Buffer.byteLength(file.text));
    const lifetime = Date.parse(listed.expires_at) - Date.parse(listed.completed_at);
    expect(lifetime).toBe(24 * 3_600_000);
  });

  it('writes the address book too', async () => {
    await seedLedger(harness.database.pool, tenant.tenantId, { count: 1 });
    const file = await finished(await order(beneficiaries));
    expect(file.text).toBe((await get(beneficiaries)).text);
    expect(file.text).toContain('Ada Lovelace');
  });

  it('cuts a large file into pieces and loses no byte, whatever its characters', async () => {
    const name = 'Zoë 💸 "quoted"\nline '.repeat(200);
    await seedLedger(harness.database.pool, tenant.tenantId, { count: 1_500, name });
    const file = await finished(await order());
    const bytes = Buffer.byteLength(file.text);
    expect(bytes).toBeGreaterThan(5 * 1_048_576);
    expect(file.text).toBe((await get(transactions)).text);
    const { rows } = await harness.database.pool.query<{ length: number }>(
      `SELECT octet_length(content) AS length FROM export_chunk WHERE tenant_id = $1 ORDER BY seq`,
      [tenant.tenantId],
    );
    expect(new Set(rows.slice(0, -1).map(({ length }) => length))).toEqual(new Set([1_048_576]));
    expect(rows.reduce((sum, { length }) => sum + length, 0)).toBe(bytes);
  });

  it('is not taken for asked by other preferences, a HEAD, or what stands in quotes', async () => {
    for (const other of ['return=minimal', 'wait=10', 'x="a, respond-async"', 'respond-async2']) {
      expect((await get(transactions, { prefer: other })).status).toBe(200);
    }
    const head = await harness.rest('HEAD', transactions, { key: tenant.key, headers: prefer });
    expect(head.status).toBe(200);
    expect((await get('/v1/exports')).body.exports).toEqual([]);
  });

  it('refuses what the streamed export refuses, and orders nothing', async () => {
    const answer = await get(`${transactions}?state=paid`, prefer);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'validation_failed']);
    expect((await get('/v1/exports')).body.exports).toEqual([]);
  });

  it('lets no more than EXPORT_LIVE_LIMIT of a tenant be under way, however many ask at once', async () => {
    const other = await makeTenant(harness);
    await paused(async () => {
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, n) =>
          get(n % 2 === 0 ? transactions : beneficiaries, prefer),
        ),
      );
      const codes = answers.map(({ status }) => status);
      expect(codes.filter((status) => status === 202)).toHaveLength(3);
      expect(codes.filter((status) => status === 429)).toHaveLength(9);
      const refused = answers.find(({ status }) => status === 429);
      expect(refused?.body.error.code).toBe('too_many_requests');
      expect(refused?.headers.get('retry-after')).toBe('10');
      expect((await get(transactions, prefer, other.key)).status).toBe(202);
    });
    await eventually(async () => (await get(transactions, prefer)).status === 202);
  });
});

describe('GET /v1/exports/{id}', () => {
  it('answers 202 with the progress until the file is there', async () => {
    await paused(async () => {
      const id = await order();
      const waiting = await get(`/v1/exports/${id}`);
      expect(waiting.status).toBe(202);
      expect(waiting.headers.get('retry-after')).toBe('2');
      expect(waiting.body.export).toMatchObject({ id, status: 'pending', row_count: 0 });
      await set(id, `status = 'running', row_count = 17, byte_count = 1048576`);
      const running = await get(`/v1/exports/${id}`);
      expect(running.body.export).toMatchObject({
        status: 'running',
        row_count: 17,
        byte_count: 1_048_576,
      });
    });
  });

  it('sends a part of the file, so that a download can go on', async () => {
    await seedLedger(harness.database.pool, tenant.tenantId, {
      count: 6_000,
      name: 'n'.repeat(300),
    });
    const id = await order();
    const { text: whole, headers } = await finished(id);
    const size = whole.length;
    expect(size).toBeGreaterThan(2 * 1_048_576);
    const etag = headers.get('etag') ?? '';
    expect(headers.get('accept-ranges')).toBe('bytes');
    const part = async (range: string, more: Record<string, string> = {}) => {
      const answer = await get(`/v1/exports/${id}`, { range, ...more });
      return [answer.status, answer.headers.get('content-range'), answer.text] as const;
    };
    const over = 1_048_570; // across the border of two pieces
    expect(await part(`bytes=${over}-${over + 99}`)).toEqual([
      206,
      `bytes ${over}-${over + 99}/${size}`,
      whole.slice(over, over + 100),
    ]);
    expect(await part(`bytes=${over}-`)).toEqual([
      206,
      `bytes ${over}-${size - 1}/${size}`,
      whole.slice(over),
    ]);
    expect((await part('bytes=-10'))[2]).toBe(whole.slice(-10));
    expect((await part(`bytes=5-${size + 5}`))[2]).toBe(whole.slice(5));
    expect((await part('bytes=5-', { 'if-range': etag }))[0]).toBe(206);
    for (const ignored of ['bytes=0-1,4-5', 'rows=1-2', 'bytes=9-3', 'bytes=-']) {
      expect(await part(ignored)).toEqual([200, null, whole]);
    }
    expect((await part('bytes=5-', { 'if-range': '"another"' }))[0]).toBe(200);
    const beyond = await get(`/v1/exports/${id}`, { range: `bytes=${size}-` });
    expect([beyond.status, beyond.body.error.code]).toEqual([416, 'bad_request']);
    expect(beyond.headers.get('content-range')).toBe(`bytes */${size}`);
    const head = await harness.rest('HEAD', `/v1/exports/${id}`, { key: tenant.key });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(size)]);
  });

  it('is 304 for who names the version that there is', async () => {
    const id = await order();
    const etag = (await finished(id)).headers.get('etag') ?? '';
    const asked = async (condition: string, range = 'bytes=0-3') => {
      const answer = await get(`/v1/exports/${id}`, { 'if-none-match': condition, range });
      return [answer.status, answer.headers.get('etag')] as const;
    };
    for (const known of [etag, `W/${etag}`, `"another", ${etag}`, '*']) {
      expect(await asked(known)).toEqual([304, etag]);
    }
    expect(await asked('"another"')).toEqual([206, etag]);
  });

  it('is 410 when its time is over, and 422 with the reason when it failed', async () => {
    const id = await order();
    await finished(id);
    await set(id, `expires_at = now() - interval '1 second'`);
    const expired = await get(`/v1/exports/${id}`);
    expect([expired.status, expired.body.error.code]).toEqual([410, 'EXPORT_EXPIRED']);
    expect((await get('/v1/exports')).body.exports[0].status).toBe('expired');
    await set(id, `status = 'failed', error = 'a test said so'`);
    const failed = await get(`/v1/exports/${id}`);
    expect([failed.status, failed.body.error.code]).toEqual([422, 'EXPORT_FAILED']);
    expect(failed.body.error.message).toBe('The export failed: a test said so.');
  });

  it('is for its tenant alone: others, and who asks for an unknown one, get the same 404', async () => {
    const id = await order();
    await finished(id);
    const stranger = await makeTenant(harness);
    const production = await makeTenant(harness, { environment: 'production' });
    const seen = async (key: string, of: string) => {
      const { status, body } = await get(`/v1/exports/${of}`, {}, key);
      const { code, message } = body.error;
      return { status, code, message };
    };
    const unknown = await seen(stranger.key, newId('export'));
    expect(unknown).toMatchObject({ status: 404, code: 'not_found' });
    expect(await seen(stranger.key, id)).toEqual(unknown);
    expect(await seen(production.key, id)).toEqual(unknown);
    expect(await seen(stranger.key, 'nonsense')).toEqual(unknown);
    expect(await seen(stranger.key, newId('payout'))).toEqual(unknown);
    expect((await get('/v1/exports', {}, stranger.key)).body.exports).toEqual([]);
  });

  it('is for every role, in production too, and for nobody without a key', async () => {
    const production = await makeTenant(harness, { environment: 'production' });
    for (const { keyWithRole } of [tenant, production]) {
      for (const role of ['viewer', 'preparer', 'approver', 'developer'] as const) {
        const key = await keyWithRole(role);
        const { body } = await eventually(async () => {
          const answer = await get(transactions, prefer, key);
          return answer.status === 202 ? answer : null;
        });
        expect((await finished(body.export.id, key)).status).toBe(200);
      }
    }
    const refused = await harness.rest('GET', `/v1/exports/${newId('export')}`);
    expect([refused.status, refused.body.error.code]).toEqual([401, 'unauthorized']);
  });
});

describe('GET /v1/exports', () => {
  it('lists newest first, page by page, by kind and by whether a schedule made it', async () => {
    const ids: string[] = [];
    for (const path of [transactions, beneficiaries, transactions]) {
      ids.unshift(await order(path));
      await finished(ids[0] ?? '');
    }
    const list = async (query: string) => (await get(`/v1/exports?${query}`)).body;
    const names = (body: { exports: { id: string }[] }) => body.exports.map(({ id }) => id);
    const first = await list('limit=2');
    expect(names(first)).toEqual(ids.slice(0, 2));
    const second = await list(`limit=2&cursor=${first.next_cursor}`);
    expect([names(second), second.next_cursor]).toEqual([ids.slice(2), null]);
    expect(names(await list('kind=beneficiaries'))).toEqual([ids[1]]);
    expect(names(await list('recurring=true'))).toEqual([]);
    expect(names(await list('recurring=false'))).toEqual(ids);
    const refused = await get('/v1/exports?recurring=maybe');
    expect(refused.body.error.details).toMatchObject([{ field: 'recurring' }]);
  });
});

describe('exports over GraphQL', () => {
  const create = `mutation ($input: ExportCreateInput!) {
    exportCreate(input: $input) { id kind status filter { state } rowCount }
  }`;

  it('orders one, shows its progress and lists it', async () => {
    const input = { kind: 'transactions', filter: { state: ['settled'] } };
    const { body } = await harness.graphql(tenant.key, create, { input });
    const { id } = body.data.exportCreate;
    expect(body.data.exportCreate).toMatchObject({
      kind: 'transactions',
      filter: { state: ['settled'] },
    });
    await finished(id);
    const query = `query ($id: ID!) {
      export(id: $id) { status rowCount byteCount scheduleId }
      node(id: $id) { __typename id }
      exports(first: 1) { edges { node { id status } } pageInfo { hasNextPage } }
    }`;
    const read = await harness.graphql(tenant.key, query, { id });
    expect(read.body.data.export).toMatchObject({
      status: 'completed',
      rowCount: 0,
      scheduleId: null,
    });
    expect(read.body.data.node).toEqual({ __typename: 'Export', id });
    expect(read.body.data.exports.edges).toEqual([{ node: { id, status: 'completed' } }]);
  });

  it('takes no filter for the address book, and no key of nobody', async () => {
    const input = { kind: 'beneficiaries', filter: { state: ['settled'] } };
    const { body } = await harness.graphql(tenant.key, create, { input });
    expect(body.errors[0].extensions).toMatchObject({
      code: 'validation_failed',
      details: [{ field: 'filter', code: 'unknown_field' }],
    });
    const refused = await harness.graphql(undefined, create, { input: { kind: 'beneficiaries' } });
    expect(refused.body.errors[0].extensions.code).toBe('unauthorized');
  });
});
