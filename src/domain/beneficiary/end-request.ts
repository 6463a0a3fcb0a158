import type { PoolClient } from 'pg';
import type { Scope } from '../../access/scope.ts';
import { rows, type Statement } from '../../db/pool.ts';
import { endCollectionRequests } from './commands.gen.ts';
import { recordTransitions } from './transition-store.ts';

/** What `collection_status` is without a live `full_onboarding` link. */
export function statusWithoutLink(alias: string): string {
  return `CASE WHEN ${alias}.details_submitted_at IS NULL THEN 'not_invited' ELSE 'details_submitted' END`;
}

const loseLink: Statement = {
  name: 'beneficiary_without_collection_link',
  text: `
    UPDATE beneficiary b SET
      collection_status = ${statusWithoutLink('b')},
      transition_count = b.transition_count + 1, revision = b.revision + 1, updated_at = command.clock()
    WHERE b.tenant_id = $1 AND b.id = $2`,
};

/** How a request is to end, of which one (any live one by default), and why, for the history. */
export interface Ending {
  readonly as: 'canceled' | 'expired';
  readonly id?: string;
  readonly reason?: string;
}

/**
 * Ends the live collection request of a beneficiary that the transaction has locked: its links stop
 * working and its draft is deleted. Only a `full_onboarding` request changes the beneficiary and
 * leaves a record. A request whose time is over always ends as `expired`. False when there was none
 * to end.
 */
export async function endLiveRequest(
  client: PoolClient,
  scope: Scope,
  beneficiaryId: string,
  { as, id, reason }: Ending,
): Promise<boolean> {
  const { tenantId: tenant } = scope;
  const request = id ?? null;
  const [ended] = await endCollectionRequests(client, tenant, {
    beneficiaries: [beneficiaryId],
    request,
    as,
  });
  if (ended?.scope !== 'full_onboarding') return ended !== undefined;
  await rows(client, loseLink, [tenant, beneficiaryId]);
  const kind = ended.status === 'expired' ? 'invite_expired' : 'invite_canceled';
  await recordTransitions(client, scope, [beneficiaryId], { kind, reason: reason ?? null });
  return true;
}
