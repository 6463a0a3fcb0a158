import { firstRow, inTransaction, platformStatement, rows, type Statement } from '../../db/pool.ts';
import { rowsAcross } from '../../db/reach.ts';
import { newId } from '../../values/ids.ts';
import { enqueue, enqueueMissing } from '../../queue/queue.ts';
import { jobKeyOf } from '../../queue/tasks.ts';
import type { Services } from '../../process/services.ts';
import { csvFilename, type ExportKind } from './csv.ts';

/** Bound of one statement; the next minute takes the rest. */
const batchSize = 500;

interface Due {
  readonly tenantId: string;
  readonly scheduleId: string;
}

/** The schedules of all tenants that are due. */
const dueSchedules = platformStatement({
  name: 'due_export_schedules',
  text: `
    SELECT s.tenant_id AS "tenantId", s.id AS "scheduleId" FROM across.export_schedule s
    WHERE s.ended_at IS NULL AND s.next_run_at <= now()
    ORDER BY s.next_run_at LIMIT $1`,
});

/**
 * Claims a schedule that is due, and moves it to its next time in the future: after an outage one export is
 * made, not one for each time that was missed. The next time is computed on the calendar, because months
 * differ in length. First the number of intervals since the last time is estimated in seconds. PostgreSQL
 * counts a month as thirty days and a real one has 28 to 31, so only a few numbers near the estimate have to
 * be tried. One that another worker claims at the same moment is left to it.
 */
const claimDue: Statement = {
  name: 'claim_due_export_schedule',
  text: `
    WITH due AS (
      SELECT q.id, clock.now AS now, coalesce(
        (
          SELECT min(b.start + n * q.every)
          FROM (SELECT greatest(q.next_run_at, clock.now - interval '100 years') AS start) b,
            LATERAL (
              SELECT extract(epoch FROM clock.now - b.start)::float8 / extract(epoch FROM q.every)::float8 AS steps
            ) e,
            generate_series(
              greatest(floor(e.steps * 30 / 31) - 1, 1)::bigint, ceil(e.steps * 30 / 28)::bigint + 2
            ) AS n
          WHERE b.start + n * q.every > clock.now
        ),
        clock.now + q.every
      ) AS next_run_at
      FROM export_schedule q, (SELECT now()) AS clock
      WHERE q.tenant_id = $1 AND q.id = $2 AND q.ended_at IS NULL AND q.next_run_at <= clock.now
      FOR UPDATE OF q SKIP LOCKED
    )
    UPDATE export_schedule s SET next_run_at = due.next_run_at
    FROM due WHERE s.tenant_id = $1 AND s.id = due.id
    RETURNING s.kind, s.filter`,
};

const environmentOf = platformStatement({
  name: 'environment_of_export_schedule',
  text: 'SELECT t.environment FROM tenant t WHERE t.id = $1',
});

const insertScheduled: Statement = {
  name: 'insert_scheduled_export',
  text: `
    INSERT INTO export (tenant_id, id, kind, filter, filename, schedule_id, requested_by)
    VALUES ($1, $2, $3, $4::jsonb, $5, $6, '{"type": "system", "name": "export_schedule"}')`,
};

/** An export that waits or is written, of all tenants; the job of a young one may not have begun. */
const liveExports = platformStatement({
  name: 'live_exports',
  text: `
    SELECT x.tenant_id AS "tenantId", x.id AS "exportId" FROM across.export x
    WHERE x.status IN ('pending', 'running') AND x.created_at < now() - interval '2 minutes'
    ORDER BY x.created_at LIMIT $1`,
});

/** Claims a schedule and makes its export, in a transaction of its tenant; false when another worker has. */
function startDue({ pool }: Services, { tenantId, scheduleId }: Due): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const claimed = await firstRow<{ kind: ExportKind; filter: object }>(client, claimDue, [
      tenantId,
      scheduleId,
    ]);
    if (claimed === null) return false;
    const tenant = await firstRow<{ environment: string }>(client, environmentOf, [tenantId]);
    if (tenant === null) throw new Error(`no tenant ${tenantId}`);
    const { kind, filter } = claimed;
    const exportId = newId('export');
    const filename = csvFilename(kind, tenant.environment, new Date());
    const values = [
      tenantId,
      exportId,
      kind,
      JSON.stringify(filter),
      filename,
      scheduleId,
    ] as const;
    await rows(client, insertScheduled, values);
    const payload = { tenantId, exportId };
    await enqueue(client, 'write_export', payload, { jobKey: jobKeyOf('write_export', payload) });
    return true;
  });
}

interface DueExport {
  readonly tenantId: string;
  readonly exportId: string;
}

/** Adds a job for each export that lost its own, so that none waits without end. */
async function reviveLost({ pool, log }: Services): Promise<void> {
  const live = await rowsAcross<DueExport & Record<string, unknown>>(pool, liveExports, [
    batchSize,
  ]);
  const added = await enqueueMissing(
    pool,
    'write_export',
    live.map((payload) => ({ payload })),
  );
  if (added > 0) log.warn({ exports: added }, 'added jobs for exports without a job');
}

/**
 * Starts the exports that are due by a schedule, each once however many workers look, and those that
 * lost their job. Returns how many schedules were due.
 */
export async function startDueExports(services: Services): Promise<number> {
  let started = 0;
  for (const due of await rowsAcross<Due & Record<string, unknown>>(services.pool, dueSchedules, [
    batchSize,
  ])) {
    if (await startDue(services, due)) started += 1;
  }
  await reviveLost(services);
  return started;
}
