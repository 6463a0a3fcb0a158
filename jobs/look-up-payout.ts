import { z } from 'zod';
import { lookUpPayout as lookUp } from '../src/domain/operator/look-up-payout.ts';
import { task } from './task.ts';

/** Carries out an operator's order to ask the provider about a payout. */
export const lookUpPayout = task(
  'look_up_payout',
  z.object({ tenantId: z.string(), payoutId: z.string(), actionId: z.uuid() }),
  (order, services) => lookUp(services, order),
);
