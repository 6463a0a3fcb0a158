import type { OperatorCall } from '../../process/services.ts';
import { parseInput } from '../../values/validate.ts';
import { changeConnection, requireConnection } from '../bank-connection/change.ts';
import { draftConnection } from '../bank-connection/draft.ts';
import {
  connectionChange,
  connectionDraft,
  partTransport,
  type ConnectionChange,
  type ConnectionDraft,
} from '../bank-connection/input.ts';
import { requireOwnFolder } from '../bank-connection/own-folder.ts';
import { credentialsOf, factsOf, madeOf } from '../bank-connection/shown.ts';
import { insertConnection } from '../bank-connection/write-store.ts';
import { findFetches } from '../bank-file/fetch-store.ts';
import type { OperatedConnection } from './banking.ts';
import { orderChange, type OperatorChange } from './order-change.ts';

/** Makes a connection of a business's production. */
export const bankConnect: OperatorChange<OperatedConnection> = {
  kind: 'bank_connect',
  action: 'operatorBankConnect',
  told: 'bank_connected',
  parse: (given) => {
    const { businessId, reason, ...draft } = parseInput(connectionDraft, given);
    return {
      businessId,
      reason,
      decides: true,
      apply: async (client, call) => {
        const row = await draftConnection(call, draft);
        await requireOwnFolder(client, row);
        const connection = await insertConnection(client, call.scope, row);
        return {
          result: { ...connection, fetch: null },
          subjectId: connection.id,
          detail: { transport: connection.transport, schemes: connection.schemes.join(' ') },
          before: null,
          after: madeOf(call, connection),
        };
      },
    };
  },
};

/** What decides neither where money goes nor where it is asked for: one operator changes it. */
const ofOneOperator = new Set([
  'status',
  'name',
  'cutOffTime',
  'timeZone',
  'calendar',
  'leadBankDays',
  'returnBankDays',
  'maxPayments',
]);

const namesOf = (change: object): string[] =>
  Object.entries(change).flatMap(([name, value]) => (value === undefined ? [] : [name]));

/** Changes a connection of a business's production. */
export const bankConnectionChange: OperatorChange<OperatedConnection> = {
  kind: 'bank_connection_change',
  action: 'operatorBankConnectionChange',
  told: 'bank_connection_changed',
  parse: (given) => {
    const input = parseInput(connectionChange, given);
    const { businessId, connectionId, version, reason, ...change } = input;
    const names = namesOf(change);
    const { transport } = change;
    const anew = transport !== undefined && partTransport(transport).credentials !== null;
    return {
      businessId,
      reason,
      decides: names.some((name) => !ofOneOperator.has(name)),
      apply: async (client, call) => {
        const before = await requireConnection(client, call, connectionId);
        const changed = await changeConnection(client, call, connectionId, version, change);
        const fetches = await findFetches(client, call.scope, [connectionId]);
        return {
          result: { ...changed, fetch: fetches.get(connectionId) ?? null },
          subjectId: connectionId,
          detail: { version: changed.version, status: changed.status, changed: names.join(' ') },
          before: {
            ...factsOf(call, before, names),
            ...(anew && { credentials: credentialsOf(before) }),
          },
          after: { ...factsOf(call, changed, names), ...(anew && { credentials: 'given anew' }) },
        };
      },
    };
  },
};

/**
 * Connects a business's production tenant to its account at a bank. The identifiers of the account and what
 * opens the transport are stored encrypted. A file of each scheme is tried in memory, so that what the bank
 * would miss is told at once. Null where it waits for a second operator. Throws not_found, validation_failed.
 */
export function connectBankByOperator(
  call: OperatorCall,
  given: ConnectionDraft,
): Promise<OperatedConnection | null> {
  return orderChange(call, bankConnect, given);
}

/**
 * Changes a production connection whose version is the one that the operator saw; what is absent stays. A
 * paused one makes and sends no files; a closed one never does again. Null where it waits for a second operator.
 * Throws not_found, validation_failed; conflict where somebody changed it since, where it is closed, and for the
 * closing of one to which a route leads.
 */
export function changeConnectionByOperator(
  call: OperatorCall,
  given: ConnectionChange,
): Promise<OperatedConnection | null> {
  return orderChange(call, bankConnectionChange, given);
}
