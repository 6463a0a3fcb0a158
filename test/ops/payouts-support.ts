import { afterAll, beforeAll, expect } from 'vitest';
import { disbursePayout } from '../../src/domain/disbursement/disburse.ts';
import { lookUpPayout } from '../../src/domain/operator/look-up-payout.ts';
import { resolvePayout } from '../../src/domain/operator/resolve-payout.ts';
import { usePayoutWorld } from '../support/payout-world.ts';
import { makeOperator, type Operator } from './support.ts';

export const resolution = `SELECT ops.resolve_payout($1, $2, $3, 'ticket 4711', 'case 17') AS id`;

/**
 * Payouts on their way through a provider in memory, and an operator who may act. To be called at the
 * top of a file.
 */
export function useOperatedPayouts() {
  const world = usePayoutWorld({ env: { LOG_LEVEL: 'silent' } });
  const { handedOver, sql } = world;
  const parts = {} as { operator: Operator }; // filled before the tests
  beforeAll(async () => {
    parts.operator = await makeOperator(world.harness.database, 'ops_operate');
  });
  // Hooks of one level end in the reverse order: before the harness drops the database.
  afterAll(() => parts.operator.leave());

  /** A payout that the provider does not have and whose key window is closed, so that it waits for an operator. */
  async function waiting(): Promise<string> {
    const id = await handedOver('unknown_lost');
    await sql('UPDATE disbursement_attempt SET key_expires_at = now() WHERE payout_id = $1', [id]);
    await disbursePayout(world.call, id);
    return id;
  }

  /** Carries out what an operator ordered, as the worker does, and returns the outcome. */
  async function carryOut(payoutId: string, actionId: string): Promise<string> {
    const [job] = await sql<{
      task: string;
      payload: { tenantId: string; payoutId: string; actionId: string };
      key: unknown;
    }>(
      `SELECT t.identifier AS task, j.payload, j.key FROM graphile_worker._private_jobs j
       JOIN graphile_worker._private_tasks t ON t.id = j.task_id WHERE j.payload ->> 'actionId' = $1`,
      [actionId],
    );
    if (job === undefined) throw new Error(`no job of ${actionId}`);
    expect(job.payload).toEqual({ tenantId: world.tenant.tenantId, payoutId, actionId });
    expect(job.key).toBeNull();
    const carry = job.task === 'look_up_payout' ? lookUpPayout : resolvePayout;
    await carry(world.call.services, job.payload);
    const { outcome } = await parts.operator.row<{ outcome: string }>(
      'SELECT outcome FROM ops.action_log WHERE id = $1 AND outcome_at IS NOT NULL',
      [actionId],
    );
    return outcome;
  }

  async function lookUp(payoutId: string): Promise<string> {
    const { id } = await parts.operator.row<{ id: string }>(
      `SELECT ops.look_up_payout($1, 'case 17') AS id`,
      [payoutId],
    );
    return carryOut(payoutId, id);
  }

  async function resolve(
    payoutId: string,
    outcome: string,
    providerId: string | null,
  ): Promise<string> {
    const { id } = await parts.operator.row<{ id: string }>(resolution, [
      payoutId,
      outcome,
      providerId,
    ]);
    return carryOut(payoutId, id);
  }

  return { world, parts, waiting, lookUp, resolve };
}
