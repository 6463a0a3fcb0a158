import type { Call, OperatorCall } from '../../process/services.ts';
import { parseInput } from '../../values/validate.ts';
import {
  operatorChange,
  operatorDraft,
  type ProviderConnectionChangeInput,
  type ProviderConnectionInput,
} from '../provider-connection/input.ts';
import { openSettings } from '../provider-connection/open.ts';
import type { ProviderConnection } from '../provider-connection/store.ts';
import {
  changeProviderConnection,
  connectProvider,
  requireProviderConnection,
} from '../provider-connection/write.ts';
import { orderChange, type OperatorChange } from './order-change.ts';

interface OfOperator {
  readonly businessId: string;
  readonly reason: string;
}

/** What whoever agrees reads of a connection, and the business afterwards: of its credentials their names alone. */
function shownOf(call: Call, row: ProviderConnection): Record<string, unknown> {
  const { settings, credentials } = openSettings(call, row);
  const { name, status, adapter } = row;
  return { name, status, adapter, settings, credentials: Object.keys(credentials).join(' ') };
}

/** Makes a connection of a business's production to a provider that is called. It is kept and told as one to a bank. */
export const providerConnect: OperatorChange<ProviderConnection> = {
  kind: 'bank_connect',
  action: 'operatorProviderConnect',
  told: 'bank_connected',
  parse: (given) => {
    const { businessId, reason, ...draft } = parseInput(operatorDraft, given);
    return {
      businessId,
      reason,
      decides: true,
      apply: async (client, call) => {
        const connection = await connectProvider(client, call, draft);
        return {
          result: connection,
          subjectId: connection.id,
          detail: { adapter: connection.adapter },
          before: null,
          after: shownOf(call, connection),
        };
      },
    };
  },
};

/** Changes one. A name and a status are changed by one operator. */
export const providerConnectionChange: OperatorChange<ProviderConnection> = {
  kind: 'bank_connection_change',
  action: 'operatorProviderConnectionChange',
  told: 'bank_connection_changed',
  parse: (given) => {
    const { businessId, reason, ...change } = parseInput(operatorChange, given);
    const anew = Object.keys(change.settings ?? {});
    return {
      businessId,
      reason,
      decides: anew.length > 0,
      apply: async (client, call) => {
        const before = await requireProviderConnection(client, call, change.connectionId);
        const shownBefore = shownOf(call, before);
        const changed = await changeProviderConnection(client, call, change);
        const { version, status } = changed;
        return {
          result: changed,
          subjectId: changed.id,
          detail: { version, status, changed: anew.join(' ') },
          before: shownBefore,
          after: { ...shownOf(call, changed), changed: anew.join(' ') },
        };
      },
    };
  },
};

/** Whether a kept order is about a provider that is called: an order about a bank has neither. */
export const isOfProvider = (given: object): boolean => 'adapter' in given || 'settings' in given;

/**
 * Connects a business's production to its account at a provider. Null where it waits for a second operator. Throws
 * not_found, validation_failed.
 */
export function connectProviderByOperator(
  call: OperatorCall,
  given: ProviderConnectionInput & OfOperator,
): Promise<ProviderConnection | null> {
  return orderChange(call, providerConnect, given);
}

/** Changes one. Null where it waits for a second operator. Throws not_found, and as `changeProviderConnection`. */
export function changeProviderByOperator(
  call: OperatorCall,
  given: ProviderConnectionChangeInput & OfOperator,
): Promise<ProviderConnection | null> {
  return orderChange(call, providerConnectionChange, given);
}
