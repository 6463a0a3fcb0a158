import type { PoolClient } from 'pg';
import type { Scope } from '../../access/scope.ts';
import { named } from '../../db/named.ts';
import { rows } from '../../db/pool.ts';

/** It reads the rows, so it follows the statement that changed them, in its transaction. */
const insertTransitions = named(
  'insert_beneficiary_transitions',
  ['tenant', 'beneficiaries', 'kind', 'from', 'actor', 'reason', 'fields'],
  `
    INSERT INTO beneficiary_transition (
      tenant_id, beneficiary_id, seq, kind, from_status, to_status, actor, reason, fields
    )
    SELECT b.tenant_id, b.id, b.transition_count, @kind::text, coalesce(@from::text, b.compliance_status),
      CASE WHEN @kind::text = 'archived' THEN 'archived' ELSE b.compliance_status END,
      @actor::jsonb, @reason::text, @fields::text[]
    FROM beneficiary b
    WHERE b.tenant_id = @tenant AND b.id = ANY (@beneficiaries::text[])`,
);

interface Transition {
  readonly kind:
    | 'registered'
    | 'updated'
    | 'acknowledged'
    | 'reacknowledgment_required'
    | 'suspended'
    | 'reinstated'
    | 'archived'
    | 'invited'
    | 'invite_canceled'
    | 'invite_expired'
    | 'details_submitted';
  /** What the compliance status was; absent where it has not changed. */
  readonly from?: string;
  readonly reason?: string | null;
  /** The columns of what a caller changed; their values are recorded nowhere. */
  readonly fields?: readonly string[];
}

/**
 * Records what the transaction has just done to beneficiaries, each with a `transition_count` of one more.
 * It is a statement of its own: Citus runs a statement with an INSERT among its CTEs piece by piece.
 */
export async function recordTransitions(
  client: PoolClient,
  scope: Scope,
  ids: readonly string[],
  { kind, from, reason, fields = [] }: Transition,
): Promise<void> {
  if (ids.length === 0) return;
  const values = insertTransitions.of({
    tenant: scope.tenantId,
    beneficiaries: ids,
    kind,
    from: from ?? null,
    actor: JSON.stringify(scope.actor),
    reason: reason ?? null,
    fields,
  });
  await rows(client, insertTransitions, values);
}
