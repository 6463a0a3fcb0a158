import { z } from 'zod';
import { reconcilePayouts as reconcile } from '../src/domain/reconciliation/reconcile.ts';
import { task } from './task.ts';

/** Brings payouts on that stand still: lost jobs, silent providers. Runs every minute. */
export const reconcilePayouts = task('reconcile_payouts', z.object({}), (_payload, services) =>
  reconcile(services),
);
