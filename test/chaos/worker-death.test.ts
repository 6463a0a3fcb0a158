import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { programs } from '../../dev/stack/services.ts';
import { addPayee, pay, type Payee, registerBusiness } from './support/business.ts';
import type { Caller } from './support/client.ts';
import { converge } from './support/converge.ts';
import { startMember } from './support/member.ts';
import { startWorld, type World } from './support/world.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/factory.ts';
import { seedLedger } from '../support/ledger.ts';
import { longTestMs } from '../support/patience.ts';

/** Workers that are killed, or stand still for long, in the middle of their jobs. */
let database: TestDatabase;
let world: World;
let call: Caller;
let payee: Payee;

beforeAll(async () => {
  database = await testDatabase();
  world = await startWorld({
    databaseUrl: database.url,
    ownerUrl: database.ownerUrl,
    // A call takes a while, so that jobs are under way; nobody gives it up meanwhile.
    environment: { PROVIDER_TIMEOUT_MS: '20000', WORKER_HEARTBEAT_MS: '250' },
  });
  call = await registerBusiness(world.address);
  payee = await addPayee(call);
  // The destination is enrolled with the first payout; the later ones are one call each.
  await pay(call, payee, { auto: true });
  await converge(world);
});

afterAll(async () => {
  await world?.close();
  await database?.drop();
});

const query = async (text: string, values: unknown[] = []) =>
  (await database.pool.query(text, values)).rows;

/** Payouts whose disbursement is under way, at least that many, at the provider. */
async function underWay(count: number): Promise<string[]> {
  await world.setFaults({ slow_ms: 1_500 });
  for (let n = 0; n < count; n += 1) await pay(call, payee, { auto: true });
  return eventually(async () => {
    const rows = await query(
      `SELECT a.payout_id AS id FROM disbursement_attempt a
       JOIN graphile_worker._private_jobs j ON j.payload ->> 'payoutId' = a.payout_id
       WHERE a.status = 'prepared' AND j.locked_at IS NOT NULL`,
    );
    return rows.length >= count && rows.map(({ id }) => id);
  });
}

const outcomes = async (payoutId: string): Promise<string[]> => {
  const rows = await query(
    `SELECT outcome FROM job_run WHERE subject_id = $1 AND task = 'disburse_payout' ORDER BY id`,
    [payoutId],
  );
  return rows.map(({ outcome }) => outcome);
};

const handedOver = (ids: readonly string[]) =>
  eventually(async () => {
    const rows = await query(
      `SELECT 1 FROM disbursement_attempt WHERE payout_id = ANY ($1) AND status = 'submitted'`,
      [ids],
    );
    return rows.length === ids.length;
  });

test(
  'the jobs of a worker that is killed run again on another within a minute, each effect once',
  { timeout: longTestMs },
  async () => {
    const ids = await underWay(5);
    const [dead] = await query('SELECT id FROM worker_heartbeat');
    world.worker.kill();
    await world.setFaults({});
    await handedOver(ids);
    await converge(world);
    const [{ n }] = await query(
      `SELECT count(*)::integer AS n FROM job_run
     WHERE worker_id = $1 AND outcome = 'failed' AND error LIKE '%given back%'`,
      [dead.id],
    );
    expect(n).toBeGreaterThanOrEqual(5);
  },
);

test(
  'a worker that stood still for long does no harm when it goes on',
  { timeout: longTestMs },
  async () => {
    const ids = await underWay(5);
    const stalled = world.worker.pid() ?? 0;
    // The other one is started with what the first was started with.
    const environment = Object.fromEntries(
      readFileSync(`/proc/${stalled}/environ`, 'utf8')
        .split('\0')
        .filter((entry) => entry.includes('='))
        .map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
    );
    process.kill(stalled, 'SIGSTOP');
    const other = startMember({
      name: 'other',
      entry: programs.worker,
      environment: () => environment,
    });
    try {
      await world.setFaults({});
      await handedOver(ids);
      process.kill(stalled, 'SIGCONT');
      // Its own calls end now, and it says so again; what it had belongs to the other.
      await eventually(async () => {
        const [{ n }] = await query(
          `SELECT count(*)::integer AS n FROM worker_heartbeat WHERE beat_at > now() - interval '1 second'`,
        );
        return n === 2;
      });
      await converge(world);
      // A worker writes the history of its jobs a quarter of a second after they ended.
      for (const id of ids)
        await eventually(async () => (await outcomes(id)).includes('succeeded'));
      // Both go on working.
      const more = await Promise.all([1, 2, 3, 4].map(() => pay(call, payee, { auto: true })));
      await handedOver(more);
      await converge(world);
    } finally {
      await other.stop();
    }
  },
);

test(
  'an export whose worker is killed is written anew, from one snapshot',
  { timeout: longTestMs },
  async () => {
    const [{ tenantId }] = await query(`SELECT tenant_id AS "tenantId" FROM payout LIMIT 1`);
    const [{ n: before }] = await query('SELECT count(*)::integer AS n FROM payout');
    await seedLedger(database.pool, tenantId, { count: 30_000, name: 'n'.repeat(1_000) });
    const created = await call('POST', '/graphql', {
      query: 'mutation { exportCreate(input: { kind: transactions }) { id } }',
    });
    const id: string = created.body.data.exportCreate.id;
    const read = async () => (await query('SELECT * FROM export WHERE id = $1', [id]))[0];
    await eventually(async () => Number((await read()).byte_count) > 0);
    world.worker.kill();
    const done = await eventually(async () => {
      const found = await read();
      return found.status === 'completed' && found;
    });
    expect(done.generation).toBeGreaterThan(1);
    expect(Number(done.row_count)).toBe(before + 30_000);
    const [file] = await query(
      `SELECT count(DISTINCT generation)::integer AS generations, sum(octet_length(content))::text AS bytes
     FROM export_chunk WHERE export_id = $1`,
      [id],
    );
    expect(file).toEqual({ generations: 1, bytes: done.byte_count });
  },
);
