import { setTimeout as pause } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import { operatorId, type Environment } from '../../access/scope.ts';
import { inTransaction } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { enqueue } from '../../queue/queue.ts';
import type { OperatorCall } from '../../process/services.ts';
import { parseInput } from '../../values/validate.ts';
import { lockPayout, requirePayoutId } from '../payout/read.ts';
import { recordAction, requireTenant, type OperatorCommand } from './action.ts';
import { lookUpOrder, resolveOrder, type LookUpOrder, type ResolveOrder } from './input.ts';
import {
  findOrderOutcome,
  findWaitingResolution,
  recordOrder,
  type OrderAction,
} from './payout-order.ts';

/** An order of an operator about a payout, and its outcome. */
export interface OrderedPayout {
  readonly payoutId: string;
  /** Line of ops.action_log. */
  readonly actionId: string;
  /** Null until the worker has carried the order out. */
  readonly outcome: string | null;
}

interface Order {
  readonly command: OperatorCommand;
  readonly action: OrderAction;
  readonly businessId: string;
  readonly environment: Environment;
  readonly payoutId: string;
  readonly reason: string;
  readonly detail: Readonly<Record<string, string>>;
}

/** Records the order and adds its job in one transaction, then waits for the outcome for a limited time. */
async function give(call: OperatorCall, order: Order): Promise<OrderedPayout> {
  const { command, action, businessId, environment, payoutId, reason, detail } = order;
  const who = operatorId(call.operator.operator);
  const ref = await inTransaction(call.services.pool, async (client) => {
    const scope = await requireTenant(client, call.operator, businessId, environment);
    requirePayoutId(payoutId);
    const payout = await lockPayout(client, scope, payoutId);
    if (payout === null) throw new DomainError('PAYOUT_NOT_FOUND');
    if (action === 'resolve_payout') await refuseSecond(client, payoutId);
    const { tenantId } = scope;
    const what = { action, who, tenantId, payoutId, reason, detail };
    const actionId = await recordOrder(client, what);
    await recordAction(client, call.operator, {
      action: command,
      businessId,
      environment,
      subjectId: payoutId,
      reason,
      detail: { ...detail, action_id: actionId },
      actionId,
    });
    await enqueue(client, action, { tenantId, payoutId, actionId });
    return { tenantId, payoutId, actionId };
  });
  return { payoutId, actionId: ref.actionId, outcome: await watchOrder(call, ref) };
}

/** Of two concurrent resolutions one could say `paid` and the other `not_paid`. */
async function refuseSecond(client: PoolClient, payoutId: string): Promise<void> {
  const waiting = await findWaitingResolution(client, payoutId);
  if (waiting === null) return;
  const given = `${waiting.who} at ${waiting.at.toISOString()}`;
  throw new DomainError('conflict', {
    message: `A resolution ordered by ${given} still waits for the worker or for a second person.`,
  });
}

const firstPauseMs = 20;
const longestPauseMs = 500;

/** Reads the order with growing pauses until it is carried out or the request's time is up. */
export async function watchOrder(
  { services }: OperatorCall,
  ref: { readonly tenantId: string; readonly actionId: string },
): Promise<string | null> {
  const until = performance.now() + services.config.ENROLL_WAIT_MS;
  for (let ms = firstPauseMs; ; ms = Math.min(ms * 1.5, longestPauseMs)) {
    const outcome = await findOrderOutcome(services.pool, ref);
    const left = until - performance.now();
    if (outcome !== null || left <= 0) return outcome;
    await pause(Math.min(ms, left));
  }
}

/**
 * Orders a look-up of a payout at its provider. A job asks at once and applies the answer by the rules of
 * the reconciliation; the outcome is one of `LookUpOutcome`. Throws validation_failed, not_found
 * for the business, PAYOUT_NOT_FOUND.
 */
export function operatorLookUpPayout(
  call: OperatorCall,
  given: LookUpOrder,
): Promise<OrderedPayout> {
  return give(call, {
    ...parseInput(lookUpOrder, given),
    command: 'operatorPayoutLookUp',
    action: 'look_up_payout',
    detail: {},
  });
}

/**
 * Orders that an attempt whose outcome is unknown, that needs an operator, or whose debit a bank has not shown in
 * time, is resolved as `paid`, with the provider's id of the payment, or as `not_paid`. A job does so unless the provider's answer
 * disagrees; the outcome is one of `ResolveOutcome`. Throws validation_failed, not_found for the
 * business, PAYOUT_NOT_FOUND, conflict while another resolution of the payout waits for the worker.
 */
export function operatorResolvePayout(
  call: OperatorCall,
  given: ResolveOrder,
): Promise<OrderedPayout> {
  const { outcome, providerPayoutId, evidence, ...order } = parseInput(resolveOrder, given);
  const named = providerPayoutId == null ? {} : { provider_payout_id: providerPayoutId };
  return give(call, {
    ...order,
    command: 'operatorPayoutResolve',
    action: 'resolve_payout',
    detail: { outcome, ...named, evidence },
  });
}
