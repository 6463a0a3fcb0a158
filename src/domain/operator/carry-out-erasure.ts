import { jobScope } from '../../access/system.ts';
import {
  operatorNamed,
  type OperatorActor,
  type OperatorLoginActor,
  type Scope,
} from '../../access/scope.ts';
import { named } from '../../db/named.ts';
import { firstRow, inTransaction } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import type { Services } from '../../process/services.ts';
import type { Payload } from '../../queue/tasks.ts';
import type { PoolClient } from 'pg';
import { erase, type ErasureGround } from '../personal/erase.ts';
import { noteOutcome } from './payout-order.ts';

/** The order is locked, so that a second run of its job waits and finds it carried out. */
const openErasure = named(
  'open_erasure_order',
  ['tenant', 'beneficiary', 'action'],
  `
    SELECT l.who, l.detail ->> 'ground' AS ground FROM ops.action_log l
    WHERE l.id = @action::uuid AND l.tenant_id = @tenant AND l.subject_id = @beneficiary
      AND l.action = 'erase_beneficiary' AND l.outcome IS NULL
    FOR UPDATE`,
);

/** `deleted` or `erased`; or what is in the way, in a form that an operator reads. */
async function outcomeOf(
  client: PoolClient,
  scope: Scope,
  beneficiaryId: string,
  ground: ErasureGround,
): Promise<string> {
  try {
    return (await erase(client, scope, beneficiaryId, ground)).kind;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return error.message;
  }
}

/**
 * Carries out an erasure that an operator ordered with `ops.erase_beneficiary`, once, however often its job
 * runs. A payee who cannot be erased yet stays as it is, and the outcome of the order says why.
 */
export async function carryOutErasure(
  services: Services,
  { tenantId, beneficiaryId, actionId }: Payload<'erase_beneficiary'>,
): Promise<void> {
  const outcome = await inTransaction(services.pool, async (client) => {
    const values = { tenant: tenantId, beneficiary: beneficiaryId, action: actionId };
    const order = await firstRow<{ who: string; ground: ErasureGround }>(
      client,
      openErasure,
      openErasure.of(values),
    );
    if (order === null) return null;
    const actor: OperatorActor | OperatorLoginActor = operatorNamed(order.who) ?? {
      type: 'operator',
      login: order.who,
    };
    const scope = await jobScope(services.pool, tenantId, actor);
    const result = await outcomeOf(client, scope, beneficiaryId, order.ground);
    await noteOutcome(client, { tenantId, actionId }, result);
    return result;
  });
  if (outcome === null) return;
  services.log.info(
    { beneficiary_id: beneficiaryId, action_id: actionId, outcome },
    "carried out an operator's order to erase a payee",
  );
}
