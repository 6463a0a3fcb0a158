import { setTimeout as sleep } from 'node:timers/promises';
import { eventTypes } from '../../../src/domain/event/types.ts';
import { addPayee, pay, type Payee, registerBusiness } from './business.ts';
import type { Caller } from './client.ts';
import type { World } from './world.ts';

const payoutsAtATime = 6;

/** Destinations whose payouts settle, fail and are returned. */
const endings = ['6789', '6789', '6789', '0001', '0002', '0003'];

/** Payouts that keep coming. */
export interface Load {
  /** How many were begun. */
  made(): number;
  /** The ids of those that the service acknowledged, created and approved. */
  acknowledged(): readonly string[];
  /** Why a caller gave up, or null. */
  failure(): Error | null;
  /** Begins no more; resolves once those under way are answered. */
  stop(): Promise<void>;
}

/** Registers a business with a subscription to all events, and keeps paying its payees. */
export async function startLoad(world: Pick<World, 'address' | 'receiver'>): Promise<Load> {
  const call = await registerBusiness(world.address);
  await call('POST', '/v1/webhook-subscriptions', {
    url: world.receiver.url,
    enabled_events: eventTypes,
  });
  const payees = await Promise.all(endings.map((ending) => addPayee(call, ending)));
  return keepPaying(call, payees);
}

function keepPaying(call: Caller, payees: readonly Payee[]): Load {
  let stopping = false;
  let made = 0;
  const acknowledged: string[] = [];
  let failure: Error | null = null;
  const lane = async (number: number): Promise<void> => {
    while (!stopping && failure === null) {
      const payee = payees[made % payees.length];
      if (payee === undefined) return;
      made += 1;
      try {
        const id = await pay(call, payee, {
          auto: (made + number) % 2 === 0,
          amountMinor: 100 + made,
        });
        acknowledged.push(id);
      } catch (error) {
        failure = error instanceof Error ? error : new Error(String(error));
      }
      await sleep(100);
    }
  };
  const lanes = Array.from({ length: payoutsAtATime }, (_, number) => lane(number));
  return {
    made: () => made,
    acknowledged: () => acknowledged,
    failure: () => failure,
    async stop() {
      stopping = true;
      await Promise.all(lanes);
    },
  };
}
