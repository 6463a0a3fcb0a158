import type { PoolClient } from 'pg';
import type { Scope } from '../../access/scope.ts';
import { wakeAfter } from '../../queue/outbox.ts';
import { recordBeneficiaryTransitions } from './commands.gen.ts';

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
 * Records what the transaction has just done to beneficiaries, each with a `transition_count` of one more, and the events
 * that an endpoint asks for. It reads the rows, so it follows the statement that changed them.
 */
export async function recordTransitions(
  client: PoolClient,
  scope: Scope,
  ids: readonly string[],
  { kind, from, reason, fields = [] }: Transition,
): Promise<void> {
  if (ids.length === 0) return;
  const [recorded] = await recordBeneficiaryTransitions(client, scope.tenantId, {
    beneficiaries: ids,
    kind,
    from: from ?? null,
    actor: scope.actor,
    reason: reason ?? null,
    fields,
  });
  if (recorded?.addsJob === true) wakeAfter(client);
}
