import { Prisma, type WebhookDeliveryAttempt } from '../../../../generated/prisma/client.ts';
import { childrenReader } from '../../children.ts';

/** The attempts of some deliveries. */
export const readAttempts = childrenReader<WebhookDeliveryAttempt>({
  name: 'attempts_of_deliveries',
  table: 'webhook_delivery_attempt',
  fields: Prisma.WebhookDeliveryAttemptScalarFieldEnum,
  parent: 'delivery_id',
  number: 'number',
});
