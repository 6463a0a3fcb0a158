import type { PoolClient } from 'pg';
import { Prisma, type WebhookDelivery } from '../../../../generated/prisma/client.ts';
import type { Scope } from '../../../access/scope.ts';
import { columns } from '../../../db/columns.ts';
import { firstRow, rows, type Queryable, type Statement } from '../../../db/pool.ts';
import { newId } from '../../../values/ids.ts';
import { testEventType } from '../../event/types.ts';

const deliveryColumns = columns(Prisma.WebhookDeliveryScalarFieldEnum, 'd');

/** Goes to the current subscription, which may be another than the delivery was planned for. */
const redelivery: Statement = {
  name: 'redeliver_webhook',
  text: `
    UPDATE webhook_delivery d SET
      status = 'pending', subscription_id = s.id, next_attempt_at = now(), completed_at = NULL,
      round_start = d.attempts, replay_at = NULL
    FROM webhook_subscription s
    WHERE s.tenant_id = $1 AND s.enabled AND d.tenant_id = $1 AND d.id = $2
    RETURNING ${deliveryColumns}`,
};

/** The delivery with a fresh budget of attempts; null without it or without an enabled subscription. */
export function restartDelivery(
  client: PoolClient,
  scope: Scope,
  deliveryId: string,
): Promise<WebhookDelivery | null> {
  return firstRow<WebhookDelivery>(client, redelivery, [scope.tenantId, deliveryId]);
}

const deliveryId: Statement = {
  name: 'webhook_delivery_id',
  text: 'SELECT d.id FROM webhook_delivery d WHERE d.tenant_id = $1 AND d.id = $2',
};

export async function deliveryExists(
  client: Queryable,
  scope: Scope,
  id: string,
): Promise<boolean> {
  return (await firstRow(client, deliveryId, [scope.tenantId, id])) !== null;
}

const insertSample: Statement = {
  name: 'insert_webhook_test_event',
  text: `
    INSERT INTO event (tenant_id, id, payout_id, type, data)
    VALUES ($1, $2, NULL, '${testEventType}', $3::jsonb)`,
};

const insertTest: Statement = {
  name: 'insert_webhook_test',
  text: `
    INSERT INTO webhook_delivery AS d (tenant_id, id, event_id, event_type, subscription_id, next_attempt_at)
    VALUES ($1, $2, $3, '${testEventType}', $4, now())
    RETURNING ${deliveryColumns}`,
};

const enabledSubscription: Statement = {
  name: 'enabled_webhook_subscription',
  text: 'SELECT s.id FROM webhook_subscription s WHERE s.tenant_id = $1 AND s.enabled FOR SHARE',
};

/** The delivery of a new test event with `data`; null without an enabled subscription. */
export async function insertTestDelivery(
  client: PoolClient,
  { tenantId }: Scope,
  data: Readonly<Record<string, string | null>>,
): Promise<WebhookDelivery | null> {
  const subscription = await firstRow<{ id: string }>(client, enabledSubscription, [tenantId]);
  if (subscription === null) return null;
  const event = newId('event');
  await rows(client, insertSample, [tenantId, event, JSON.stringify(data)]);
  const values = [tenantId, newId('webhookDelivery'), event, subscription.id] as const;
  return firstRow<WebhookDelivery>(client, insertTest, values);
}
