import { z } from 'zod';
import { jobScope } from '../src/access/system.ts';
import { performSimulation } from '../src/domain/sandbox/simulate.ts';
import { simulatedEvents } from '../src/values/simulated-event.ts';
import { task } from './task.ts';

/** Makes an event happen to a payout at the simulator; its own event then moves the payout. */
export const simulatePayoutEvent = task(
  'simulate_payout_event',
  z.object({ tenantId: z.string(), payoutId: z.string(), event: z.enum(simulatedEvents) }),
  async ({ tenantId, payoutId, event }, services) => {
    const scope = await jobScope(services.pool, tenantId, { type: 'system', name: 'simulation' });
    await performSimulation({ services, scope }, payoutId, event);
  },
);
