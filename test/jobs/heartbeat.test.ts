import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startHeartbeat, type Heartbeat } from '../../jobs/heartbeat.ts';
import { loadConfig } from '../../src/process/config.ts';
import { closeServices, createServices, type Services } from '../../src/process/services.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';

const beatMs = 60_000;

let database: TestDatabase;
let services: Services;
let heartbeat: Heartbeat | null;

beforeAll(async () => {
  database = await testDatabase();
  services = createServices(
    loadConfig({
      NODE_ENV: 'test',
      LOG_LEVEL: 'silent',
      DATABASE_URL: database.url,
      WORKER_HEARTBEAT_MS: String(beatMs),
    }),
    'worker',
  );
});
afterAll(async () => {
  await closeServices(services);
  await database.drop();
});
beforeEach(async () => {
  await heartbeat?.giveBack(AbortSignal.abort());
  heartbeat = null;
  await database.reset();
});

/** A worker whose last heartbeat is so many milliseconds ago, and which beats as often as it says. */
async function worker(name: string, silentMs: number, everyMs = beatMs): Promise<void> {
  await database.pool.query(
    `INSERT INTO worker_heartbeat (id, pool_id, hostname, pid, circuits, beat_ms, beat_at)
     VALUES ($1, $1, 'host', 1, '{}', $2, now() - $3::float8 * interval '1 millisecond')`,
    [name, everyMs, silentMs],
  );
}

/** A job that a worker took up so many milliseconds ago; its id. */
async function jobOf(name: string, agoMs = 1_000): Promise<string> {
  const { rows } = await database.pool.query<{ id: string }>(
    `SELECT id FROM graphile_worker.add_job('sweep_webhooks', '{}', job_key => $1)`,
    [randomUUID()],
  );
  const id = rows[0]?.id ?? '';
  await database.pool.query(
    `UPDATE graphile_worker._private_jobs SET locked_by = $2,
       locked_at = now() - $3::float8 * interval '1 millisecond', attempts = 1 WHERE id = $1`,
    [id, name, agoMs],
  );
  return id;
}

const holders = async (): Promise<(string | null)[]> =>
  (
    await database.pool.query<{ locked_by: string | null }>(
      'SELECT locked_by FROM graphile_worker.jobs ORDER BY id',
    )
  ).rows.map((row) => row.locked_by);

/** One beat of a worker that has just started. */
async function beat(name = 'own'): Promise<void> {
  const identity = { id: name, poolId: Promise.resolve(name) };
  heartbeat = await startHeartbeat(services, identity, () => undefined);
}

it('notes whether there are two operators, and says so while one of several workers does', async () => {
  const { pool } = database;
  const noted = async () => {
    await beat();
    await heartbeat?.giveBack(AbortSignal.abort());
    const { rows } = await pool.query<{ second_operator: boolean }>(
      'SELECT second_operator FROM installation',
    );
    return rows.map((row) => row.second_operator);
  };
  const age = (ms: number) =>
    pool.query(`UPDATE installation SET noted_at = now() - $1::float8 * interval '1 millisecond'`, [
      ms,
    ]);
  await pool.query('DELETE FROM installation');
  expect(services.config.OPERATOR_CONFIRMATION).toBe('none');
  expect(await noted()).toEqual([false]);
  const config = services.config as { OPERATOR_CONFIRMATION: string };
  config.OPERATOR_CONFIRMATION = 'second_person';
  try {
    expect(await noted()).toEqual([true]);
    await age(3 * beatMs);
    expect(await noted()).toEqual([true]);
  } finally {
    config.OPERATOR_CONFIRMATION = 'none';
  }
  // The other one has said it again, so this one is not heard.
  await age(3 * beatMs);
  expect(await noted()).toEqual([true]);
  await age(5 * beatMs);
  expect(await noted()).toEqual([false]);
});

it('hears that there is one operator only once the slowest worker that said otherwise is silent', async () => {
  const { pool } = database;
  const noted = async (agoMs: number) => {
    await pool.query('DELETE FROM installation');
    await pool.query(
      `INSERT INTO installation (second_operator, noted_at) VALUES (true, now() - $1::float8 * interval '1 millisecond')`,
      [agoMs],
    );
    await beat();
    await heartbeat?.giveBack(AbortSignal.abort());
    const { rows } = await pool.query('SELECT second_operator FROM installation');
    return rows[0] as { second_operator: boolean };
  };
  await worker('leisurely', 30 * beatMs, 10 * beatMs);
  expect(await noted(30 * beatMs)).toEqual({ second_operator: true });
  expect(await noted(50 * beatMs)).toEqual({ second_operator: false });
  await pool.query('DELETE FROM installation');
});

it('judges each worker by how often it beats itself', async () => {
  await worker('leisurely', 30 * beatMs, 10 * beatMs);
  await worker('lost', 50 * beatMs, 10 * beatMs);
  await worker('hasty', beatMs, beatMs / 10);
  await worker('quick', beatMs / 10, beatMs / 10);
  for (const name of ['leisurely', 'lost', 'hasty', 'quick']) await jobOf(name, 100 * beatMs);
  await beat();
  expect(await holders()).toEqual(['leisurely', null, null, 'quick']);
});

it('waits for the first beat of the slowest before it takes what no heartbeat names', async () => {
  await worker('leisurely', 0, 10 * beatMs);
  await jobOf('starting', 30 * beatMs);
  await jobOf('unheard', 50 * beatMs);
  await beat();
  expect(await holders()).toEqual(['starting', null]);
});

it('gives back the jobs of a dead worker and leaves those of the living', async () => {
  await worker('dead', 5 * beatMs);
  await worker('slow', 3 * beatMs);
  await worker('quick', 0);
  for (const name of ['dead', 'slow', 'quick', 'own', 'dead']) await jobOf(name);
  await beat();
  expect(await holders()).toEqual([null, 'slow', 'quick', 'own', null]);
  const { rows } = await database.pool.query('SELECT id FROM worker_heartbeat ORDER BY id');
  expect(rows.map(({ id }) => id as string)).toEqual(['own', 'quick', 'slow']);
});

it('tells the history of the jobs of the dead alone', async () => {
  await worker('dead', 5 * beatMs);
  await worker('living', 0);
  const lost = await jobOf('dead');
  await jobOf('living');
  await beat();
  const { rows } = await database.pool.query('SELECT worker_id, job_id, outcome FROM job_run');
  expect(rows).toEqual([{ worker_id: 'dead', job_id: lost, outcome: 'failed' }]);
});

it('touches no job while everybody lives', async () => {
  await worker('living', 0);
  await jobOf('living', 100 * beatMs);
  await beat();
  expect(await holders()).toEqual(['living']);
  expect((await database.pool.query('SELECT FROM job_run')).rowCount).toBe(0);
});

it('gives back what a worker held that died before it ever said so, after the same silence', async () => {
  await worker('living', 0);
  await jobOf('unheard', 5 * beatMs);
  await jobOf('starting', beatMs);
  await jobOf('living', 5 * beatMs);
  await beat();
  expect(await holders()).toEqual([null, 'starting', 'living']);
});
