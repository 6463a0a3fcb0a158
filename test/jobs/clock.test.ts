import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startWorker } from '../../jobs/runner.ts';
import { createProcessClock } from '../../src/db/clock.ts';
import { crontab } from '../../src/queue/tasks.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/factory.ts';
import { useHarness } from '../support/use-harness.ts';

const hour = 3_600_000;
const minute = 60_000;
const root = join(import.meta.dirname, '../..');

/** A shift of about so much after which the clock of a process is just before a full minute. */
function shiftBeforeMinute(about: number, leadMs: number): number {
  const then = Date.now() + about;
  return about + (minute - (then % minute)) - leadMs;
}

describe('a worker whose clock is wrong', () => {
  let database: TestDatabase;
  let worker: ChildProcess | null = null;
  let lines: Record<string, unknown>[] = [];

  beforeAll(async () => {
    database = await testDatabase();
  });
  beforeEach(() => database.pool.query('DELETE FROM graphile_worker._private_known_crontabs'));
  afterEach(async () => {
    worker?.kill('SIGKILL');
    if (worker?.exitCode === null && worker.signalCode === null) await once(worker, 'exit');
  });
  afterAll(() => database.drop());

  function start(shiftMs: number): ChildProcess {
    lines = [];
    const child = spawn(
      process.execPath,
      ['--import', join(root, 'test/support/shifted-clock.mjs'), join(root, 'src/worker.ts')],
      {
        env: {
          NODE_ENV: 'test',
          DATABASE_URL: database.url,
          WORKER_HEARTBEAT_MS: '200',
          CLOCK_SHIFT_MS: String(shiftMs),
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    let rest = '';
    child.stdout.on('data', (bytes: Buffer) => {
      const parts = (rest + bytes.toString()).split('\n');
      rest = parts.pop() ?? '';
      for (const part of parts) lines.push(JSON.parse(part) as Record<string, unknown>);
    });
    worker = child;
    return child;
  }

  const said = (message: string) => lines.findLast(({ msg }) => msg === message);
  async function known(): Promise<{ task: string; lastExecution: Date | null; ahead: boolean }[]> {
    const { rows } = await database.pool.query<{
      task: string;
      lastExecution: Date | null;
      ahead: boolean;
    }>(
      `SELECT identifier AS task, last_execution AS "lastExecution",
         coalesce(greatest(last_execution, known_since) > now() + interval '1 minute', false) AS ahead
       FROM graphile_worker._private_known_crontabs`,
    );
    return rows;
  }

  it.each([
    ['25 hours ahead', 25 * hour],
    ['an hour ahead', hour],
    ['an hour behind', -hour],
  ])(
    'runs no schedule while it is %s, says so, and runs it once its clock is right',
    async (_name, about) => {
      const shift = shiftBeforeMinute(about, 8_000);
      const child = start(shift);
      const begun = await eventually(async () => said('worker started'));
      expect(begun).toMatchObject({ scheduled: false });
      expect(said('The clock is wrong. This worker starts no scheduled task.')).toMatchObject({
        level: 'error',
        problem: expect.stringMatching(about > 0 ? /seconds ahead of/ : /seconds behind/),
      });
      // A full minute of its clock passes, at which it would have started every task.
      const clock = () => Date.now() + shift;
      const passed = Math.ceil(clock() / minute) * minute + 2_000;
      await eventually(async () => clock() > passed);
      expect(await known()).toEqual([]);

      child.kill('SIGUSR2');
      await eventually(async () => said('worker started')?.['scheduled'] === true);
      expect(said('the clock is right again')).toBeDefined();
      const tasks = await eventually(async () => {
        const rows = await known();
        return rows.length === crontab.split('\n').length ? rows : null;
      });
      expect(tasks.filter(({ ahead }) => ahead)).toEqual([]);
    },
  );
});

describe('starts that lie in the future', () => {
  const harness = useHarness({ worker: false });

  async function leaveAhead(interval: string): Promise<void> {
    await harness.database.pool.query(
      `INSERT INTO graphile_worker._private_known_crontabs AS k (identifier, known_since, last_execution)
       VALUES ('reconcile_payouts', now() - interval '1 day', date_trunc('minute', now()) + $1::interval),
         ('sweep_webhooks', now() - interval '1 day', date_trunc('minute', now()))
       ON CONFLICT (identifier) DO UPDATE SET last_execution = excluded.last_execution`,
      [interval],
    );
  }
  async function ahead(): Promise<number> {
    const { rows } = await harness.database.pool.query<{ count: number }>(
      `SELECT count(*)::integer AS count FROM graphile_worker._private_known_crontabs
       WHERE last_execution > now() + interval '1 minute'`,
    );
    return rows[0]?.count ?? -1;
  }

  it.each(['25 hours', '1 hour', '2 minutes'])(
    'of %s are taken back by the next worker',
    async (interval) => {
      await leaveAhead(interval);
      expect(await ahead()).toBe(1);
      const worker = await startWorker(harness.services);
      await eventually(async () => (await ahead()) === 0);
      await worker.stop();
    },
  );

  it('are taken back by an operator, once, with a line in the log', async () => {
    await leaveAhead('25 hours');
    const { pool } = harness.database;
    const reset = await pool.query<{ task: string }>(
      `SELECT task FROM ops.reset_schedules('the clock of a worker was ahead')`,
    );
    expect(reset.rows).toEqual([{ task: 'reconcile_payouts' }]);
    expect(await ahead()).toBe(0);
    const again = await pool.query(`SELECT task FROM ops.reset_schedules('once more')`);
    expect(again.rows).toEqual([]);
    const log = await pool.query(
      `SELECT reason, affected FROM ops.action_log WHERE action = 'reset_schedules' ORDER BY at`,
    );
    expect(log.rows).toEqual([
      { reason: 'the clock of a worker was ahead', affected: 1 },
      { reason: 'once more', affected: 0 },
    ]);
  });

  it('are seen by the alert on overdue schedules', async () => {
    const overdue = async () => {
      const { rows } = await harness.database.pool.query<{ seconds: number }>(
        `SELECT seconds FROM ops.schedule_overdue() WHERE task = 'reconcile_payouts'`,
      );
      return rows[0]?.seconds ?? -1;
    };
    await leaveAhead('0 minutes');
    expect(await overdue()).toBe(0);
    await leaveAhead('1 hour');
    expect(await overdue()).toBeGreaterThan(3_000);
    await leaveAhead('-1 hour');
    expect(await overdue()).toBeGreaterThan(3_000);
  });
});

describe('the clock of a process', () => {
  const lines: string[] = [];
  const log = {
    info: (message: string) => void lines.push(message),
    error: (_fields: object, message: string) => void lines.push(message),
  };

  it('is judged by what is certain alone', () => {
    const clock = createProcessClock(5_000, log, 'worker');
    let changes = 0;
    clock.onChange(() => (changes += 1));
    const at = Date.parse('2026-11-26T12:00:00Z');
    expect([clock.aheadSeconds(), clock.problem()]).toEqual([null, null]);
    clock.note(at, at + 10, at);
    expect(clock.problem()).toBeNull();
    // An answer that took a minute says nothing of half a minute.
    clock.note(at, at + minute, at);
    expect([clock.aheadSeconds(), clock.problem()]).toEqual([0, null]);
    clock.note(at + hour, at + hour + 20, at);
    expect(clock.aheadSeconds()).toBe(3_600);
    expect(clock.problem()).toBe(
      "the clock of this process is 3600 seconds ahead of the database's",
    );
    expect(Math.abs(clock.now().getTime() - (Date.now() - hour))).toBeLessThan(minute);
    clock.note(at - hour, at - hour + 20, at);
    expect(clock.problem()).toBe("the clock of this process is 3600 seconds behind the database's");
    clock.note(at, at + 10, at);
    expect([changes, clock.problem()]).toEqual([2, null]);
    expect(lines).toEqual([
      'The clock is wrong. This worker starts no scheduled task.',
      'the clock is right again',
    ]);
  });
});
