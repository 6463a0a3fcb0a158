import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { migrate } from '../../src/db/migrate.ts';
import { leadsToSharedSessions } from '../../src/db/own-session.ts';
import { createPool, inTransaction } from '../../src/db/pool.ts';
import { migrationsDir } from '../../src/db/ready.ts';
import { unavailable } from '../../src/db/unavailable.ts';
import { newUlid } from '../../src/values/ulid.ts';
import { fetchLedger } from '../../tools/verify/sources.ts';
import { verify } from '../../tools/verify/verify.ts';
import { testDatabase } from '../support/database.ts';
import {
  eventually,
  makePayee,
  makeTenant,
  payoutBody,
  type TestPayee,
} from '../support/factory.ts';
import { startHarness, type Harness } from '../support/harness.ts';
import { findPgBouncer, startPgBouncer, type PgBouncer } from './pgbouncer.ts';

const program = findPgBouncer();
const needed = 'needs PgBouncer 1.21 or newer in PATH or at TEST_PGBOUNCER';
const poolSize = 5;
const clients = 100;

const start = (
  poolMode: 'session' | 'transaction',
  more: { poolSize?: number; waitSeconds?: number } = {},
) =>
  startPgBouncer({
    program: program ?? '',
    urls: [inject('serviceUrl'), inject('postgresUrl')],
    poolMode,
    poolSize,
    ...more,
  });

describe.skipIf(program === null)(`behind PgBouncer in transaction mode (${needed})`, () => {
  let pooler: PgBouncer;
  let harness: Harness;
  let key: string;
  let payee: TestPayee;

  beforeAll(async () => {
    pooler = await start('transaction');
    harness = await startHarness({
      pooler: (url) => pooler.through(url),
      env: { DATABASE_POOL_SIZE: `${clients}`, REGISTRATION_RATE_LIMIT: '3' },
    });
  });
  afterAll(async () => {
    await harness.close();
    await pooler.close();
  });

  const register = () =>
    harness.rest('POST', '/v1/registration', {
      body: { email: `pooled.${randomUUID()}@gmail.com`, company_name: 'Pooled Company' },
    });
  const post = (path: string, body: unknown) => harness.rest('POST', path, { key, body });
  const payouts = async (): Promise<{ id: string; state: string }[]> => {
    const query = '{ payouts(first: 100) { edges { node { id state beneficiaryId } } } }';
    const { body } = await harness.graphql(key, query);
    expect(body.errors).toBeUndefined();
    return body.data.payouts.edges.map(({ node }: { node: object }) => node);
  };
  const settled = (ids: readonly string[]) =>
    eventually(async () => {
      const found = await payouts();
      return ids.every((id) => found.some((one) => one.id === id && one.state === 'settled'));
    });

  it('registers, and counts registrations exactly', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, register));
    const made = answers.filter(({ status }) => status === 201);
    const refused = answers.filter(({ status }) => status === 429);
    expect([made.length, refused.length]).toEqual([3, 5]);
    key = made[0]?.body.api_key.key;
    const profile = await harness.rest('GET', '/v1/business/profile', { key });
    expect(profile.status).toBe(200);
  });

  it('pays one payout by one, and many at once, until they are settled', async () => {
    // The registered business has no balance yet, and this one has.
    ({ key } = await makeTenant(harness));
    payee = await makePayee(harness, key);
    const single = await post('/v1/payouts', payoutBody(payee, { validator_strategy: 'manual' }));
    expect(single.status).toBe(201);
    const { id } = single.body.payout;
    const decided = await post(`/v1/payouts/${id}/decisions`, {
      decision_id: newUlid(),
      status: 'approved',
    });
    expect(decided.status).toBe(201);
    const many = await post('/v1/payouts/bulk', {
      payouts: Array.from({ length: 30 }, () =>
        payoutBody(payee, { validator_strategy: 'auto', idempotency_key: randomUUID() }),
      ),
    });
    expect(many.body.summary).toMatchObject({ created: 30 });
    await settled([
      id,
      ...many.body.results.map(({ payout }: { payout: { id: string } }) => payout.id),
    ]);
  });

  it('exports every payout, and gives the connection back to others', async () => {
    const csv = await harness.rest('GET', '/v1/reporting/transactions/export', { key });
    expect(csv.text.trimEnd().split('\r\n')).toHaveLength(32);
    const made = await harness.graphql(
      key,
      'mutation { exportCreate(input: { kind: transactions }) { id } }',
    );
    await eventually(async () => {
      const { body } = await harness.graphql(
        key,
        'query ($id: ID!) { export(id: $id) { status rowCount } }',
        { id: made.body.data.exportCreate.id },
      );
      return body.data.export.status === 'completed' && body.data.export;
    });
  });

  it(`serves ${clients} callers over ${poolSize} connections, with the limits of the login`, async () => {
    const tenants = await Promise.all(Array.from({ length: 10 }, () => makeTenant(harness)));
    const payees = await Promise.all(tenants.map((tenant) => makePayee(harness, tenant.key)));
    const answers = await Promise.all(
      Array.from({ length: clients }, (_, number) => {
        const { key: own } = tenants[number % 10] ?? { key };
        const body = payoutBody(payees[number % 10] ?? payee, { idempotency_key: randomUUID() });
        return harness.rest('POST', '/v1/payouts', { key: own, body });
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: clients }, () => 201));
    // All of them work at the same time, each on a connection of the process.
    const shown = await Promise.all(
      Array.from({ length: clients }, () =>
        harness.services.pool.query<{ pid: number; limit: string; idle: string }>({
          name: 'shown',
          text: `SELECT pg_backend_pid() AS pid, current_setting('statement_timeout') AS limit,
                   current_setting('idle_in_transaction_session_timeout') AS idle, pg_sleep(0.01)`,
        }),
      ),
    );
    const rows = shown.flatMap((result) => result.rows);
    expect(harness.services.pool.totalCount).toBe(clients);
    expect(new Set(rows.map(({ pid }) => pid)).size).toBeLessThanOrEqual(poolSize);
    expect(new Set(rows.map(({ limit, idle }) => `${limit} ${idle}`))).toEqual(
      new Set(['30s 30s']),
    );
  });

  it('leaves a ledger that the verifier agrees with, which asks PostgreSQL itself', async () => {
    const { SIMULATOR_API_KEY } = harness.services.config;
    const ledger = () => fetchLedger(harness.simulatorUrl, SIMULATOR_API_KEY);
    const evidence = { ledger, received: null, atRest: false };
    const { ownerUrl } = harness.database;
    const findings = await verify({ ...evidence, databaseUrl: ownerUrl });
    expect(findings.filter(({ violations }) => violations.length > 0)).toEqual([]);
    const through = { ...evidence, databaseUrl: pooler.through(ownerUrl) };
    await expect(verify(through)).rejects.toThrow(
      'Set MIGRATION_DATABASE_URL, or DIRECT_DATABASE_URL',
    );
  });
});

describe.skipIf(program === null)(`a PgBouncer that is busy (${needed})`, () => {
  it('ends the wait for a connection as a database that is away', async () => {
    const database = await testDatabase();
    const pooler = await start('transaction', { poolSize: 1, waitSeconds: 1 });
    const pool = createPool(pooler.through(database.url), 2, 'test');
    try {
      const error = await inTransaction(pool, async (client) => {
        await client.query('SELECT 1');
        return pool.query('SELECT 1').catch((reason: unknown) => reason);
      });
      expect(unavailable(error)).toBe(true);
      expect((await pool.query('SELECT 1')).rowCount).toBe(1);
    } finally {
      await pool.end();
      await pooler.close();
      await database.drop();
    }
  });
});

describe.skipIf(program === null)(`the migration behind PgBouncer (${needed})`, () => {
  it('is refused where each transaction may get another session, and leaves nothing', async () => {
    const database = await testDatabase({ migrated: false });
    const pooler = await start('transaction');
    try {
      expect(await leadsToSharedSessions(pooler.through(database.ownerUrl))).toBe(true);
      expect(await leadsToSharedSessions(database.ownerUrl)).toBe(false);
      await expect(migrate(pooler.through(database.ownerUrl), migrationsDir)).rejects.toThrow(
        'This URL leads to a pooler in transaction mode',
      );
      const { rows } = await database.pool.query(
        `SELECT to_regclass('schema_migration') AS found, (SELECT count(*)::int FROM pg_locks
           WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) AS locks`,
      );
      expect(rows).toEqual([{ found: null, locks: 0 }]);
    } finally {
      await pooler.close();
      await database.drop();
    }
  });

  it('works where a client keeps its session', async () => {
    const database = await testDatabase({ migrated: false });
    const pooler = await start('session');
    try {
      expect(await leadsToSharedSessions(pooler.through(database.ownerUrl))).toBe(false);
      const { applied } = await migrate(pooler.through(database.ownerUrl), migrationsDir);
      expect(applied.length).toBeGreaterThan(0);
    } finally {
      await pooler.close();
      await database.drop();
    }
  });
});
