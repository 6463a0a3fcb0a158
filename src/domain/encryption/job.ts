import { firstRow, inTransaction, platformStatement } from '../../db/pool.ts';
import { enqueue } from '../../queue/queue.ts';
import type { Services } from '../../process/services.ts';
import { newPass, rotatePage, type RotationPass } from './rotate.ts';
import { hasClearValues } from './store.ts';

/** A few seconds of work, so that a worker can stop soon and a killed one repeats little. */
const pagesForJob = 20;
/** One key, so that there is one rotation at a time. */
const jobKey = 'rotate_keys';

const liveRotation = platformStatement({
  name: 'live_rotation',
  text: `
    SELECT j.id FROM graphile_worker.jobs j
    WHERE j.key = $1 AND (j.locked_at IS NOT NULL OR j.attempts < j.max_attempts)`,
});

/**
 * Starts a walk over all encrypted columns unless one is under way. With a single key and no value in clear
 * there is nothing to do: the keyring could not open what another key encrypted.
 */
export async function startRotation(services: Services): Promise<void> {
  if (services.keyring.keyIds.length < 2 && !(await hasClearValues(services.pool))) return;
  const live = await firstRow(services.pool, liveRotation, [jobKey]);
  if (live === null) await enqueueSlice(services, newPass());
}

/** Does a bounded part of a walk. The payload of the next job says where to continue. */
export async function continueRotation(services: Services, pass: RotationPass): Promise<void> {
  let current = pass;
  for (let page = 0; page < pagesForJob; page += 1) {
    const { finished, ...next } = await rotatePage(services, current);
    current = next;
    if (!finished) continue;
    const { reencrypted, missed, unreadable } = current;
    services.log.info(
      { key: services.keyring.keyIds[0], reencrypted, missed, unreadable },
      'key rotation: finished one walk over all encrypted columns',
    );
    return;
  }
  await enqueueSlice(services, current);
}

async function enqueueSlice({ pool }: Services, pass: RotationPass): Promise<void> {
  await inTransaction(pool, (client) => enqueue(client, 'rotate_keys', { pass }, { jobKey }));
}
