import { jobScope } from '../../src/access/system.ts';
import type { Scope } from '../../src/access/scope.ts';
import { inTransaction } from '../../src/db/pool.ts';
import { applyAnswer } from '../../src/domain/disbursement/answer.ts';
import { makeReference } from '../../src/domain/disbursement/reference.ts';
import { lockAttempt } from '../../src/domain/disbursement/store.ts';
import { applyPayoutEvent } from '../../src/domain/provider-event/apply-payout-event.ts';
import type { PayoutEventType } from '../../src/providers/port.ts';
import { attemptsOf, eventOf, type Attempt, type Place } from './payout-states.ts';
import { resubscribe, type Subscriptions } from './payout-subscriptions.ts';

export type Suspender = 'operator' | 'provider';

/** What a look-up finds of a payment that was taken; that it failed, events alone tell here. */
export type Found = 'processing' | 'disbursed' | 'settled' | 'returned';

export interface World extends Place {
  readonly payouts: string[];
  /** Accounts of the one payee, which payouts take in turn. */
  readonly accounts: readonly [string, string];
  suspendedBy: Suspender | null;
  readonly subscriptions: Subscriptions;
}

const speakers = {
  operator: { type: 'system', name: 'model' },
  provider: { type: 'provider', name: 'simulator' },
} as const;

/** The scope of one who may suspend. */
export const speaking = ({ call, tenant }: World, by: Suspender): Promise<Scope> =>
  jobScope(call.services.pool, tenant.tenantId, speakers[by]);

/** The attempt that a command names, if the provider may speak of it as of one that it took. */
export async function tellable(world: World, id: string, number: number): Promise<Attempt | null> {
  const attempts = await attemptsOf(world, id);
  const attempt = attempts[number % Math.max(attempts.length, 1)];
  if (attempt === undefined) return null;
  const honest = world.provider.ledger.has(attempt.id) || attempt.status === 'rejected';
  return honest ? attempt : null;
}

/** Applies the answer to a look-up, as the jobs do that ask; they may come late, and be told anything. */
export async function lookUp(
  world: World,
  id: string,
  number: number,
  says: Found,
): Promise<{ before: string } | null> {
  const { call, tenant } = world;
  const attempt = await tellable(world, id, number);
  if (attempt === null) return null;
  const scope = await speaking(world, 'provider');
  await inTransaction(call.services.pool, async (client) => {
    const locked = await lockAttempt(client, scope, attempt.id);
    if (locked === null) throw new Error('the attempt is there');
    await applyAnswer(client, scope, locked, {
      providerPayoutId: `po_${attempt.id}`,
      reference: makeReference(tenant.tenantId, attempt.id),
      status: says,
      railRef: says === 'processing' ? null : `RAIL-${attempt.id}`,
      failure: says === 'returned' ? { code: 'account_closed', message: 'It is closed.' } : null,
    });
  });
  return { before: attempt.status };
}

/** Another subscription takes the place of the first, while an event of an attempt is recorded. */
export async function changeSubscription(
  world: World,
  id: string,
  number: number,
  type: PayoutEventType,
): Promise<{ before: string } | null> {
  const attempt = id === '' ? null : await tellable(world, id, number);
  const scope = await speaking(world, 'provider');
  await resubscribe(world.call, world.subscriptions, async (client) => {
    if (attempt === null) return;
    await applyPayoutEvent(client, scope, attempt.id, eventOf(world, attempt.id, type));
  });
  return attempt === null ? null : { before: attempt.status };
}
