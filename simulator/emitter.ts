import type { Delivery } from './delivery.ts';
import { newSimulatorId } from './model.ts';
import type { SimulatorEvent } from './model.ts';
import { commit } from './operations.ts';
import type { OperationsContext } from './operations.ts';

export interface Emitted {
  /** Resolves after the first try to deliver it, whether or not it was taken. */
  readonly firstTry: Promise<void>;
}

export interface Emitter {
  /** The clock of events, in milliseconds since 1970. A fault may set it apart from the simulator's own. */
  now(): number;
  /** Makes an event happen: in memory at once, and sent as soon as it is on disk. */
  emit(type: string, data: SimulatorEvent['data']): Promise<Emitted>;
}

export function createEmitter(
  context: OperationsContext,
  delivery: Pick<Delivery, 'enqueue'>,
  now: () => number,
): Emitter {
  return {
    now,
    async emit(type, data) {
      const occurredAt = new Date(now()).toISOString();
      const event = { id: newSimulatorId('sev'), type, occurred_at: occurredAt, data };
      await commit(context, { kind: 'event', event });
      return { firstTry: delivery.enqueue(event) };
    },
  };
}
