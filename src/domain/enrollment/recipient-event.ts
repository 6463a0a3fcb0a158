import type { PoolClient } from 'pg';
import { providerOf, type Scope } from '../../access/scope.ts';
import { named } from '../../db/named.ts';
import { firstRow } from '../../db/pool.ts';
import type { ProviderRecipientEvent } from '../../providers/port.ts';
import { reinstateBeneficiary, suspendBeneficiary } from '../beneficiary/suspend.ts';

const standingOf = { suspended: 'suspended', closed: 'closed', reinstated: 'active' } as const;

/**
 * The provider's newest event wins, by the provider's clock. `closed` is final, and of two events at one
 * instant the stricter wins, so the same events in any order end in the same state. `standing` keeps what
 * an event says on a pending row until the answer to our call comes. The beneficiary's status follows if it
 * is that of this enrollment: of its account, and of the account's newest enrollment that was not refused.
 */
const applyStanding = named(
  'apply_recipient_standing',
  ['tenant', 'enrollment', 'standing', 'at', 'reason', 'provider', 'recipient'],
  `
    WITH told AS (
      UPDATE enrollment e SET
        standing = @standing, standing_at = @at,
        status = CASE
          WHEN e.status IN ('pending', 'rejected') THEN e.status
          WHEN @standing = 'active' THEN 'verified'
          ELSE @standing END,
        failure_message = CASE WHEN @standing = 'active' THEN NULL ELSE coalesce(@reason, e.failure_message) END
      WHERE e.tenant_id = @tenant AND e.id = @enrollment AND e.provider = @provider AND e.status <> 'rejected'
        AND coalesce(e.recipient_id = @recipient, true)
        AND e.standing IS DISTINCT FROM 'closed'
        AND (@standing = 'closed' OR e.standing_at IS NULL OR e.standing_at < @at
          OR (e.standing_at = @at AND e.standing = 'active' AND @standing = 'suspended'))
      RETURNING e.*
    ),
    ben AS (
      UPDATE beneficiary b SET
        enrollment_status = t.status, revision = b.revision + 1, updated_at = now()
      FROM told t
      WHERE b.tenant_id = @tenant AND b.id = t.beneficiary_id AND t.status <> 'pending'
        AND b.enrollment_status <> 'pending' AND b.enrolled_bank_account_id = t.bank_account_id
        AND NOT EXISTS (
          SELECT 1 FROM enrollment n
          WHERE n.tenant_id = @tenant AND n.bank_account_id = t.bank_account_id
            AND n.requested_at > t.requested_at AND n.status <> 'rejected'
        )
    )
    SELECT t.beneficiary_id AS "beneficiaryId", EXISTS (
      SELECT 1 FROM enrollment o
      WHERE o.tenant_id = @tenant AND o.beneficiary_id = t.beneficiary_id AND o.id <> t.id
        AND o.standing = 'suspended'
    ) AS "heldElsewhere"
    FROM told t`,
);

export interface RecipientEvent extends Pick<
  ProviderRecipientEvent,
  'type' | 'reason' | 'recipientId'
> {
  readonly enrollmentId: string;
  /** ISO 8601, the provider's clock. */
  readonly occurredAt: string;
}

/**
 * Applies what a provider says of a recipient, in the transaction of `client`: to the enrollment, to
 * the beneficiary's `enrollment_status`, and to its compliance status, which a provider may suspend and
 * reinstate too. `closed` ends a suspension like `reinstated` does: the enrollment itself stops payouts,
 * and a suspension that arrives later must change nothing. An event of another provider or of another
 * recipient is ignored. Returns whether it was news.
 */
export async function applyRecipientEvent(
  client: PoolClient,
  scope: Scope,
  event: RecipientEvent,
): Promise<boolean> {
  const told = await firstRow<{ beneficiaryId: string; heldElsewhere: boolean }>(
    client,
    applyStanding,
    applyStanding.of({
      tenant: scope.tenantId,
      enrollment: event.enrollmentId,
      standing: standingOf[event.type],
      at: event.occurredAt,
      reason: event.reason,
      provider: providerOf(scope),
      recipient: event.recipientId,
    }),
  );
  if (told === null) return false;
  if (event.type === 'suspended') {
    await suspendBeneficiary(client, scope, told.beneficiaryId, event.reason);
  } else if (!told.heldElsewhere) {
    await reinstateBeneficiary(client, scope, told.beneficiaryId, event.reason);
  }
  return true;
}
