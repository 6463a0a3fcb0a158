import { named } from '../../db/named.ts';
import { platformStatement, rows, type Queryable } from '../../db/pool.ts';

/*
 * What was set up before the mailbox of a registration was proven can be a stranger's. Some of it goes on by itself,
 * without a key: webhooks are sent to an address, and links of payees open a form.
 */

const tenantsOf = platformStatement({
  name: 'tenants_of_businesses',
  text: 'SELECT t.id FROM tenant t WHERE t.business_id = ANY ($1::text[]) ORDER BY t.id',
});

async function idsOf(client: Queryable, businessIds: readonly string[]): Promise<string[]> {
  const found = await rows<{ id: string }>(client, tenantsOf, [businessIds]);
  return found.map(({ id }) => id);
}

const disable = named(
  'disable_webhook_subscription',
  ['tenant'],
  `
    UPDATE webhook_subscription s SET enabled = false, updated_at = now()
    WHERE s.tenant_id = @tenant AND s.enabled`,
);

const dropAddress = named(
  'drop_pending_webhook_address',
  ['tenant'],
  `
    UPDATE proposed_change c SET status = 'declined', answered_at = now(), payload_ciphertext = NULL
    WHERE c.tenant_id = @tenant AND c.kind = 'webhook_address' AND c.status = 'waiting'`,
);

/**
 * Disables the webhook subscriptions of businesses, in both of their environments, and drops the addresses that wait
 * for a confirmation. A member enables a subscription again.
 */
export async function disableWebhooks(
  client: Queryable,
  businessIds: readonly string[],
): Promise<void> {
  for (const tenant of await idsOf(client, businessIds)) {
    await rows(client, disable, disable.of({ tenant }));
    await rows(client, dropAddress, dropAddress.of({ tenant }));
  }
}

const closeLinks = named(
  'close_collection_links',
  ['tenant'],
  `
    UPDATE collection_request r SET expires_at = now()
    WHERE r.tenant_id = @tenant AND r.status = 'live' AND r.expires_at > now()`,
);

/**
 * Ends the time of all links that payees of businesses hold: from then on none opens a form. The job of expired
 * requests deletes their drafts within minutes.
 */
export async function closeCollectionLinks(
  client: Queryable,
  businessIds: readonly string[],
): Promise<void> {
  for (const tenant of await idsOf(client, businessIds)) {
    await rows(client, closeLinks, closeLinks.of({ tenant }));
  }
}
