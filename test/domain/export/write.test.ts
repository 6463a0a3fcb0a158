import { beforeEach, describe, expect, it } from 'vitest';
import { jobScope } from '../../../src/access/system.ts';
import {
  appendExportChunk,
  beginExportRun,
  completeExport,
} from '../../../src/domain/export/chunk-store.ts';
import { createExport } from '../../../src/domain/export/create.ts';
import { writeExport } from '../../../src/domain/export/write.ts';
import type { Call } from '../../../src/process/services.ts';
import { eventually, makeTenant } from '../../support/factory.ts';
import { seedLedger } from '../../support/ledger.ts';
import { useHarness } from '../../support/use-harness.ts';

let call: Call;
const harness = useHarness({ worker: false, env: { LOG_LEVEL: 'silent' } });
beforeEach(async () => {
  const { tenantId } = await makeTenant(harness);
  const scope = await jobScope(harness.services.pool, tenantId, { type: 'system', name: 'test' });
  call = { services: harness.services, scope };
});

const query = async (text: string, values: unknown[] = []) =>
  (await harness.database.pool.query(text, values)).rows;

const read = async (id: string) => (await query('SELECT * FROM export WHERE id = $1', [id]))[0];
const content = async (id: string) =>
  (
    await query(
      `SELECT convert_from(string_agg(content, '' ORDER BY generation, seq), 'UTF8') AS text,
         array_agg(DISTINCT generation) AS generations FROM export_chunk WHERE export_id = $1`,
      [id],
    )
  )[0];

/** More than the sockets' buffers and some pieces take, so that the COPY is under way for a while. */
const seedMuch = () =>
  seedLedger(harness.database.pool, call.scope.tenantId, { count: 8_000, name: 'n'.repeat(2_000) });

async function cutCopies(): Promise<void> {
  await eventually(async () => {
    const cut = await query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND state = 'active' AND query LIKE 'COPY%'`,
    );
    return cut.length > 0;
  });
}

it('writes the file once: an export that has ended is left alone', async () => {
  await seedLedger(harness.database.pool, call.scope.tenantId, { count: 10 });
  const { id } = await createExport(call, { kind: 'transactions' });
  await writeExport(call, id);
  const before = await read(id);
  expect(before).toMatchObject({ status: 'completed', generation: 1, row_count: '10' });
  await writeExport(call, id);
  expect(await read(id)).toEqual(before);
  await writeExport(call, 'exp_unknown');
});

it('begins anew after a run that broke off, with a snapshot of its own and no piece of the first', async () => {
  await seedMuch();
  const { id } = await createExport(call, { kind: 'transactions' });
  const first = writeExport(call, id);
  const failed = expect(first).rejects.toThrow();
  await eventually(async () => Number((await read(id)).byte_count) > 0);
  await cutCopies();
  await failed;
  const broken = await read(id);
  expect(broken).toMatchObject({ status: 'running', generation: 1 });
  expect(Number(broken.row_count)).toBeGreaterThan(0);
  // A payout that only the second snapshot has.
  await query(`DELETE FROM payout WHERE tenant_id = $1 AND id > 'pay_' || lpad('50', 26, '0')`, [
    call.scope.tenantId,
  ]);
  await writeExport(call, id);
  expect(await read(id)).toMatchObject({ status: 'completed', generation: 2, row_count: '50' });
  const { text, generations } = await content(id);
  expect(generations).toEqual([2]);
  expect(text.split('\r\n')).toHaveLength(52);
});

it('lets a run that was overtaken write nothing any more', async () => {
  const { pool } = call.services;
  const { id } = await createExport(call, { kind: 'beneficiaries' });
  const stalled = await beginExportRun(pool, call.scope, id);
  expect(stalled?.generation).toBe(1);
  await writeExport(call, id);
  const done = await read(id);
  const run = { scope: call.scope, exportId: id, generation: 1 };
  const chunk = { seq: 0, records: 1, content: Buffer.from('stale') };
  expect(await appendExportChunk(pool, run, chunk)).toBe(false);
  expect(await completeExport(pool, run, 24)).toBe(false);
  expect(await read(id)).toEqual(done);
  expect((await content(id)).generations).toEqual([2]);
});

it('stops a run in the middle of its file when a later one begins', async () => {
  await seedMuch();
  const { id } = await createExport(call, { kind: 'transactions' });
  const first = writeExport(call, id);
  await eventually(async () => Number((await read(id)).byte_count) > 0);
  await Promise.all([first, writeExport(call, id)]);
  expect(await read(id)).toMatchObject({ status: 'completed', generation: 2, row_count: '8000' });
  expect((await content(id)).generations).toEqual([2]);
});

it('gives up after five runs and says so', async () => {
  const { id } = await createExport(call, { kind: 'beneficiaries' });
  await query('UPDATE export SET generation = 5 WHERE id = $1', [id]);
  await query(
    `INSERT INTO export_chunk (tenant_id, export_id, generation, seq, content)
     VALUES ($1, $2, 5, 0, 'x')`,
    [call.scope.tenantId, id],
  );
  await writeExport(call, id);
  expect(await read(id)).toMatchObject({ status: 'failed', expires_at: null });
  expect((await read(id)).error).toContain('5 times');
  expect((await content(id)).text).toBeNull();
});

describe('a filter that was written in SQL', () => {
  it.each([
    ['transactions', { states: ['settled'] }],
    ['transactions', { state: ['paid'] }],
    ['transactions', { created_since: 'yesterday' }],
    ['beneficiaries', { state: ['settled'] }],
  ] as const)('fails where it means nothing: %s %j', async (kind, filter) => {
    const { id } = await createExport(call, { kind });
    await query('UPDATE export SET filter = $2 WHERE id = $1', [id, filter]);
    await writeExport(call, id);
    expect(await read(id)).toMatchObject({ status: 'failed' });
  });
});

it('puts an export off while its places are taken, and holds no job for it', async () => {
  await seedMuch();
  const ids: string[] = [];
  for (let n = 0; n < 4; n += 1) ids.push((await createExport(call, { kind: 'transactions' })).id);
  await Promise.all(ids.map((id) => writeExport(call, id)));
  const statuses = await query(
    'SELECT status, count(*)::integer AS n FROM export WHERE id = ANY ($1) GROUP BY 1 ORDER BY 1',
    [ids],
  );
  expect(statuses).toEqual([
    { status: 'completed', n: 2 },
    { status: 'pending', n: 2 },
  ]);
  const jobs = await query(
    `SELECT 1 FROM graphile_worker.jobs WHERE run_at <> created_at AND key = ANY ($1)`,
    [ids.map((id) => `export ${id}`)],
  );
  expect(jobs).toHaveLength(2);
});
