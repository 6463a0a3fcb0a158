import type { PoolClient } from 'pg';
import { Prisma, type WebhookSubscription } from '../../../../generated/prisma/client.ts';
import type { Scope } from '../../../access/scope.ts';
import { columns } from '../../../db/columns.ts';
import { named } from '../../../db/named.ts';
import { firstRow, type Queryable, type Statement } from '../../../db/pool.ts';
import type { EventType } from '../../event/types.ts';

const fields = Prisma.WebhookSubscriptionScalarFieldEnum;

const subscriptionId: Statement = {
  name: 'webhook_subscription_id',
  text: 'SELECT s.id FROM webhook_subscription s WHERE s.tenant_id = $1',
};

/** The id of the tenant's subscription, or null. */
export async function findSubscriptionId(client: Queryable, scope: Scope): Promise<string | null> {
  const row = await firstRow<{ id: string }>(client, subscriptionId, [scope.tenantId]);
  return row?.id ?? null;
}

const locked = named(
  'lock_webhook_subscription',
  ['tenant'],
  `SELECT ${columns(fields, 's')} FROM webhook_subscription s WHERE s.tenant_id = @tenant FOR UPDATE`,
);

/** The tenant's subscription, locked until the transaction ends; null when there is none. */
export function lockSubscription(
  client: PoolClient,
  { tenantId: tenant }: Scope,
): Promise<WebhookSubscription | null> {
  return firstRow<WebhookSubscription>(client, locked, locked.of({ tenant }));
}

export interface Registration {
  readonly id: string;
  readonly url: string;
  readonly enabledEvents: readonly EventType[];
  /** Encrypted for this very id. */
  readonly secretCiphertext: Buffer;
}

const insertSubscription = named(
  'insert_webhook_subscription',
  [
    'tenant',
    'subscription',
    'url',
    'enabled_events',
    'secret_ciphertext',
    'api_version',
    'enabled',
  ],
  `
    INSERT INTO webhook_subscription AS s (tenant_id, id, url, enabled_events, secret_ciphertext, api_version, enabled)
    VALUES (@tenant, @subscription, @url, @enabled_events, @secret_ciphertext, @api_version, @enabled)
    ON CONFLICT (tenant_id) DO NOTHING
    RETURNING ${columns(fields, 's')}`,
);

/** The new subscription, or null when the tenant has one. */
export function addSubscription(
  client: Queryable,
  scope: Scope,
  registration: Registration,
  { apiVersion, enabled }: { readonly apiVersion: string; readonly enabled: boolean },
): Promise<WebhookSubscription | null> {
  const values = insertSubscription.of({
    tenant: scope.tenantId,
    subscription: registration.id,
    url: registration.url,
    enabled_events: registration.enabledEvents,
    secret_ciphertext: registration.secretCiphertext,
    api_version: apiVersion,
    enabled,
  });
  return firstRow<WebhookSubscription>(client, insertSubscription, values);
}

/** The id is the guard: a secret encrypted for one subscription does not open in another. */
const replaceSubscription: Statement = {
  name: 'replace_webhook_subscription',
  text: `
    UPDATE webhook_subscription s SET
      url = $3, enabled_events = $4, secret_ciphertext = $5, updated_at = now()
    WHERE s.tenant_id = $1 AND s.id = $2
    RETURNING ${columns(fields, 's')}`,
};

/** The subscription with its new secret, or null when it is no longer there. */
export function replaceRegistration(
  client: Queryable,
  scope: Scope,
  { id, url, enabledEvents, secretCiphertext }: Registration,
): Promise<WebhookSubscription | null> {
  const values = [scope.tenantId, id, url, enabledEvents, secretCiphertext] as const;
  return firstRow<WebhookSubscription>(client, replaceSubscription, values);
}

/**
 * Enabling makes deliveries due at once that were put off in the meantime or wait for a retry, but those
 * of a replay not before the time that the replay gave them.
 */
const updateSubscription: Statement = {
  name: 'update_webhook_subscription',
  text: `
    WITH updated AS (
      UPDATE webhook_subscription s SET
        url = coalesce($2, s.url),
        enabled_events = coalesce($3, s.enabled_events),
        enabled = coalesce($4, s.enabled),
        updated_at = now()
      WHERE s.tenant_id = $1
      RETURNING old.enabled AS was_enabled, new.*
    ),
    resumed AS (
      UPDATE webhook_delivery d SET next_attempt_at = greatest(now(), d.replay_at)
      FROM updated u
      WHERE u.enabled AND NOT u.was_enabled
        AND d.tenant_id = $1 AND d.subscription_id = u.id AND d.status = 'pending'
      RETURNING d.id
    )
    SELECT ${columns(fields, 'u')}, (SELECT count(*) FROM resumed) AS resumed
    FROM updated u`,
};

export interface SubscriptionChange {
  readonly url: string | null;
  readonly enabledEvents: readonly EventType[] | null;
  readonly enabled: boolean | null;
}

/** Changes what is not null. Null when there is no subscription; else it and the deliveries made due. */
export async function changeSubscription(
  client: PoolClient,
  scope: Scope,
  change: SubscriptionChange,
): Promise<{ subscription: WebhookSubscription; resumed: number } | null> {
  const row = await firstRow<WebhookSubscription & { resumed: bigint }>(
    client,
    updateSubscription,
    [scope.tenantId, change.url, change.enabledEvents, change.enabled],
  );
  if (row === null) return null;
  const { resumed, ...subscription } = row;
  return { subscription, resumed: Number(resumed) };
}

/** Deliveries that are on their way to a subscription end with it; their records stay. */
const deleteSubscription: Statement = {
  name: 'delete_webhook_subscription',
  text: `
    WITH gone AS (
      DELETE FROM webhook_subscription s WHERE s.tenant_id = $1 RETURNING s.id
    ),
    canceled AS (
      UPDATE webhook_delivery d SET status = 'canceled', next_attempt_at = NULL, completed_at = now()
      FROM gone g
      WHERE d.tenant_id = $1 AND d.subscription_id = g.id AND d.status = 'pending'
    ),
    forgotten AS (
      DELETE FROM webhook_endpoint_failure f USING gone g WHERE f.tenant_id = $1 AND f.subscription_id = g.id
    )
    SELECT id FROM gone`,
};

/** The id of the subscription that was deleted, or null when there was none. */
export async function removeSubscription(client: Queryable, scope: Scope): Promise<string | null> {
  const row = await firstRow<{ id: string }>(client, deleteSubscription, [scope.tenantId]);
  return row?.id ?? null;
}
