import { beforeEach, expect, it } from 'vitest';
import { startDueExports } from '../../../src/domain/export/schedule.ts';
import { eventually, makeTenant, type TestTenant } from '../../support/factory.ts';
import { startHarness } from '../../support/harness.ts';
import { seedLedger } from '../../support/ledger.ts';
import { useHarness } from '../../support/use-harness.ts';

let tenant: TestTenant;
const harness = useHarness({ worker: false });
beforeEach(async () => {
  await harness.database.pool.query('DELETE FROM export; DELETE FROM export_schedule');
  tenant = await makeTenant(harness);
});

const query = async (text: string, values: unknown[] = []) =>
  (await harness.database.pool.query(text, values)).rows;

/** A schedule as an operator makes one in SQL; `next` is SQL too. */
async function schedule(
  every: string,
  next: string,
  filter: object = {},
  of = tenant,
): Promise<string> {
  const [row] = await query(
    `INSERT INTO export_schedule (tenant_id, kind, filter, every, next_run_at, created_by)
     VALUES ($1, 'transactions', $2, $3::interval, ${next}, 'ada') RETURNING id`,
    [of.tenantId, filter, every],
  );
  return row.id;
}

const exportsOf = (scheduleId: string) =>
  query('SELECT * FROM export WHERE schedule_id = $1', [scheduleId]);

it('makes one export of a schedule that is due, however many workers look', async () => {
  const id = await schedule('1 day', `now() - interval '1 minute'`, { state: ['settled'] });
  const started = await Promise.all(
    Array.from({ length: 8 }, () => startDueExports(harness.services)),
  );
  expect(started.reduce((sum, count) => sum + count, 0)).toBe(1);
  const [made, ...more] = await exportsOf(id);
  expect(more).toEqual([]);
  expect(made).toMatchObject({
    tenant_id: tenant.tenantId,
    kind: 'transactions',
    filter: { state: ['settled'] },
    status: 'pending',
    requested_by: { type: 'system', name: 'export_schedule' },
  });
  expect(made.id).toMatch(/^exp_/);
  expect(made.filename).toMatch(/^transactions-sandbox-/);
  const jobs = await query('SELECT 1 FROM graphile_worker.jobs WHERE key = $1', [
    `export ${made.id}`,
  ]);
  expect(jobs).toHaveLength(1);
  expect(await startDueExports(harness.services)).toBe(0);
});

it('makes up once for what an outage missed, and keeps its hour', async () => {
  const id = await schedule('1 hour', `date_trunc('hour', now()) - interval '50 hours'`);
  await startDueExports(harness.services);
  await startDueExports(harness.services);
  expect(await exportsOf(id)).toHaveLength(1);
  const [{ next }] = await query(
    `SELECT next_run_at = date_trunc('hour', now()) + interval '1 hour' AS next FROM export_schedule`,
  );
  expect(next).toBe(true);
});

it('counts months on the calendar', async () => {
  const id = await schedule('1 month', `now() - interval '3 months 1 day'`);
  await startDueExports(harness.services);
  expect(await exportsOf(id)).toHaveLength(1);
  const [{ ahead }] = await query(
    `SELECT next_run_at > now() AND next_run_at <= now() + interval '1 month' AS ahead FROM export_schedule`,
  );
  expect(ahead).toBe(true);
});

it.each([
  ['1 hour', '1926-11-21 00:00Z'],
  ['1 hour', '0001-01-01 00:00Z'],
  ['1 hour', '-infinity'],
  ['1 day', '1970-01-01 06:30Z'],
  ['1 month', '1970-01-15 00:00Z'],
  ['1 year', '1970-01-15 00:00Z'],
])('finds the next time of one every %s that has been due since %s', async (every, since) => {
  const id = await schedule(every, `'${since}'`);
  await startDueExports(harness.services);
  expect(await exportsOf(id)).toHaveLength(1);
  const [{ next }] = await query(
    `SELECT next_run_at > now() AND next_run_at <= now() + every AS next FROM export_schedule`,
  );
  expect(next).toBe(true);
});

it('leaves alone what is not due yet and what has ended', async () => {
  const later = await schedule('1 day', `now() + interval '1 minute'`);
  const ended = await schedule('1 day', `now() - interval '1 minute'`);
  await query('UPDATE export_schedule SET ended_at = now() WHERE id = $1', [ended]);
  expect(await startDueExports(harness.services)).toBe(0);
  expect([...(await exportsOf(later)), ...(await exportsOf(ended))]).toEqual([]);
});

it('gives an export its job again when that was lost', async () => {
  const id = await schedule('1 day', `now() - interval '1 minute'`);
  await startDueExports(harness.services);
  const [made] = await exportsOf(id);
  const jobs = () =>
    query('SELECT id FROM graphile_worker.jobs WHERE key = $1', [`export ${made.id}`]);
  const [job] = await jobs();
  await query('SELECT graphile_worker.complete_jobs(ARRAY[$1::bigint])', [job.id]);
  await startDueExports(harness.services);
  expect(await jobs(), 'it is young: its job may just be beginning').toEqual([]);
  await query(`UPDATE export SET created_at = now() - interval '3 minutes' WHERE id = $1`, [
    made.id,
  ]);
  await startDueExports(harness.services);
  expect(await jobs()).toHaveLength(1);
  await startDueExports(harness.services);
  expect(await jobs()).toHaveLength(1);
});

it('shows its results to their tenant, by the whole way', async () => {
  const running = await startHarness();
  try {
    const owner = await makeTenant(running);
    await seedLedger(running.database.pool, owner.tenantId, { count: 20 });
    const { rows } = await running.database.pool.query<{ id: string }>(
      `INSERT INTO export_schedule (tenant_id, kind, filter, every, next_run_at, created_by)
       VALUES ($1, 'transactions', '{"state": ["failed"]}', '1 day', now(), 'ada') RETURNING id`,
      [owner.tenantId],
    );
    await running.database.pool.query(`SELECT graphile_worker.add_job('start_due_exports', '{}')`);
    const found = await eventually(async () => {
      const { body } = await running.rest('GET', '/v1/exports?recurring=true', { key: owner.key });
      return body.exports[0]?.status === 'completed' && body.exports[0];
    });
    expect(found).toMatchObject({ schedule_id: rows[0]?.id, row_count: 2 });
    const file = await running.rest('GET', `/v1/exports/${found.id}`, { key: owner.key });
    expect(file.text.split('\r\n')).toHaveLength(4);
  } finally {
    await running.close();
  }
});
