import { z } from 'zod';
import { sweepDeliveries } from '../src/domain/webhook/schedule/sweep.ts';
import { task } from './task.ts';

/** Gives a job to each due webhook delivery that has none: every minute, then on from there. */
export const sweepWebhooks = task(
  'sweep_webhooks',
  z.object({
    after: z
      .object({ nextAttemptAt: z.iso.datetime(), tenantId: z.string(), id: z.string() })
      .nullable()
      .default(null),
  }),
  async ({ after }, services) => {
    await sweepDeliveries(services, after);
  },
);
