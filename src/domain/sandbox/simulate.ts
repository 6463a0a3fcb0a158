import type { PoolClient } from 'pg';
import { z } from 'zod';
import type { Payout } from '../../../generated/prisma/client.ts';
import { requirePermission, type Scope } from '../../access/scope.ts';
import { jobScope } from '../../access/system.ts';
import { firstRow, inTransaction, type Statement } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { connectionOfCalled, connectionOfProvider } from '../../providers/bank-connection.ts';
import { ProviderError } from '../../providers/port.ts';
import { enqueue } from '../../queue/queue.ts';
import type { Call } from '../../process/services.ts';
import { simulatedEvents, type SimulatedEvent } from '../../values/simulated-event.ts';
import { parseInput } from '../../values/validate.ts';
import { makeReference } from '../../providers/reference.ts';
import { payingProvider } from '../enrollment/run.ts';
import { statesBefore, type PayoutState } from '../payout/machine.ts';
import { lockPayout, readPayout, requirePayoutId } from '../payout/read.ts';
import { movePayoutTo } from '../payout/transition.ts';

/**
 * The payout states in which a provider's event makes sense, once the provider has the payout. The
 * other two, `hold` and `release`, concern payouts that the provider does not have.
 */
const statesAtProvider: Record<
  Exclude<SimulatedEvent, 'hold' | 'release'>,
  readonly PayoutState[]
> = {
  acknowledge: ['approved'],
  estimate: ['approved', 'disbursed'],
  disburse: statesBefore('disburse'),
  settle: statesBefore('settle'),
  fail: statesBefore('fail'),
  return: statesBefore('return'),
};

const simulateInput = z.strictObject({ event: z.enum(simulatedEvents) });

/**
 * Makes something happen to a payout of the sandbox, through the provider's own path and the real
 * state machine: a job tells the simulator, whose signed event moves the payout after the
 * answer. Throws forbidden, validation_failed, SANDBOX_ONLY, PAYOUT_NOT_FOUND, and
 * INVALID_STATE_TRANSITION when the event makes no sense in the payout's state.
 *
 * A provider sends no event about a payout that it does not have. A simulated `hold` is one of the
 * provider's compliance before the submission, so the transition is made here, in the provider's name. A
 * `release` goes to the simulator if it refused an attempt (verdict `held`) and so put the payout on
 * hold. Otherwise it is made here.
 */
export async function simulatePayout(
  call: Call,
  payoutId: string,
  given: { readonly event: SimulatedEvent },
): Promise<Payout> {
  requirePermission(call.scope, 'payouts:write');
  const { event } = parseInput(simulateInput, given);
  if (call.scope.environment !== 'sandbox') throw new DomainError('SANDBOX_ONLY');
  requirePayoutId(payoutId);
  const provider = await providerScope(call);
  const payout = await inTransaction(call.services.pool, (client) => {
    if (event === 'hold') return movePayoutTo(client, provider, payoutId, simulated('hold'));
    if (event === 'release') return release(client, provider, payoutId);
    return tellProvider(client, provider, payoutId, event);
  });
  if (payout !== null) return payout;
  const { state, providerPayoutId } = await readPayout(call, payoutId);
  const where = state === 'approved' && providerPayoutId === null ? ' and not handed over' : '';
  throw new DomainError('INVALID_STATE_TRANSITION', {
    message: `A payout that is ${state}${where} permits no ${event}.`,
  });
}

const simulated = (trigger: 'hold' | 'release') => ({ trigger, reason: `simulated ${trigger}` });

function providerScope(call: Call): Promise<Scope> {
  const { name } = payingProvider(call);
  return jobScope(call.services.pool, call.scope.tenantId, { type: 'provider', name });
}

/** Null when the provider does not have the payout, or its state does not permit the event. */
async function tellProvider(
  client: PoolClient,
  scope: Scope,
  payoutId: string,
  event: Exclude<SimulatedEvent, 'hold' | 'release'>,
): Promise<Payout | null> {
  const payout = await lockPayout(client, scope, payoutId);
  if (payout === null || payout.providerPayoutId === null) return null;
  if (connectionOfProvider(payout.provider ?? '') !== null) {
    throw new DomainError('unprocessable_entity', {
      message:
        'The payout left in a file for the sandbox bank, which answers by the last characters of the account.',
    });
  }
  if (connectionOfCalled(payout.provider ?? '') !== null) {
    throw new DomainError('unprocessable_entity', {
      message:
        "The payout is paid by a provider's test platform, which says itself what becomes of it.",
    });
  }
  if (!statesAtProvider[event].includes(payout.state as PayoutState)) return null;
  await enqueue(client, 'simulate_payout_event', { tenantId: scope.tenantId, payoutId, event });
  return payout;
}

const heldPayout: Statement = {
  name: 'held_payout',
  text: `
    SELECT t.attempt_id AS "attemptId", t.cause
    FROM payout p
    JOIN payout_transition t
      ON t.tenant_id = $1 AND t.payout_id = p.id AND t.seq = p.transition_count
    WHERE p.tenant_id = $1 AND p.id = $2 AND p.state = 'compliance_hold'
    FOR NO KEY UPDATE OF p`,
};

/**
 * Null when the payout is not held, or is held by a suspension: only the reinstatement releases that.
 */
async function release(client: PoolClient, scope: Scope, payoutId: string): Promise<Payout | null> {
  const held = await findHeld(client, scope, payoutId);
  if (held === null || held.cause !== null) return null;
  if (held.attemptId === null) return movePayoutTo(client, scope, payoutId, simulated('release'));
  const event = 'release';
  await enqueue(client, 'simulate_payout_event', { tenantId: scope.tenantId, payoutId, event });
  return lockPayout(client, scope, payoutId);
}

/** What put a payout on hold: an attempt, a cause, or neither. Null if it is not held. Locks it. */
function findHeld(client: PoolClient, scope: Scope, payoutId: string) {
  type Held = { attemptId: string | null; cause: string | null };
  return firstRow<Held>(client, heldPayout, [scope.tenantId, payoutId]);
}

/**
 * Tells the simulator, in a job. A definite no of the simulator ends the job: the payout moved on in the
 * meantime, which the caller sees by reading it. Throws any other ProviderError, and is then run again.
 */
export async function performSimulation(
  call: Call,
  payoutId: string,
  event: SimulatedEvent,
): Promise<void> {
  const { scope, services } = call;
  if (scope.environment !== 'sandbox') throw new Error('only the sandbox is simulated');
  const { sandboxControl } = services.providers;
  try {
    if (event === 'release') {
      const held = await inTransaction(services.pool, (client) =>
        findHeld(client, scope, payoutId),
      );
      if (held === null || held.attemptId === null) return;
      await sandboxControl.releaseHeld(makeReference(scope.tenantId, held.attemptId));
      return;
    }
    const { providerPayoutId } = await readPayout(call, payoutId);
    if (providerPayoutId !== null) await sandboxControl.simulate(providerPayoutId, event);
  } catch (error) {
    if (!(error instanceof ProviderError && error.verdict === 'rejected')) throw error;
    services.log.info({ payout_id: payoutId, event }, 'simulator refused a simulated event');
  }
}
