import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeChallenge } from '../../../src/access/passkey/challenge.ts';
import { deleteExpired } from '../../../src/domain/retention/delete-expired.ts';
import { newId } from '../../../src/values/ids.ts';
import { newAddress } from '../../support/beneficiaries.ts';
import { makePayee, makeTenant, payoutBody, type TestTenant } from '../../support/factory.ts';
import { proofToken } from '../../support/registration-proof.ts';
import { holderOf, linkToken, sessionOf } from '../../support/sessions.ts';
import { useHarness } from '../../support/use-harness.ts';

let tenant: TestTenant;
const harness = useHarness({
  worker: false,
  env: { JOB_HISTORY_DAYS: '14', PROVIDER_EVENT_DAYS: '90' },
});
beforeEach(async () => {
  tenant = await makeTenant(harness);
});

const query = async (text: string, values: unknown[] = []) =>
  (await harness.database.pool.query(text, values)).rows;
const count = async (table: string, condition = 'true') =>
  (await query(`SELECT count(*)::integer AS n FROM ${table} WHERE ${condition}`))[0].n;

describe('idempotency records', () => {
  it('are deleted an hour after their 24 hours, and not before', async () => {
    const payee = await makePayee(harness, tenant.key);
    const body = payoutBody(payee);
    const create = () => harness.rest('POST', '/v1/payouts', { key: tenant.key, body });
    const first = await create();
    expect(first.status).toBe(201);
    const aged = (age: string) =>
      query(
        `UPDATE payout_idempotency SET created_at = now() - $2::interval WHERE idempotency_key = $1`,
        [body.idempotency_key, age],
      );
    for (const age of ['1 minute', '23 hours 59 minutes']) {
      await aged(age);
      await deleteExpired(harness.services);
      const replay = await create();
      expect([replay.status, replay.body.payout.id]).toEqual([200, first.body.payout.id]);
    }
    await aged('24 hours 30 minutes');
    await deleteExpired(harness.services);
    expect(await count('payout_idempotency'), 'free, and not deleted yet').toBe(1);
    await aged('25 hours 1 minute');
    await deleteExpired(harness.services);
    expect(await count('payout_idempotency')).toBe(0);
    expect(await count('payout', `id = '${first.body.payout.id}'`)).toBe(1);
    expect((await create()).status).toBe(201);
  });

  it('are found on every page of a table that is large', async () => {
    await query(
      `INSERT INTO payout_idempotency (tenant_id, idempotency_key, payout_id, request_hash, created_at)
       SELECT $1, n || $2, 'pay_' || n, '\\x00', now() - (n % 50) * interval '1 hour'
       FROM generate_series(1, 30000) AS n`,
      [tenant.tenantId, randomUUID()],
    );
    const old = await count('payout_idempotency', `created_at < now() - interval '25 hours'`);
    expect(old).toBeGreaterThan(10_000);
    const young = (await count('payout_idempotency')) - old;
    await deleteExpired(harness.services);
    expect(await count('payout_idempotency')).toBe(young);
    expect(await count('payout_idempotency', `created_at < now() - interval '25 hours'`)).toBe(0);
  });

  it('that a create has locked are left for the next run', async () => {
    const key = randomUUID();
    await query(
      `INSERT INTO payout_idempotency (tenant_id, idempotency_key, payout_id, request_hash, created_at)
       VALUES ($1, $2, 'pay_x', '\\x00', now() - interval '2 days')`,
      [tenant.tenantId, key],
    );
    const client = await harness.database.pool.connect();
    await client.query('BEGIN');
    await client.query(
      'UPDATE payout_idempotency SET created_at = now() WHERE idempotency_key = $1',
      [key],
    );
    await deleteExpired(harness.services); // would wait for ever
    await client.query('COMMIT');
    client.release();
    await deleteExpired(harness.services);
    expect(await count('payout_idempotency', `idempotency_key = '${key}'`)).toBe(1);
  });
});

it('deletes the history of jobs after its days, in as many batches as it takes', async () => {
  await query(
    `INSERT INTO job_run (job_id, task, attempt, max_attempts, outcome, run_at, started_at, ended_at)
     SELECT n, 'test', 1, 1, 'succeeded', now(), now(), now() - n * interval '2 minutes'
     FROM generate_series(1, 24000) AS n`,
  );
  await Promise.all([deleteExpired(harness.services), deleteExpired(harness.services)]);
  await deleteExpired(harness.services);
  const left = await count('job_run', `task = 'test'`);
  expect(left).toBe(
    await count('job_run', `ended_at > now() - interval '14 days' AND task = 'test'`),
  );
  expect(left).toBeGreaterThan(10_000);
});

it('deletes closed events of providers, and never one that waits to be applied', async () => {
  const add = (status: string, age: string) =>
    query(
      `INSERT INTO provider_event (provider, event_id, event, status, received_at)
       VALUES ('simulator', $1, '{}', $2, now() - $3::interval)`,
      [`${status} ${age}`, status, age],
    );
  for (const status of ['received', 'applied', 'ignored', 'unmatched']) {
    await add(status, '89 days');
    await add(status, '91 days');
  }
  await deleteExpired(harness.services);
  const left = await query('SELECT event_id FROM provider_event ORDER BY 1');
  expect(left.map(({ event_id }) => event_id)).toEqual([
    'applied 89 days',
    'ignored 89 days',
    'received 89 days',
    'received 91 days',
    'unmatched 89 days',
  ]);
});

describe('files of exports', () => {
  async function addExport(expired: string, chunks: number): Promise<string> {
    const id = newId('export');
    await query(
      `INSERT INTO export (tenant_id, id, kind, filename, status, generation, byte_count, requested_by, expires_at)
       VALUES ($1, $2, 'transactions', 'x.csv', 'completed', 2, $4, '{}', now() - $3::interval)`,
      [tenant.tenantId, id, expired, chunks],
    );
    await query(
      `INSERT INTO export_chunk (tenant_id, export_id, generation, seq, content)
       SELECT $1, $2, 2, n, 'x' FROM generate_series(0, $3::integer - 1) AS n`,
      [tenant.tenantId, id, chunks],
    );
    return id;
  }

  it('are deleted an hour after they expired, with all pieces; the export stays as a record', async () => {
    const gone = await addExport('61 minutes', 450);
    const ending = await addExport('59 minutes', 3);
    const living = await addExport('-1 hour', 3);
    await deleteExpired(harness.services);
    const pieces = await query(
      'SELECT export_id, count(*)::integer AS n FROM export_chunk GROUP BY 1 ORDER BY 1',
    );
    expect(pieces).toEqual([
      { export_id: ending, n: 3 },
      { export_id: living, n: 3 },
    ]);
    const statuses = await query('SELECT id, status FROM export ORDER BY id');
    expect(statuses).toEqual([
      { id: gone, status: 'expired' },
      { id: ending, status: 'completed' },
      { id: living, status: 'completed' },
    ]);
    const answer = await harness.rest('GET', `/v1/exports/${gone}`, { key: tenant.key });
    expect([answer.status, answer.body.error.code]).toEqual([410, 'EXPORT_EXPIRED']);
  });
});

describe('what proves a registration', () => {
  it('goes a day after its time, with its links', async () => {
    const email = newAddress();
    const made = await harness.rest('POST', '/v1/registration', {
      body: { email, company_name: 'Engines' },
    });
    expect(made.status).toBe(201);
    expect(await proofToken(harness, email)).not.toBeNull();
    const age = (hours: number) =>
      query(`UPDATE registration_proof SET expires_at = now() - interval '${hours} hours'`);
    await age(23);
    await deleteExpired(harness.services);
    expect([await count('registration_proof'), await count('registration_link')]).toEqual([1, 1]);
    await age(25);
    await deleteExpired(harness.services);
    expect([await count('registration_proof'), await count('registration_link')]).toEqual([0, 0]);
  });
});

describe('what signing in leaves', () => {
  it('goes when its time is over: links after a day, sessions after their days, challenges at once', async () => {
    const person = await holderOf(harness, tenant.key);
    const old = await sessionOf(harness, person);
    const recent = await sessionOf(harness, person);
    await linkToken(harness, person);
    await makeChallenge(harness.services.pool, old.id);
    const age = (table: string, column: string, interval: string, condition = 'true') =>
      query(`UPDATE ${table} SET ${column} = now() - interval '${interval}' WHERE ${condition}`);
    await age('user_session', 'expires_at', '89 days');
    await age('sign_in_request', 'expires_at', '23 hours');
    await deleteExpired(harness.services);
    expect([await count('user_session'), await count('sign_in_link')]).toEqual([2, 1]);
    expect(await count('passkey_challenge')).toBe(1);
    await age('user_session', 'expires_at', '91 days', `id = '${old.id}'`);
    await age('sign_in_request', 'expires_at', '25 hours');
    await deleteExpired(harness.services);
    expect(await query('SELECT id FROM user_session')).toEqual([{ id: recent.id }]);
    expect([await count('sign_in_request'), await count('sign_in_link')]).toEqual([0, 0]);
    expect(await count('passkey_challenge')).toBe(0);
    await makeChallenge(harness.services.pool, recent.id);
    await age('passkey_challenge', 'expires_at', '1 second');
    await deleteExpired(harness.services);
    expect(await count('passkey_challenge')).toBe(0);
  });
});
