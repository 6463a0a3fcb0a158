import { platformStatement } from '../../db/pool.ts';
import { rowsAcross } from '../../db/reach.ts';
import type { Services } from '../../process/services.ts';
import { enqueueMissing } from '../../queue/queue.ts';

/*
 * These statements look across all tenants, so they name none. What they find is then handled in the scope of
 * its own tenant.
 */

const waitingConnections = platformStatement({
  name: 'waiting_bank_connections',
  text: `
    SELECT DISTINCT w.tenant_id AS "tenantId", w.connection_id AS "connectionId" FROM across.bank_waiting w
    ORDER BY 1, 2`,
});

/** Leaves out what an operator has to decide or to carry. */
const openBatches = platformStatement({
  name: 'open_bank_batches',
  text: `
    SELECT b.tenant_id AS "tenantId", b.id AS "batchId" FROM across.bank_batch b
    WHERE b.taken_at IS NULL AND b.status <> 'rejected' AND b.status <> 'unknown' AND NOT b.needs_operator
    ORDER BY b.closed_at LIMIT 500`,
});

/**
 * Adds a job for each connection in whose queues something waits, and for each file that is not at its bank
 * or whose payments are not recorded yet. The jobs decide whether anything is due. Safe to run twice at once.
 */
export async function sweepBankBatches({ pool }: Services): Promise<void> {
  const waiting = await rowsAcross<{ tenantId: string; connectionId: string }>(
    pool,
    waitingConnections,
    [],
  );
  await enqueueMissing(
    pool,
    'close_bank_batch',
    waiting.map((payload) => ({ payload })),
  );
  const open = await rowsAcross<{ tenantId: string; batchId: string }>(pool, openBatches, []);
  await enqueueMissing(
    pool,
    'send_bank_batch',
    open.map((payload) => ({ payload })),
  );
}
