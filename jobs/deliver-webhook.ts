import { z } from 'zod';
import { jobScope } from '../src/access/system.ts';
import { deliverWebhook as deliver } from '../src/domain/webhook/delivery/deliver.ts';
import { task } from './task.ts';

/** Makes one attempt of a webhook delivery; the attempt adds the job of the next one. */
export const deliverWebhook = task(
  'deliver_webhook',
  z.object({
    tenantId: z.string(),
    deliveryId: z.string(),
    replay: z.literal(true).exactOptional(),
  }),
  async ({ tenantId, deliveryId, replay }, services) => {
    const scope = await jobScope(services.pool, tenantId, { type: 'system', name: 'webhooks' });
    await deliver({ services, scope }, deliveryId, { replay: replay === true });
  },
);
