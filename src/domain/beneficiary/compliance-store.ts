import type { Beneficiary } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { firstRow, type Queryable, type Statement } from '../../db/pool.ts';
import { beneficiaryColumns } from './store.ts';
import { transitionCte } from './write-store.ts';

/*
 * The transitions of `compliance_status`. Each statement names the states it may leave and writes the
 * record with its actor.
 */

/** The revision is the one whose identity was found complete. */
const acknowledge: Statement = {
  name: 'acknowledge_beneficiary',
  text: `
    WITH changed AS (
      UPDATE beneficiary b SET
        compliance_status = 'compliant', acknowledged_at = now(), reacknowledgment_required = false,
        identity_pending = false, transition_count = b.transition_count + 1,
        revision = b.revision + 1, updated_at = now()
      WHERE b.tenant_id = $1 AND b.id = $2 AND b.revision = $3 AND b.archived_at IS NULL
        AND (b.compliance_status = 'pending'
          OR (b.compliance_status = 'compliant' AND b.reacknowledgment_required))
      RETURNING old.compliance_status AS from_status, new.*
    ),
    ${transitionCte(`'acknowledged'`, '$4')}
    SELECT ${beneficiaryColumns} FROM changed b`,
};

/** Makes a beneficiary compliant; null when it has changed since `revision`. */
export function recordAcknowledgment(
  client: Queryable,
  scope: Scope,
  id: string,
  revision: number,
): Promise<Beneficiary | null> {
  return firstRow<Beneficiary>(client, acknowledge, [
    scope.tenantId,
    id,
    revision,
    JSON.stringify(scope.actor),
  ]);
}

const suspend: Statement = {
  name: 'suspend_beneficiary',
  text: `
    WITH changed AS (
      UPDATE beneficiary b SET
        compliance_status = 'suspended', status_before_suspension = b.compliance_status,
        transition_count = b.transition_count + 1, revision = b.revision + 1, updated_at = now()
      WHERE b.tenant_id = $1 AND b.id = $2 AND b.compliance_status IN ('pending', 'compliant')
      RETURNING old.compliance_status AS from_status, new.*
    ),
    ${transitionCte(`'suspended'`, '$3', '$4')}
    SELECT ${beneficiaryColumns} FROM changed b`,
};

/** Suspends a beneficiary; null when it is unknown or suspended already. */
export function recordSuspension(
  client: Queryable,
  scope: Scope,
  id: string,
  reason: string | null,
): Promise<Beneficiary | null> {
  return firstRow<Beneficiary>(client, suspend, [
    scope.tenantId,
    id,
    JSON.stringify(scope.actor),
    reason,
  ]);
}

/** `$5` is the type of the actor who must have suspended it: a provider lifts no operator's suspension. */
const reinstate: Statement = {
  name: 'reinstate_beneficiary',
  text: `
    WITH changed AS (
      UPDATE beneficiary b SET
        compliance_status = b.status_before_suspension, status_before_suspension = NULL,
        transition_count = b.transition_count + 1, revision = b.revision + 1, updated_at = now()
      WHERE b.tenant_id = $1 AND b.id = $2 AND b.compliance_status = 'suspended'
        AND ($5::text IS NULL OR $5 = (
          SELECT t.actor ->> 'type' FROM beneficiary_transition t
          WHERE t.tenant_id = $1 AND t.beneficiary_id = b.id AND t.kind = 'suspended'
          ORDER BY t.seq DESC LIMIT 1
        ))
      RETURNING old.compliance_status AS from_status, new.*
    ),
    ${transitionCte(`'reinstated'`, '$3', '$4')}
    SELECT ${beneficiaryColumns} FROM changed b`,
};

/** Restores the status before the suspension; null when there is none to lift. */
export function recordReinstatement(
  client: Queryable,
  scope: Scope,
  id: string,
  reason: string | null,
  suspendedBy: 'provider' | null,
): Promise<Beneficiary | null> {
  return firstRow<Beneficiary>(client, reinstate, [
    scope.tenantId,
    id,
    JSON.stringify(scope.actor),
    reason,
    suspendedBy,
  ]);
}
