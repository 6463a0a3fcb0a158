import type { PoolClient } from 'pg';
import type { DisbursementAttempt } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { inTransaction, type Queryable } from '../../db/pool.ts';
import { ProviderError, type ProviderPayout } from '../../providers/port.ts';
import type { Services } from '../../process/services.ts';
import { makeReference } from '../../providers/reference.ts';
import { providerNamed } from '../provider-connection/open.ts';
import {
  findOpenOrder,
  lockOpenOrder,
  noteOutcome,
  orderScope,
  type OrderAction,
  type OrderRef,
  type PayoutOrder,
} from './payout-order.ts';

/** The provider's answer, or why there is none. */
export type ProviderAnswer =
  | { readonly kind: 'answer'; readonly found: readonly ProviderPayout[] }
  | { readonly kind: 'no_answer' | 'no_provider' };

/** Asks the attempt's provider what it has under the attempt's reference; outside of any transaction. */
async function askProvider(
  services: Services,
  scope: Scope,
  attempt: DisbursementAttempt,
): Promise<ProviderAnswer> {
  const provider = await providerNamed({ scope, services }, services.pool, attempt.provider);
  if (provider === null) return { kind: 'no_provider' };
  try {
    const reference = makeReference(attempt.tenantId, attempt.id);
    const found = await provider.lookUp({ reference, recipientId: attempt.recipientId });
    return { kind: 'answer', found };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return { kind: 'no_answer' };
  }
}

/** What is known when an order is concluded. */
export interface AskedOrder {
  /** As read before the provider was asked. */
  readonly attempt: DisbursementAttempt;
  readonly answer: ProviderAnswer;
  readonly order: PayoutOrder;
}

/** How one kind of order finds its attempt, and what it does with the provider's answer. */
interface Execution<Outcome extends string> {
  readonly action: OrderAction;
  /** Whether the order may be carried out now. One that may not stays open; absent for any order. */
  readonly admits?: (order: PayoutOrder) => Promise<boolean>;
  /** The attempt that the provider is asked about. */
  readonly find: (
    client: Queryable,
    scope: Scope,
    payoutId: string,
  ) => Promise<DisbursementAttempt | null>;
  /** The outcome where there is no such attempt. */
  readonly withoutAttempt: Outcome;
  readonly conclude: (client: PoolClient, scope: Scope, asked: AskedOrder) => Promise<Outcome>;
}

/**
 * Carries out an operator's order about a payout once, however often its job runs: asks the provider, then
 * applies the answer and records the outcome in one transaction that has locked the order.
 */
export async function carryOut<Outcome extends string>(
  services: Services,
  ref: OrderRef,
  { action, admits, find, withoutAttempt, conclude }: Execution<Outcome>,
): Promise<void> {
  const order = await findOpenOrder(services.pool, action, ref);
  if (order === null) return;
  if (admits !== undefined && !(await admits(order))) return;
  const scope = await orderScope(services, order);
  const attempt = await find(services.pool, scope, order.payoutId);
  const asked =
    attempt === null
      ? null
      : { attempt, answer: await askProvider(services, scope, attempt), order };
  const outcome = await inTransaction(services.pool, async (client) => {
    if (!(await lockOpenOrder(client, order))) return null;
    const result = asked === null ? withoutAttempt : await conclude(client, scope, asked);
    await noteOutcome(client, order, result);
    return result;
  });
  if (outcome === null) return;
  services.log.info(
    { payout_id: order.payoutId, action, outcome },
    "carried out an operator's order",
  );
}
