import type { PoolClient } from 'pg';
import { jobScope } from '../../src/access/system.ts';
import type { Scope } from '../../src/access/scope.ts';
import { inTransaction } from '../../src/db/pool.ts';
import { failedThoughPaid } from '../../src/domain/contradiction/contradiction.ts';
import { applyAnswer } from '../../src/domain/disbursement/answer.ts';
import { lockAttempt } from '../../src/domain/disbursement/store.ts';
import { applyPayoutEvents } from '../../src/domain/provider-event/apply-payout-event.ts';
import type { PayoutEventType, ProviderPayment, ProviderPayout } from '../../src/providers/port.ts';
import { makeReference } from '../../src/providers/reference.ts';
import { attemptsOf, eventOf, tell, type Attempt, type Place } from './payout-states.ts';
import { resubscribe, type Subscriptions } from './payout-subscriptions.ts';

export type Suspender = 'operator' | 'provider';

/** What a look-up finds of a payment that was taken. That it failed, only events tell here. */
export type Found = 'processing' | 'disbursed' | 'settled' | 'returned' | 'nothing';

/** In what an event or a look-up disagrees with its attempt. */
export type Lie = 'amountMinor' | 'currency' | 'providerPayoutId';

export interface World extends Place {
  readonly payouts: string[];
  /** Accounts of the one payee, which payouts take in turn. */
  readonly accounts: readonly [string, string];
  suspendedBy: Suspender | null;
  readonly subscriptions: Subscriptions;
}

/** What the provider said of an attempt. */
export interface Told {
  /** The status that the attempt had. */
  readonly before: string;
  /** It disagrees with the attempt, or with what was said before: nothing may move by it. */
  readonly contradicts: boolean;
}

const lies = (attemptId: string): Readonly<Record<Lie, string | bigint>> => ({
  amountMinor: 77_700n,
  currency: 'EUR',
  providerPayoutId: `po_lie_${attemptId}`,
});

const speakers = {
  operator: { type: 'system', name: 'model' },
  provider: { type: 'provider', name: 'simulator' },
} as const;

/** The scope of one who may suspend. */
export const speaking = ({ call, tenant }: World, by: Suspender): Promise<Scope> =>
  jobScope(call.services.pool, tenant.tenantId, speakers[by]);

/** The attempt that a command names. */
async function attemptOf(world: World, id: string, number: number): Promise<Attempt | null> {
  const attempts = await attemptsOf(world, id);
  return attempts[number % Math.max(attempts.length, 1)] ?? null;
}

/** Whether the provider took the attempt, or refused it: of the latter it may also lie. */
const maySpeakOf = (world: World, { id, status }: Attempt): boolean =>
  world.provider.ledger.has(id) || status === 'rejected';

async function tellable(world: World, id: string, number: number): Promise<Attempt | null> {
  const attempt = await attemptOf(world, id, number);
  return attempt !== null && maySpeakOf(world, attempt) ? attempt : null;
}

/** Those that keep a payout from moving. A failure of what was paid moves it, and waits for a person besides. */
async function contradictionsOf({ harness }: Place, attemptId: string): Promise<number> {
  const { said, expected } = failedThoughPaid;
  const { rowCount } = await harness.database.pool.query(
    'SELECT FROM provider_contradiction WHERE subject_id = $1 AND (said, expected) <> ($2, $3)',
    [attemptId, said, expected],
  );
  return rowCount ?? 0;
}

/** Lets the provider speak of an attempt, with a lie or without, and says what it told. */
async function hear(
  world: World,
  attempt: Attempt,
  lie: Lie | null,
  speak: (more: Partial<ProviderPayment>) => Promise<void>,
): Promise<Told> {
  const more = lie === null ? {} : { [lie]: lies(attempt.id)[lie] };
  const known = await contradictionsOf(world, attempt.id);
  await speak(more);
  // Of a payment that nobody knew, any id is believed; from then on it is that one.
  const { providerPayoutId } = { providerPayoutId: `po_${attempt.id}`, ...more };
  const contradicts =
    lie === 'amountMinor' ||
    lie === 'currency' ||
    (attempt.providerPayoutId !== null && attempt.providerPayoutId !== providerPayoutId) ||
    (await contradictionsOf(world, attempt.id)) > known;
  return { before: attempt.status, contradicts };
}

/** An event of the provider about an attempt; a release it may send of any. */
export async function tellOf(
  world: World,
  id: string,
  number: number,
  type: PayoutEventType,
  lie: Lie | null,
): Promise<Told | null> {
  const attempt = await attemptOf(world, id, number);
  if (attempt === null) return null;
  if (type !== 'released' && !maySpeakOf(world, attempt)) return null;
  return hear(world, attempt, lie, (more) => tell(world, attempt.id, type, more));
}

/** Applies the answer to a look-up, as jobs do: they may come late, and be told anything. */
export async function lookUp(
  world: World,
  id: string,
  number: number,
  says: Found,
  lie: Lie | null,
): Promise<Told | null> {
  const attempt = await tellable(world, id, number);
  if (attempt === null) return null;
  const scope = await speaking(world, 'provider');
  const apply = (found: readonly ProviderPayout[]) =>
    inTransaction(world.call.services.pool, async (client) => {
      const locked = await lockAttempt(client, scope, attempt.id);
      if (locked === null) throw new Error('the attempt is there');
      await applyAnswer(client, scope, locked, found);
    });
  if (says === 'nothing') {
    await apply([]);
    return { before: attempt.status, contradicts: true };
  }
  return hear(world, attempt, lie, (more) =>
    apply([
      {
        providerPayoutId: `po_${attempt.id}`,
        reference: makeReference(world.tenant.tenantId, attempt.id),
        amountMinor: attempt.amountMinor,
        currency: attempt.currency,
        status: says,
        statusAt: new Date().toISOString(),
        railRef: says === 'processing' ? null : `RAIL-${attempt.id}`,
        failure: says === 'returned' ? { code: 'account_closed', message: 'It is closed.' } : null,
        ...more,
      },
    ]),
  );
}

/** Another subscription takes the place of the first, while an event of an attempt is recorded. */
export async function changeSubscription(
  world: World,
  id: string,
  number: number,
  type: PayoutEventType,
): Promise<Told | null> {
  const { call, subscriptions } = world;
  const attempt = id === '' ? null : await tellable(world, id, number);
  const swap = (meanwhile: (client: PoolClient) => Promise<unknown>) =>
    resubscribe(call, subscriptions, meanwhile);
  if (attempt === null) {
    await swap(() => Promise.resolve());
    return null;
  }
  const scope = await speaking(world, 'provider');
  const event = await eventOf(world, attempt.id, type);
  return hear(world, attempt, null, () =>
    swap((client) =>
      applyPayoutEvents(client, scope, [
        { attemptId: attempt.id, event, within: (work) => work() },
      ]),
    ),
  );
}
