import type { PoolClient } from 'pg';
import type { Beneficiary } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { enqueue } from '../../queue/queue.ts';
import { jobKeyOf } from '../../queue/tasks.ts';
import { verifyPendingAccounts } from '../bank-account/verify-store.ts';
import { recordReinstatement, recordSuspension } from './compliance-store.ts';

/** Only the platform suspends and reinstates: neither a member of the business nor a payee may. */
function requireNoMember({ actor }: Scope): void {
  const ofTheBusiness = ['member', 'payee', 'invitee'];
  if (ofTheBusiness.includes(actor.type)) throw new DomainError('forbidden');
}

/**
 * Suspends a beneficiary's compliance, in the transaction of `client`. Null when it is
 * unknown or suspended already. Throws forbidden for a member.
 */
export function suspendBeneficiary(
  client: PoolClient,
  scope: Scope,
  id: string,
  reason: string | null,
): Promise<Beneficiary | null> {
  requireNoMember(scope);
  return recordSuspension(client, scope, id, reason);
}

/**
 * Lifts a suspension and restores the status before it, `compliant` or `pending`. A provider lifts
 * only a suspension that a provider made. A job releases the payouts that were held for it. Null when
 * there is none to lift. Throws forbidden for a member.
 */
export async function reinstateBeneficiary(
  client: PoolClient,
  scope: Scope,
  id: string,
  reason: string | null,
): Promise<Beneficiary | null> {
  requireNoMember(scope);
  const suspendedBy = scope.actor.type === 'provider' ? 'provider' : null;
  const reinstated = await recordReinstatement(client, scope, id, reason, suspendedBy);
  if (reinstated === null) return null;
  if (reinstated.complianceStatus === 'compliant') await verifyPendingAccounts(client, scope, id);
  const release = { tenantId: scope.tenantId, beneficiaryId: id };
  await enqueue(client, 'release_payouts', release, {
    jobKey: jobKeyOf('release_payouts', release),
  });
  return reinstated;
}
