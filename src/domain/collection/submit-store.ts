import type { PoolClient } from 'pg';
import type { Scope } from '../../access/scope.ts';
import { firstRow, type Queryable, type Statement } from '../../db/pool.ts';
import { wakeAfter } from '../../queue/outbox.ts';
import { recordTransitions } from '../beneficiary/transition-store.ts';
import { closeCollectionRequest } from './commands.gen.ts';
import { stateSql, type CollectionState } from './request.ts';

const requestLocked: Statement = {
  name: 'collection_request_locked',
  text: `
    SELECT r.draft_ciphertext AS draft, ${stateSql('r')} AS state
    FROM collection_request r WHERE r.tenant_id = $1 AND r.id = $2 FOR NO KEY UPDATE`,
};

/** A request's state and draft, locked against every other writer until the transaction ends. */
export function lockRequest(
  client: Queryable,
  scope: Scope,
  id: string,
): Promise<{ draft: Uint8Array | null; state: CollectionState } | null> {
  return firstRow(client, requestLocked, [scope.tenantId, id]);
}

/** Uses a live, locked request up. Throws when it was not live. */
export async function closeSubmitted(
  client: PoolClient,
  scope: Scope,
  request: string,
): Promise<void> {
  const [closed] = await closeCollectionRequest(client, scope.tenantId, { request });
  if (closed === undefined) throw new Error('a locked request stays live');
  if (closed.addsJob) wakeAfter(client);
}

const recordDetails: Statement = {
  name: 'record_details_submitted',
  text: `
    UPDATE beneficiary b SET
      collection_status = 'details_submitted', details_submitted_at = now(),
      transition_count = b.transition_count + 1, revision = b.revision + 1, updated_at = command.clock()
    WHERE b.tenant_id = $1 AND b.id = $2 AND b.archived_at IS NULL
    RETURNING b.id`,
};

/** Records that a payee completed its `full_onboarding` form. */
export async function recordSubmission(
  client: PoolClient,
  scope: Scope,
  id: string,
): Promise<void> {
  const recorded = await firstRow(client, recordDetails, [scope.tenantId, id]);
  if (recorded === null) throw new Error('an archived beneficiary has no live request');
  await recordTransitions(client, scope, [id], { kind: 'details_submitted' });
}
