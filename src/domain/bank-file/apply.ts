import { inTransaction } from '../../db/pool.ts';
import { crashPoint } from '../../process/crash-point.ts';
import type { Call } from '../../process/services.ts';
import { bankProviderName } from '../../providers/bank-connection.ts';
import { backoffMs } from '../../queue/backoff.ts';
import { enqueue } from '../../queue/queue.ts';
import { jobKeyOf } from '../../queue/tasks.ts';
import { findGivenUp } from '../provider-event/given-up.ts';
import { applyChanges } from './apply-changes.ts';
import { applyLines, reconsiderLines } from './apply-lines.ts';
import { applyReturns } from './apply-returns.ts';
import { applyStatuses } from './apply-statuses.ts';
import { concludeFile } from './balance.ts';
import { findBankFile } from './file-store.ts';
import { noteMovedBatches } from './known-batches.ts';
import { dropStaged } from './stage-store.ts';
import { strayEvents } from './stray-event.ts';
import { keepStrays } from './stray-store.ts';

/** Pauses in seconds before the job looks again whether the events of the bank are applied. */
const pauses = [1, 2, 5, 15, 60];

/**
 * Applies what a file says, as a job: statuses, returns and changes of the ACH, then the lines, in bounded
 * transactions, each with the provider events that follow from it. The closing balance is reported when all events
 * of the bank are applied, since the books compare it with payouts that have moved. One that the worker has given up
 * goes to the desk and keeps no file waiting. Every step is guarded by what
 * it writes, so the job may die anywhere and run again.
 */
export async function applyBankFile(call: Call, fileId: string): Promise<void> {
  const { scope, services } = call;
  const { pool } = services;
  const file = await findBankFile(pool, scope, fileId);
  if (file?.status !== 'read' || file.appliedAt !== null) return;
  const provider = bankProviderName(file.connectionId);
  await applyStatuses(call, file, provider);
  await applyReturns(call, file, provider);
  await applyChanges(call, file);
  await applyLines(call, provider, file);
  if ((await findGivenUp(pool, provider)) !== null) {
    await reconsiderLines(call, provider, file.connectionId);
  }
  const givenUp = await findGivenUp(pool, provider);
  if (givenUp === null) {
    await comeAgain(call, fileId, file.readAt ?? file.receivedAt);
    return;
  }
  await noteMovedBatches(pool, scope, file.connectionId);
  await inTransaction(pool, async (client) => {
    if (!(await concludeFile(client, scope, file))) return;
    await keepStrays(client, scope, file, strayEvents(givenUp));
    await dropStaged(client, scope, fileId);
  });
  crashPoint('bank_file_applied');
}

async function comeAgain({ scope, services }: Call, fileId: string, since: Date): Promise<void> {
  const payload = { tenantId: scope.tenantId, fileId };
  const jobKey = jobKeyOf('apply_bank_file', payload);
  const waitMs = backoffMs(since, pauses);
  await inTransaction(services.pool, (client) =>
    enqueue(client, 'apply_bank_file', payload, { jobKey, waitMs }),
  );
}
