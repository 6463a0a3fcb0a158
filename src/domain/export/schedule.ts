import { inTransaction, rows, type Statement } from '../../db/pool.ts';
import { newId } from '../../values/ids.ts';
import { enqueueMany, enqueueMissing } from '../../queue/queue.ts';
import { jobKeyOf } from '../../queue/tasks.ts';
import type { Services } from '../../process/services.ts';
import { csvFilename, type ExportKind } from './csv.ts';

/** Bound of one statement; the next minute takes the rest. */
const batchSize = 500;

interface Due {
  readonly tenantId: string;
  readonly scheduleId: string;
  readonly kind: ExportKind;
  readonly filter: unknown;
  readonly environment: string;
}

/**
 * Claims the schedules of all tenants that are due, and moves each to its next time in the future:
 * after an outage one export is made, not one for each time that was missed. The next time is
 * computed on the calendar, because months differ in length. First the number of intervals since the
 * last time is estimated in seconds. PostgreSQL counts a month as thirty days and a real one has 28
 * to 31, so only a few numbers near the estimate have to be tried. Two workers at once claim
 * different rows.
 */
const claimDue: Statement = {
  name: 'claim_due_export_schedules',
  text: `
    WITH due AS (
      SELECT s.tenant_id, s.id FROM export_schedule s
      WHERE s.ended_at IS NULL AND s.next_run_at <= now()
      ORDER BY s.next_run_at LIMIT $1
      FOR UPDATE SKIP LOCKED
    )
    UPDATE export_schedule s SET next_run_at = (
      SELECT coalesce(min(b.start + n * s.every), now() + s.every)
      FROM (SELECT greatest(s.next_run_at, now() - interval '100 years') AS start) b,
        LATERAL (
          SELECT extract(epoch FROM now() - b.start)::float8 / extract(epoch FROM s.every)::float8 AS steps
        ) e,
        generate_series(
          greatest(floor(e.steps * 30 / 31) - 1, 1)::bigint, ceil(e.steps * 30 / 28)::bigint + 2
        ) AS n
      WHERE b.start + n * s.every > now()
    )
    FROM due JOIN tenant t ON t.id = due.tenant_id
    WHERE s.tenant_id = due.tenant_id AND s.id = due.id
    RETURNING s.tenant_id AS "tenantId", s.id AS "scheduleId", s.kind, s.filter, t.environment`,
};

const insertScheduled: Statement = {
  name: 'insert_scheduled_exports',
  text: `
    INSERT INTO export (tenant_id, id, kind, filter, filename, schedule_id, requested_by)
    SELECT x.tenant_id, x.id, x.kind, x.filter, x.filename, x.schedule_id,
      '{"type": "system", "name": "export_schedule"}'
    FROM jsonb_to_recordset($1::jsonb) AS x (
      tenant_id text, id text, kind text, filter jsonb, filename text, schedule_id uuid
    )`,
};

/** An export that waits or is written, of all tenants; the job of a young one may not have begun. */
const liveExports: Statement = {
  name: 'live_exports',
  text: `
    SELECT x.tenant_id AS "tenantId", x.id AS "exportId" FROM export x
    WHERE x.status IN ('pending', 'running') AND x.created_at < now() - interval '2 minutes'
    ORDER BY x.created_at LIMIT $1`,
};

function newRow(due: Due, now: Date) {
  return {
    tenant_id: due.tenantId,
    id: newId('export'),
    kind: due.kind,
    filter: due.filter,
    filename: csvFilename(due.kind, due.environment, now),
    schedule_id: due.scheduleId,
  };
}

interface Waiting {
  readonly tenantId: string;
  readonly exportId: string;
}

/** Adds a job for each export that lost its own, so that none waits without end. */
async function reviveLost({ pool, log }: Services): Promise<void> {
  const live = await rows<Waiting>(pool, liveExports, [batchSize]);
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
  const started = await inTransaction(services.pool, async (client) => {
    const due = await rows<Due>(client, claimDue, [batchSize]);
    if (due.length === 0) return 0;
    const now = new Date();
    const made = due.map((entry) => newRow(entry, now));
    await rows(client, insertScheduled, [JSON.stringify(made)]);
    const payloads = made.map(({ tenant_id, id }) => ({ tenantId: tenant_id, exportId: id }));
    const options = payloads.map((payload) => ({ jobKey: jobKeyOf('write_export', payload) }));
    await enqueueMany(client, 'write_export', payloads, options);
    return due.length;
  });
  await reviveLost(services);
  return started;
}
