import { afterAll, beforeAll, expect, it } from 'vitest';
import { crontab } from '../../src/queue/tasks.ts';
import {
  eventually,
  makePayee,
  makeTenant,
  payoutBody,
  type TestPayee,
  type TestTenant,
} from '../support/factory.ts';
import { newApproved } from '../support/fake-provider.ts';
import { makeOperator, type Operator } from './support.ts';
import { useHarness } from '../support/use-harness.ts';

let operator: Operator;
let tenant: TestTenant;
let payee: TestPayee;
const harness = useHarness({ env: { WORKER_HEARTBEAT_MS: '100' } });

beforeAll(async () => {
  operator = await makeOperator(harness.database, 'ops_operate');
  tenant = await makeTenant(harness);
  payee = await makePayee(harness, tenant.key);
});
afterAll(async () => {
  await operator.leave();
});

const approve = () =>
  newApproved(harness, tenant.key, payoutBody(payee, { validator_strategy: 'auto' }));

async function stateOf(id: string): Promise<string> {
  const { body } = await harness.rest('GET', `/v1/payouts/${id}`, { key: tenant.key });
  return body.payout.state as string;
}

it('a living worker is seen, obeys a pause, and leaves a history', async () => {
  const [worker] = await operator.sql('SELECT alive, circuits FROM ops.workers');
  expect(worker).toEqual({ alive: true, circuits: { simulator: 'closed' } });

  await operator.sql(`SELECT ops.pause_task('disburse_payout', 'the provider is in maintenance')`);
  // With its next beat the worker hears of it, and by the one after that it has obeyed.
  for (let beat = 0; beat < 2; beat += 1) {
    const { now } = await operator.row<{ now: Date }>('SELECT clock_timestamp() AS now');
    await eventually(async () => {
      const alive = await operator.sql('SELECT FROM ops.workers WHERE beat_at > $1', [now]);
      return alive.length > 0;
    });
  }
  const held = await approve();
  const ids = `SELECT job_id FROM ops.schedule('sweep_webhooks', NULL, reason => 'a sign of life')`;
  const { job_id: sweep } = await operator.row<{ job_id: number }>(ids);
  await eventually(async () => {
    const left = await operator.sql('SELECT FROM ops.jobs WHERE id = $1', [sweep]);
    return left.length === 0;
  });
  expect(await stateOf(held)).toBe('approved');
  const paused = 'SELECT state FROM ops.jobs WHERE subject_id = $1';
  expect(await operator.sql(paused, [held])).toEqual([{ state: 'paused' }]);

  await operator.sql(`SELECT ops.resume_task('disburse_payout', 'it is over')`);
  await eventually(async () => (await stateOf(held)) === 'settled');
  const runs = await eventually(async () => {
    const rows = await operator.sql(
      'SELECT task, outcome, tenant_id, error FROM ops.job_history WHERE subject_id = $1',
      [held],
    );
    return rows.length > 0 && rows;
  });
  expect(runs[0]).toEqual({
    task: 'disburse_payout',
    outcome: 'succeeded',
    tenant_id: tenant.tenantId,
    error: null,
  });
  const [{ runs_per_minute: rate } = {}] = await operator.sql<{ runs_per_minute: string }>(
    `SELECT runs_per_minute FROM ops.queue_health WHERE task = 'disburse_payout'`,
  );
  expect(Number(rate)).toBeGreaterThan(0);
});

it('the clock of the worker is that of ops.crontab', async () => {
  const rows = await operator.sql<{ task: string }>(
    'SELECT task FROM ops.crontab WHERE clock IS NOT NULL AND known_since IS NOT NULL ORDER BY task',
  );
  const names = crontab.split('\n').map((line) => line.split(' ')[5] ?? '');
  expect(rows.map(({ task }) => task)).toEqual(names.toSorted());
});

it('what an operator adds runs', async () => {
  const id = await approve();
  await eventually(async () => (await stateOf(id)) === 'settled');
  const [before] = await operator.sql('SELECT count(*) FROM ops.job_history WHERE task = $1', [
    'reconcile_payouts',
  ]);
  await operator.sql(`SELECT ops.schedule('reconcile_payouts', NULL, reason => 'now')`);
  await eventually(async () => {
    const [after] = await operator.sql('SELECT count(*) FROM ops.job_history WHERE task = $1', [
      'reconcile_payouts',
    ]);
    return JSON.stringify(after) !== JSON.stringify(before);
  });
  expect(await operator.sql('SELECT FROM ops.dead_letters')).toEqual([]);
});
