import type { PoolClient } from 'pg';
import { DomainError } from '../../errors/domain-error.ts';
import type { Call } from '../../process/services.ts';
import { isId } from '../../values/ids.ts';
import { changedConnection } from './draft.ts';
import { requireOwnFolder } from './own-folder.ts';
import { lockConnection, type BankConnection } from './store.ts';
import { assignBatches, findUnsentBatch, updateConnection } from './write-store.ts';

function connectionNotFound(): DomainError {
  return new DomainError('not_found', {
    message: 'The bank connection does not exist or is outside your environment.',
  });
}

/** The connection, locked until the transaction of `client` ends. Throws not_found. */
export async function requireConnection(
  client: PoolClient,
  call: Pick<Call, 'scope'>,
  connectionId: string,
): Promise<BankConnection> {
  const found = isId('bankConnection', connectionId)
    ? await lockConnection(client, call.scope, connectionId)
    : null;
  if (found === null) throw connectionNotFound();
  return found;
}

/**
 * Changes a connection in the transaction of `client`, which holds its lock: a route that is being made to it
 * comes wholly before or after. Its closed batches go the way of its transport from here on. Throws not_found,
 * validation_failed; conflict where somebody else changed it since `version`, where it is closed, and for the
 * closing of one to which a route leads, or of which a file is not at the bank: nothing would bring it there.
 */
export async function changeConnection(
  client: PoolClient,
  call: Call,
  connectionId: string,
  version: number,
  change: Parameters<typeof changedConnection>[2],
): Promise<BankConnection> {
  const before = await requireConnection(client, call, connectionId);
  const conflict = (message: string) => new DomainError('conflict', { message });
  if (before.status === 'closed') throw conflict('The bank connection is closed for good.');
  if (before.version !== version) {
    throw conflict(
      `The bank connection was changed since: its version is ${before.version}, not ${version}.`,
    );
  }
  if (change.status === 'closed') {
    const unsent = await findUnsentBatch(client, call.scope, connectionId);
    if (unsent !== null) {
      throw conflict(`The file ${unsent} of the bank connection is not known to be at the bank.`);
    }
  }
  const row = await changedConnection(call, before, change);
  // What shares a folder already can still be paused and closed.
  if (change.transport !== undefined || change.status === 'active') {
    await requireOwnFolder(client, { ...row, id: connectionId });
  }
  const changed = await updateConnection(client, call.scope, connectionId, version, row);
  if (changed === null) {
    throw conflict('A route leads to the bank connection. Replace the routes before closing it.');
  }
  await assignBatches(client, call.scope, connectionId);
  return changed;
}
