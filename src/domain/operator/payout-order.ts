import type { PoolClient } from 'pg';
import { jobScope } from '../../access/system.ts';
import {
  operatorNamed,
  type OperatorActor,
  type OperatorLoginActor,
  type Scope,
} from '../../access/scope.ts';
import { namedOfPlatform } from '../../db/named.ts';
import { firstRow, platformStatement, rows, type Queryable } from '../../db/pool.ts';
import type { Services } from '../../process/services.ts';

/*
 * An order is what an operator asks for about a payout, in psql or over GraphQL, and the worker carries out.
 * It is a line of ops.action_log whose outcome is null until then. The line is written in the transaction
 * that adds the job, and the outcome in the transaction of the change that the order makes.
 */

export type OrderAction = 'look_up_payout' | 'resolve_payout' | 'match_bank_line';

/** An action that needs no worker: it is done at once, and its line has no outcome. */
type DirectAction =
  | 'examine_contradiction'
  | 'explain_bank_line'
  | 'explain_bank_answer'
  | 'dismiss_bank_file'
  | 'read_bank_file_again';

/** An order that the worker has not carried out. */
export interface PayoutOrder {
  readonly tenantId: string;
  readonly payoutId: string;
  readonly actionId: string;
  readonly actor: OperatorActor | OperatorLoginActor;
  /** The operator's words. */
  readonly reason: string;
  readonly detail: unknown;
}

/** The ids of an order, which its job holds. */
export type OrderRef = Pick<PayoutOrder, 'tenantId' | 'payoutId' | 'actionId'>;

const openOrder = platformStatement({
  name: 'open_payout_order',
  text: `
    SELECT who, reason, detail FROM ops.action_log
    WHERE id = $1::uuid AND tenant_id = $2 AND subject_id = $3 AND action = $4 AND outcome IS NULL`,
});

/**
 * The order, or null if it has been carried out. `who` is a login role, or the id of a key
 * or of a person if the order came over GraphQL.
 */
export async function findOpenOrder(
  client: Queryable,
  action: OrderAction,
  ref: OrderRef,
): Promise<PayoutOrder | null> {
  const place = [ref.actionId, ref.tenantId, ref.payoutId, action];
  const row = await firstRow<{ who: string; reason: string; detail: unknown }>(
    client,
    openOrder,
    place,
  );
  if (row === null) return null;
  const { who, reason, detail } = row;
  const actor = operatorNamed(who) ?? ({ type: 'operator', login: who } as const);
  return { ...ref, actor, reason, detail };
}

/** The tenant's scope with the operator who gave the order as its actor. */
export function orderScope(services: Services, order: PayoutOrder): Promise<Scope> {
  return jobScope(services.pool, order.tenantId, order.actor);
}

const closeOrder = platformStatement({
  name: 'close_payout_order',
  text: `
    UPDATE ops.action_log SET outcome = $3, outcome_at = now()
    WHERE id = $1::uuid AND tenant_id = $2 AND outcome IS NULL`,
});

/** Records the outcome of a locked order, in the transaction of the change that it makes. */
export async function noteOutcome(
  client: PoolClient,
  order: Pick<OrderRef, 'tenantId' | 'actionId'>,
  outcome: string,
): Promise<void> {
  await rows(client, closeOrder, [order.actionId, order.tenantId, outcome]);
}

const lockOrder = platformStatement({
  name: 'lock_payout_order',
  text: `
    SELECT id FROM ops.action_log WHERE id = $1::uuid AND tenant_id = $2 AND outcome IS NULL
    FOR UPDATE`,
});

/** Locks the order until the transaction ends; false if it has been carried out. */
export async function lockOpenOrder(client: PoolClient, order: OrderRef): Promise<boolean> {
  return (await firstRow(client, lockOrder, [order.actionId, order.tenantId])) !== null;
}

const insertOrder = namedOfPlatform(
  'insert_payout_order',
  ['who', 'action', 'tenant', 'subject', 'reason', 'detail'],
  `
    INSERT INTO ops.action_log (who, action, tenant_id, subject_id, reason, detail, affected)
    VALUES (@who, @action, @tenant, @subject, @reason, @detail::jsonb, 1)
    RETURNING id`,
);

/** Adds an order that came over GraphQL to the orders from psql. Returns its id. */
export async function recordOrder(
  client: PoolClient,
  order: {
    readonly action: OrderAction | DirectAction;
    readonly who: string;
    readonly tenantId: string;
    readonly payoutId: string;
    readonly reason: string;
    readonly detail: object;
  },
): Promise<string> {
  const { action, who, tenantId, payoutId, reason, detail } = order;
  const values = insertOrder.of({
    who,
    action,
    tenant: tenantId,
    subject: payoutId,
    reason,
    detail: JSON.stringify(detail),
  });
  const row = await firstRow<{ id: string }>(client, insertOrder, values);
  if (row === null) throw new Error('an order that was inserted has an id');
  return row.id;
}

const waitingResolution = platformStatement({
  name: 'waiting_resolution',
  text: 'SELECT who, at FROM ops.waiting_resolution($1)',
});

/**
 * The resolution of the payout that still waits for the worker, or null. `ops.resolve_payout` refuses a
 * second one by the same rule. Concurrent callers wait until the transaction ends.
 */
export function findWaitingResolution(
  client: PoolClient,
  payoutId: string,
): Promise<{ readonly who: string; readonly at: Date } | null> {
  return firstRow(client, waitingResolution, [payoutId]);
}

const orderOutcome = platformStatement({
  name: 'payout_order_outcome',
  text: 'SELECT outcome FROM ops.action_log WHERE id = $1::uuid AND tenant_id = $2',
});

/** The outcome of an order; null until the worker has carried it out. */
export async function findOrderOutcome(
  client: Queryable,
  order: Pick<OrderRef, 'actionId' | 'tenantId'>,
): Promise<string | null> {
  const values = [order.actionId, order.tenantId];
  return (
    (await firstRow<{ outcome: string | null }>(client, orderOutcome, values))?.outcome ?? null
  );
}
