import fc from 'fast-check';
import { expect, it } from 'vitest';
import { registerBankAccount } from '../../src/domain/bank-account/register.ts';
import { applyProviderEvent } from '../../src/domain/provider-event/apply.ts';
import type { PayoutEventType, ProviderPayoutEvent } from '../../src/providers/port.ts';
import type { SubmitFate } from '../support/fake-provider.ts';
import { expectInvariants, fateOf } from './payout-invariants.ts';
import { makePlace, tell } from './payout-states.ts';
import { subscribe } from './payout-subscriptions.ts';
import type { Found, Lie, Suspender, World } from './payout-actors.ts';
import { perform, type Ask, type Command } from './payout-world.ts';
import { longTestMs } from '../support/patience.ts';
import { useHarness } from '../support/use-harness.ts';

// A call that began a millisecond ago has ended: the model runs jobs one after another.
const harness = useHarness({
  worker: false,
  env: { PROVIDER_TIMEOUT_MS: '1', LOG_LEVEL: 'silent' },
});

async function makeWorld(): Promise<World> {
  const place = await makePlace(harness);
  const { call, payee } = place;
  const { account: second } = await registerBankAccount(call, payee.beneficiaryId, {
    accountHolderName: 'Ada Lovelace',
    country: 'US',
    currency: 'USD',
    routingCode: '021000021',
    accountNumber: '7654321',
  });
  const subscriptions = { urls: new Map<string, string>(), current: '' };
  await subscribe(call, subscriptions);
  const accounts = [payee.bankAccountId, second.id] as const;
  return { ...place, payouts: [], accounts, suspendedBy: null, subscriptions };
}

// Few payouts, so that commands meet; what leads on is more frequent than what stops.
const at = fc.nat({ max: 3 });
const kind = <K extends string>(...names: K[]) => fc.constantFrom(...names);
const fate = kind<SubmitFate>(
  'ok',
  'ok',
  'ok',
  'rejected',
  'held',
  'retry',
  'unknown_taken',
  'unknown_lost',
  'crash_taken',
  'crash_lost',
);
const type = kind<PayoutEventType>(
  'acknowledged',
  'estimated',
  'disbursed',
  'disbursed',
  'settled',
  'failed',
  'returned',
  'held',
  'released',
  'released',
);
const lie = fc.option(kind<Lie>('amountMinor', 'currency', 'providerPayoutId'), { freq: 12 });
const by = kind<Suspender>('operator', 'operator', 'provider');
const says = kind<Found>('processing', 'disbursed', 'disbursed', 'settled', 'returned', 'nothing');
const asks = fc.subarray<Ask>(['approve', 'reject', 'cancel', 'approve', 'hold', 'release']);
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    arbitrary: fc.record({
      kind: kind('create'),
      strategy: kind('manual', 'auto'),
      count: fc.integer({ min: 1, max: 3 }),
      at,
    }),
    weight: 2,
  },
  { arbitrary: fc.record({ kind: kind('approve'), at }), weight: 5 },
  { arbitrary: fc.record({ kind: kind('reject', 'cancel', 'hold'), at }), weight: 1 },
  { arbitrary: fc.record({ kind: kind('release'), at }), weight: 3 },
  { arbitrary: fc.record({ kind: kind('disburse'), at, fate }), weight: 8 },
  {
    arbitrary: fc.record({ kind: kind('event'), at, attempt: fc.nat({ max: 2 }), type, lie }),
    weight: 10,
  },
  { arbitrary: fc.record({ kind: kind('replace'), at }), weight: 3 },
  { arbitrary: fc.record({ kind: kind('suspend'), at, by }), weight: 2 },
  { arbitrary: fc.record({ kind: kind('reinstate'), at, by }), weight: 6 },
  {
    arbitrary: fc.record({ kind: kind('lookUp'), at, attempt: fc.nat({ max: 2 }), says, lie }),
    weight: 4,
  },
  {
    arbitrary: fc.record({
      kind: kind('resubscribe'),
      at,
      attempt: fc.nat({ max: 2 }),
      type: kind<PayoutEventType>('acknowledged', 'estimated', 'disbursed', 'settled'),
    }),
    weight: 2,
  },
  { arbitrary: fc.record({ kind: kind('deliver'), at }), weight: 2 },
  { arbitrary: fc.record({ kind: kind('race'), at, fate, asks }), weight: 4 },
);

class Step implements fc.AsyncCommand<object, World> {
  readonly command: Command;
  constructor(given: Command) {
    this.command = given;
  }
  check(): boolean {
    return true;
  }
  async run(_model: object, world: World): Promise<void> {
    const needsNone = ['create', 'suspend', 'reinstate', 'resubscribe', 'deliver'].includes(
      this.command.kind,
    );
    if (world.payouts.length === 0 && !needsNone) return;
    const { got, expected } = await perform(world, this.command);
    expect(got, this.toString()).toEqual(expected);
    await expectInvariants(world);
  }
  toString(): string {
    return JSON.stringify(this.command);
  }
}

async function storedEvents({ tenant }: World) {
  const { rows } = await harness.database.pool.query<{
    id: string;
    status: string;
    event: ProviderPayoutEvent;
  }>(
    `SELECT event_id AS id, status, event FROM provider_event
     WHERE event ->> 'reference' LIKE $1 || '.%' ORDER BY received_at, event_id`,
    [tenant.tenantId],
  );
  return rows;
}

/** What was told once changes nothing when it is told again, in the opposite order. */
async function expectRepetitionsChangeNothing(world: World): Promise<void> {
  for (const { id, status } of await storedEvents(world)) {
    if (status === 'received') await applyProviderEvent(world.call.services, 'simulator', id);
  }
  const before = await fateOf(world);
  const told = await storedEvents(world);
  for (const { event, status } of told.toReversed()) {
    if (status === 'received') continue; // too early still: it says nothing yet
    const attemptId = event.reference.split('.')[1] ?? '';
    const { eventId: _own, ...again } = event;
    await tell(world, attemptId, event.type, again);
  }
  expect(await fateOf(world)).toEqual(before);
  await expectInvariants(world);
}

// A failure prints the seed and the path that repeat it, and the commands that it comes down to.
it('keeps its promises in any order of commands', { timeout: longTestMs }, async () => {
  const steps = fc.commands([command.map((one) => new Step(one))], {
    maxCommands: 80,
    size: 'max',
  });
  await fc.assert(
    fc.asyncProperty(steps, async (commands) => {
      const world = await makeWorld();
      await new Step({ kind: 'create', strategy: 'auto', count: 2, at: 0 }).run({}, world);
      await fc.asyncModelRun(() => ({ model: {}, real: world }), commands);
      await expectRepetitionsChangeNothing(world);
    }),
    { numRuns: 35 },
  );
});
