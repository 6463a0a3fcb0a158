import type { PoolClient } from 'pg';
import { Prisma, type Beneficiary } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { columns } from '../../db/columns.ts';
import { firstRow, type Statement } from '../../db/pool.ts';
import { recordTransitions } from './transition-store.ts';

/*
 * The transitions of `compliance_status`. Each statement names the states it may leave, and a second one
 * writes the record with its actor.
 */

const changedColumns = `${columns(Prisma.BeneficiaryScalarFieldEnum, 'new')}, old.compliance_status AS "fromStatus"`;

type Changed = Beneficiary & { readonly fromStatus: string };

/** The revision is the one whose identity was found complete. */
const acknowledge: Statement = {
  name: 'acknowledge_beneficiary',
  text: `
    UPDATE beneficiary b SET
      compliance_status = 'compliant', acknowledged_at = now(), reacknowledgment_required = false,
      identity_pending = false, transition_count = b.transition_count + 1,
      revision = b.revision + 1, updated_at = command.clock()
    WHERE b.tenant_id = $1 AND b.id = $2 AND b.revision = $3 AND b.archived_at IS NULL
      AND (b.compliance_status = 'pending'
        OR (b.compliance_status = 'compliant' AND b.reacknowledgment_required))
    RETURNING ${changedColumns}`,
};

/** Makes a beneficiary compliant; null when it has changed since `revision`. */
export async function recordAcknowledgment(
  client: PoolClient,
  scope: Scope,
  id: string,
  revision: number,
): Promise<Beneficiary | null> {
  const changed = await firstRow<Changed>(client, acknowledge, [scope.tenantId, id, revision]);
  return record(client, scope, changed, 'acknowledged', null);
}

const suspend: Statement = {
  name: 'suspend_beneficiary',
  text: `
    UPDATE beneficiary b SET
      compliance_status = 'suspended', status_before_suspension = b.compliance_status,
      transition_count = b.transition_count + 1, revision = b.revision + 1, updated_at = command.clock()
    WHERE b.tenant_id = $1 AND b.id = $2 AND b.compliance_status IN ('pending', 'compliant')
    RETURNING ${changedColumns}`,
};

/** Suspends a beneficiary; null when it is unknown or suspended already. */
export async function recordSuspension(
  client: PoolClient,
  scope: Scope,
  id: string,
  reason: string | null,
): Promise<Beneficiary | null> {
  const changed = await firstRow<Changed>(client, suspend, [scope.tenantId, id]);
  return record(client, scope, changed, 'suspended', reason);
}

/**
 * `$3` is the type of the actor who must have suspended it: a provider lifts no operator's suspension, and neither does
 * who clears a hit of the screening.
 */
const reinstate: Statement = {
  name: 'reinstate_beneficiary',
  text: `
    UPDATE beneficiary b SET
      compliance_status = b.status_before_suspension, status_before_suspension = NULL,
      transition_count = b.transition_count + 1, revision = b.revision + 1, updated_at = command.clock()
    WHERE b.tenant_id = $1 AND b.id = $2 AND b.compliance_status = 'suspended'
      AND ($3::text IS NULL OR $3 = (
        SELECT t.actor ->> 'type' FROM beneficiary_transition t
        WHERE t.tenant_id = $1 AND t.beneficiary_id = $2 AND t.kind = 'suspended'
        ORDER BY t.seq DESC LIMIT 1
      ))
    RETURNING ${changedColumns}`,
};

/** Restores the status before the suspension; null when there is none to lift. */
export async function recordReinstatement(
  client: PoolClient,
  scope: Scope,
  id: string,
  reason: string | null,
  suspendedBy: 'provider' | 'member' | null,
): Promise<Beneficiary | null> {
  const values = [scope.tenantId, id, suspendedBy] as const;
  const changed = await firstRow<Changed>(client, reinstate, values);
  return record(client, scope, changed, 'reinstated', reason);
}

async function record(
  client: PoolClient,
  scope: Scope,
  changed: Changed | null,
  kind: 'acknowledged' | 'suspended' | 'reinstated',
  reason: string | null,
): Promise<Beneficiary | null> {
  if (changed === null) return null;
  const { fromStatus: from, ...beneficiary } = changed;
  await recordTransitions(client, scope, [beneficiary.id], { kind, from, reason });
  return beneficiary;
}
