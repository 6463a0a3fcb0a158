import type { PoolClient } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { queuePool } from '../../jobs/queue-pool.ts';
import { sendTogether, type QueueStatement } from '../../jobs/queue-statements.ts';
import { startWorker } from '../../jobs/runner.ts';
import { eventually, makeTenant } from '../support/factory.ts';
import { useHarness } from '../support/use-harness.ts';

const harness = useHarness({ worker: false });

/** The statements of graphile-worker itself, as a run sends them. */
const statements = new Map<string, string>();

const query = async <R extends object>(text: string, values: unknown[] = []): Promise<R[]> =>
  (await harness.database.pool.query<R>(text, values)).rows;

beforeAll(async () => {
  const { tenantId } = await makeTenant(harness, { funded: false });
  const worker = await startWorker(harness.services);
  await query(
    `SELECT graphile_worker.add_job('fund_sandbox_wallet', json_build_object('tenantId', $1::text))`,
    [tenantId],
  );
  await eventually(async () => {
    const ended = await query('SELECT FROM job_run WHERE tenant_id = $1', [tenantId]);
    return ended.length === 1;
  });
  await worker.stop();
  for (const { name, text } of harness.sql.distinct.values()) {
    if (name !== null) statements.set(name, text);
  }
});

const textOf = (name: string): string => {
  const text = statements.get(name);
  if (text === undefined) throw new Error(`graphile-worker sends no ${name}`);
  return text;
};

const take = (run: string, tasks: readonly number[]): QueueStatement => {
  const name = 'get_job/graphile_worker';
  return { name, text: textOf(name), values: [run, tasks] };
};

/** Its text is never sent. */
const end = (id: string): QueueStatement => ({
  name: 'complete_job/graphile_worker',
  text: '',
  values: [id],
});

async function send(statement: QueueStatement): Promise<Record<string, unknown>[]> {
  const sent = sendTogether(harness.services.directPool, statement);
  if (sent === null) throw new Error(`${statement.name} is not sent together`);
  return (await sent).rows;
}

interface Added {
  readonly id: string;
  readonly task_id: number;
}

async function addJob(task: string, options = ''): Promise<Added> {
  const [job] = await query<Added>(
    `SELECT id, task_id FROM graphile_worker.add_job('${task}'${options})`,
  );
  if (job === undefined) throw new Error('no job was added');
  return job;
}

const idsOf = (jobs: readonly Record<string, unknown>[]) => new Set(jobs.map(({ id }) => id));

const namesSent = async (work: () => Promise<unknown>): Promise<(string | null)[]> =>
  (await harness.sql.during(work)).sent.map(({ name }) => name);

beforeEach(async () => {
  await query('DELETE FROM graphile_worker._private_jobs');
});

it('the statements of graphile-worker have the names by which they are known', () => {
  expect([...statements.keys()]).toEqual(expect.arrayContaining(['take_jobs', 'end_jobs']));
  expect(statements.has('complete_job/graphile_worker')).toBe(false);
});

describe('slots that ask for a job at the same time', () => {
  it('get one each while there are some, the most urgent first, by one statement', async () => {
    const later = await addJob('one', ', priority := 5');
    const first = await addJob('one', ', priority := 1');
    const second = await addJob('one', ', priority := 2');
    await addJob('one', `, run_at := now() + interval '1 hour'`);
    await addJob('another');
    let taken: Record<string, unknown>[] = [];
    const sent = await namesSent(async () => {
      const asked = Array.from({ length: 5 }, () => send(take('run', [first.task_id])));
      taken = (await Promise.all(asked)).flat();
    });
    expect(sent).toEqual(['take_jobs']);
    expect(idsOf(taken)).toEqual(new Set([later.id, first.id, second.id]));
    for (const job of taken)
      expect(job).toMatchObject({ attempts: 1, locked_by: 'run', payload: {} });
    expect(await send(take('run', [first.task_id]))).toEqual([]);
  });

  it('leave what is less urgent to those who come later', async () => {
    const later = await addJob('one', ', priority := 5');
    const first = await addJob('one', ', priority := 1');
    const second = await addJob('one', ', priority := 2');
    const asked = [take('run', [first.task_id]), take('run', [first.task_id])].map(send);
    const taken = (await Promise.all(asked)).flat();
    expect(idsOf(taken)).toEqual(new Set([first.id, second.id]));
    expect(await send(take('run', [first.task_id]))).toMatchObject([{ id: later.id }]);
  });

  it('take jobs of their own run and tasks', async () => {
    const one = await addJob('one');
    const another = await addJob('another');
    const [mine, others] = await Promise.all([
      send(take('first run', [one.task_id])),
      send(take('second run', [another.task_id])),
    ]);
    expect(mine).toMatchObject([{ id: one.id, locked_by: 'first run' }]);
    expect(others).toMatchObject([{ id: another.id, locked_by: 'second run' }]);
  });

  it('take no two jobs of a named queue', async () => {
    const { task_id: task } = await addJob('one', `, queue_name := 'in turn'`);
    await addJob('one', `, queue_name := 'in turn'`);
    const asked = await Promise.all([send(take('run', [task])), send(take('run', [task]))]);
    expect(asked.flat()).toEqual([]);
    expect(await send(take('run', [task]))).toHaveLength(1);
    expect(await send(take('run', [task]))).toEqual([]);
  });
});

describe('jobs that end at the same time', () => {
  it('are ended by one statement', async () => {
    const jobs = [await addJob('one'), await addJob('one'), await addJob('one')];
    const [kept, ...ended] = jobs;
    const sent = await namesSent(() => Promise.all(ended.map(({ id }) => send(end(id)))));
    expect(sent).toEqual(['end_jobs']);
    const left = await query<{ id: string }>('SELECT id FROM graphile_worker._private_jobs');
    expect(left.map(({ id }) => id)).toEqual([kept?.id]);
  });

  describe('while one of them is locked', () => {
    let holder: PoolClient;
    beforeAll(async () => {
      holder = await harness.database.pool.connect();
    });
    afterAll(() => holder.release());

    it('do not keep those waiting that end later', async () => {
      const [locked, beside, later] = [
        await addJob('one'),
        await addJob('one'),
        await addJob('one'),
      ];
      await holder.query('BEGIN');
      await holder.query('SELECT FROM graphile_worker._private_jobs WHERE id = $1 FOR UPDATE', [
        locked.id,
      ]);
      const waiting = Promise.all([send(end(locked.id)), send(end(beside.id))]);
      await eventually(async () => {
        const blocked = await query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return blocked.length === 1;
      });
      await send(end(later.id));
      const left = await query<{ id: string }>('SELECT id FROM graphile_worker._private_jobs');
      expect(left.map(({ id }) => id)).toContain(locked.id);
      expect(left.map(({ id }) => id)).not.toContain(later.id);
      await holder.query('ROLLBACK');
      await waiting;
      expect(await query('SELECT FROM graphile_worker._private_jobs')).toEqual([]);
    });
  });
});

it('a run that has ended takes no job, and each of its slots hears so', async () => {
  const { task_id: task } = await addJob('one');
  const { pool, close } = queuePool(harness.services.directPool);
  close();
  const asked = Array.from({ length: 3 }, async () => {
    const client = await pool.connect();
    try {
      return await client.query({ ...take('run', [task]), values: ['run', [task]] });
    } finally {
      client.release();
    }
  });
  const outcomes = await Promise.allSettled(asked);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(await query('SELECT FROM graphile_worker.jobs WHERE attempts > 0')).toEqual([]);
});
