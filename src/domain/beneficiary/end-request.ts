import type { Scope } from '../../access/scope.ts';
import { named } from '../../db/named.ts';
import { firstRow, type Queryable } from '../../db/pool.ts';
import { transitionCte } from './write-store.ts';

/** What `collection_status` is without a live `full_onboarding` link. */
export function statusWithoutLink(alias: string): string {
  return `CASE WHEN ${alias}.details_submitted_at IS NULL THEN 'not_invited' ELSE 'details_submitted' END`;
}

/** What ends a live request from outside: a cancel, a newer request, or its time. */
export function endedSql(alias: string, as: string): string {
  return `CASE WHEN ${alias}.expires_at <= now() THEN 'expired' ELSE ${as} END`;
}

const recordKind = `CASE c.ended_as WHEN 'expired' THEN 'invite_expired' ELSE 'invite_canceled' END`;

const endRequest = named(
  'end_collection_request',
  ['tenant', 'beneficiary', 'actor', 'request', 'as', 'reason'],
  `
    WITH ended AS (
      UPDATE collection_request r SET
        status = ${endedSql('r', '@as')}, closed_at = now(), draft_ciphertext = NULL
      WHERE r.tenant_id = @tenant AND r.beneficiary_id = @beneficiary AND r.status = 'live'
        AND (@request::uuid IS NULL OR r.id = @request) AND (@as <> 'expired' OR r.expires_at <= now())
      RETURNING r.id, r.scope, r.status
    ),
    changed AS (
      UPDATE beneficiary b SET
        collection_status = ${statusWithoutLink('b')},
        transition_count = b.transition_count + 1, revision = b.revision + 1, updated_at = now()
      FROM ended e
      WHERE b.tenant_id = @tenant AND b.id = @beneficiary AND e.scope = 'full_onboarding'
      RETURNING b.*, b.compliance_status AS from_status, e.status AS ended_as
    ),
    ${transitionCte(recordKind, '@actor', '@reason::text')}
    SELECT e.id FROM ended e`,
);

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
  client: Queryable,
  scope: Scope,
  beneficiaryId: string,
  { as, id, reason }: Ending,
): Promise<boolean> {
  const ended = await firstRow(
    client,
    endRequest,
    endRequest.of({
      tenant: scope.tenantId,
      beneficiary: beneficiaryId,
      actor: JSON.stringify(scope.actor),
      request: id ?? null,
      as,
      reason: reason ?? null,
    }),
  );
  return ended !== null;
}
