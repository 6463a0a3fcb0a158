import { inTransaction } from '../../db/pool.ts';
import type { OperatorCall } from '../../process/services.ts';
import { parseInput } from '../../values/validate.ts';
import { changeConnection } from '../bank-connection/change.ts';
import { draftConnection } from '../bank-connection/draft.ts';
import {
  connectionChange,
  connectionDraft,
  type ConnectionChange,
  type ConnectionDraft,
} from '../bank-connection/input.ts';
import { requireOwnFolder } from '../bank-connection/own-folder.ts';
import { insertConnection } from '../bank-connection/write-store.ts';
import { findFetches } from '../bank-file/fetch-store.ts';
import { recordAction, requireTenant } from './action.ts';
import type { OperatedConnection } from './banking.ts';

/**
 * Connects a business's production tenant to its account at a bank. The identifiers of the account and what
 * opens the transport are stored encrypted. A file of each scheme is tried in memory, so that what the bank
 * would miss is told at once. Throws not_found, validation_failed.
 */
export async function connectBankByOperator(
  call: OperatorCall,
  given: ConnectionDraft,
): Promise<OperatedConnection> {
  const { businessId, reason, ...draft } = parseInput(connectionDraft, given);
  const { services, operator } = call;
  return inTransaction(services.pool, async (client) => {
    const scope = await requireTenant(client, operator, businessId, 'production');
    const row = await draftConnection({ scope, services }, draft);
    await requireOwnFolder(client, row);
    const connection = await insertConnection(client, scope, row);
    await recordAction(client, operator, {
      action: 'operatorBankConnect',
      businessId,
      environment: 'production',
      subjectId: connection.id,
      reason,
      detail: { transport: connection.transport, schemes: connection.schemes.join(' ') },
    });
    return { ...connection, fetch: null };
  });
}

/**
 * Changes a production connection whose version is the one that the operator saw; what is absent stays. A
 * paused one makes and sends no files; a closed one never does again. Throws not_found, validation_failed;
 * conflict where somebody changed it since, where it is closed, and for the closing of one to which a route leads.
 */
export async function changeConnectionByOperator(
  call: OperatorCall,
  given: ConnectionChange,
): Promise<OperatedConnection> {
  const input = parseInput(connectionChange, given);
  const { businessId, connectionId, version, reason, ...change } = input;
  const { services, operator } = call;
  return inTransaction(services.pool, async (client) => {
    const scope = await requireTenant(client, operator, businessId, 'production');
    const place = { scope, services };
    const changed = await changeConnection(client, place, connectionId, version, change);
    const named = Object.entries(change).filter(([, value]) => value !== undefined);
    await recordAction(client, operator, {
      action: 'operatorBankConnectionChange',
      businessId,
      environment: 'production',
      subjectId: connectionId,
      reason,
      detail: {
        version: changed.version,
        status: changed.status,
        changed: named.map(([field]) => field).join(' '),
      },
    });
    const fetches = await findFetches(client, scope, [connectionId]);
    return { ...changed, fetch: fetches.get(connectionId) ?? null };
  });
}
