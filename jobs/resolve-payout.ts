import { z } from 'zod';
import { resolvePayout as resolve } from '../src/domain/operator/resolve-payout.ts';
import { task } from './task.ts';

/** Carries out an operator's order to settle a payout whose outcome is not known. */
export const resolvePayout = task(
  'resolve_payout',
  z.object({ tenantId: z.string(), payoutId: z.string(), actionId: z.uuid() }),
  (order, services) => resolve(services, order),
);
