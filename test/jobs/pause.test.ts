import { afterAll, beforeAll, expect, it } from 'vitest';
import { startWorker, type WorkerHandle } from '../../jobs/runner.ts';
import { taskNames } from '../../src/queue/tasks.ts';
import { eventually, makeTenant } from '../support/factory.ts';
import { useHarness } from '../support/use-harness.ts';
import { workersHaveBeaten } from '../support/worker-beats.ts';

/** Two workers in this process, which read `paused_task` with every beat. */
let second: WorkerHandle;
const harness = useHarness({ env: { WORKER_HEARTBEAT_MS: '100' } });

beforeAll(async () => {
  second = await startWorker(harness.services);
});
afterAll(async () => {
  await second.stop();
});

const query = async <R extends object>(text: string, values: unknown[] = []): Promise<R[]> =>
  (await harness.database.pool.query<R>(text, values)).rows;

const beats = () => workersHaveBeaten(harness.database.pool);

async function pause(names: readonly string[]): Promise<void> {
  await query(
    `INSERT INTO paused_task (task, paused_by, reason) SELECT name, 'ada', 'test' FROM unnest($1::text[]) AS name`,
    [names],
  );
  await beats();
}

async function resume(): Promise<void> {
  await query('DELETE FROM paused_task');
}

/** Adds a job of the task that funds a new sandbox, and resolves with its tenant. */
async function addJob(): Promise<string> {
  const { tenantId } = await makeTenant(harness, { funded: false });
  await query(
    `SELECT graphile_worker.add_job('fund_sandbox_wallet', json_build_object('tenantId', $1::text))`,
    [tenantId],
  );
  return tenantId;
}

const runsOf = (tenantId: string) =>
  query<{ outcome: string }>('SELECT outcome FROM job_run WHERE tenant_id = $1', [tenantId]);
const done = (tenantId: string) => eventually(async () => (await runsOf(tenantId)).length === 1);
const waiting = () =>
  query('SELECT 1 FROM graphile_worker.jobs WHERE task_identifier = $1', ['fund_sandbox_wallet']);

it('takes up no job of a paused task, and all of the others; resumed, it goes on', async () => {
  await pause(['fund_sandbox_wallet']);
  const held = [await addJob(), await addJob(), await addJob()];
  // Another task's job, added later, is over: the held ones had their chance.
  await query(`SELECT graphile_worker.add_job('start_due_exports', '{}')`);
  await eventually(async () => {
    const runs = await query(`SELECT 1 FROM job_run WHERE task = 'start_due_exports'`);
    return runs.length > 0;
  });
  await beats();
  expect(await waiting()).toHaveLength(3);
  for (const tenantId of held) expect(await runsOf(tenantId)).toEqual([]);
  await resume();
  for (const tenantId of held) await done(tenantId);
  expect(await waiting()).toEqual([]);
});

it('leaves a worker that starts while a task is paused to pause it too', async () => {
  await pause(['fund_sandbox_wallet']);
  const third = await startWorker(harness.services);
  const held = await addJob();
  await beats();
  expect(await runsOf(held)).toEqual([]);
  await third.stop();
  await resume();
  await done(held);
});

it('can pause everything and come back', async () => {
  await pause(taskNames);
  const held = await addJob();
  await beats();
  expect(await runsOf(held)).toEqual([]);
  await resume();
  await done(held);
});

it('takes no notice of a name that no task has', async () => {
  await pause(['no_such_task', 'constructor', 'toString']);
  await done(await addJob());
  await resume();
});

it('loses and doubles no job while a task is paused and resumed all the time', async () => {
  let over = false;
  const flicker = (async () => {
    while (!over) {
      await pause(['fund_sandbox_wallet']);
      await resume();
      await beats();
    }
  })();
  const made: string[] = [];
  for (let n = 0; n < 40; n += 1) made.push(await addJob());
  for (const tenantId of made) await done(tenantId);
  over = true;
  await flicker;
  const runs = await query<{ outcome: string; attempt: number }>(
    `SELECT outcome, attempt FROM job_run WHERE tenant_id = ANY ($1)`,
    [made],
  );
  expect(runs).toHaveLength(40);
  expect(new Set(runs.map(({ outcome, attempt }) => `${outcome} ${attempt}`))).toEqual(
    new Set(['succeeded 1']),
  );
});
