import { expect, it } from 'vitest';
import { disbursePayout } from '../../../src/domain/disbursement/disburse.ts';
import { makeReference } from '../../../src/providers/reference.ts';
import { applyProviderEvent } from '../../../src/domain/provider-event/apply.ts';
import { keepProviderEvents } from '../../../src/domain/provider-event/inbox.ts';
import { eventId } from '../../support/fake-provider.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';

const world = usePayoutWorld();
const { approve, attempts, handedOver, stateOf, tell } = world;

it.each(['crash_taken', 'unknown_taken'] as const)(
  'takes the event for the answer where that never came (%s), and sends nothing again',
  async (fate) => {
    const id = await handedOver(fate);
    expect(await tell(id, { type: 'settled' })).toBe('applied');
    expect(await stateOf(id)).toBe('settled');
    await disbursePayout(world.call, id);
    expect(world.provider.submissions).toHaveLength(1);
    expect(await attempts(id)).toMatchObject([{ status: 'submitted', needs_operator: false }]);
  },
);

it('keeps a release that overtakes the hold which it lifts', async () => {
  const id = await handedOver('crash_lost');
  expect(await tell(id, { type: 'released' })).toBe('received');
  expect(await stateOf(id)).toBe('approved');
  world.provider.fates.push('held');
  await disbursePayout(world.call, id);
  expect(await stateOf(id)).toBe('compliance_hold');
  expect(await tell(id, { type: 'released' })).toBe('applied');
  expect(await stateOf(id)).toBe('pending_approval');
});

it('lifts with a release only the hold that it is about', async () => {
  const id = await handedOver('held');
  expect(await tell(id, { type: 'released' })).toBe('applied');
  await approve(id);
  world.provider.fates.push('held');
  await disbursePayout(world.call, id);
  expect(await stateOf(id)).toBe('compliance_hold');
  expect(await tell(id, { type: 'released' }, 1)).toBe('ignored');
  expect(await stateOf(id)).toBe('compliance_hold');
  expect(await tell(id, { type: 'released' }, 2)).toBe('applied');
  expect(await stateOf(id)).toBe('pending_approval');
});

it.each(['disbursed', 'settled', 'returned', 'acknowledged', 'estimated'] as const)(
  'calls a person when a refused attempt is %s after all, and moves nothing',
  async (type) => {
    const id = await handedOver('rejected');
    expect(await tell(id, { type })).toBe('applied');
    expect(await stateOf(id)).toBe('failed');
    expect(await attempts(id)).toMatchObject([{ status: 'rejected', needs_operator: true }]);
  },
);

it.each(['failed', 'held'] as const)('has nothing new in %s of a refused attempt', async (type) => {
  const id = await handedOver('rejected');
  expect(await tell(id, { type })).toBe('ignored');
  expect(await attempts(id)).toMatchObject([{ status: 'rejected', needs_operator: false }]);
});

it('marks an event once, though two runs apply it', async () => {
  const id = await handedOver('ok');
  const told = eventId();
  const [attempt] = await attempts(id);
  await keepProviderEvents(world.call.services, 'simulator', [
    {
      kind: 'payout',
      type: 'disbursed',
      eventId: told,
      occurredAt: '2026-11-01T10:00:00.000Z',
      reference: makeReference(world.tenant.tenantId, attempt?.id ?? ''),
      providerPayoutId: `po_${attempt?.id ?? ''}`,
      amountMinor: 125_000n,
      currency: 'USD',
      railRef: null,
      expectedDeliveryDate: null,
      failure: null,
    },
  ]);
  await Promise.all(
    Array.from({ length: 8 }, () => applyProviderEvent(world.call.services, 'simulator', told)),
  );
  const { rows } = await world.harness.database.pool.query(
    'SELECT status, tries FROM provider_event WHERE event_id = $1',
    [told],
  );
  expect(rows).toEqual([{ status: 'applied', tries: 1 }]);
  expect(await stateOf(id)).toBe('disbursed');
});

it.each(['settled', 'failed', 'disbursed', 'released'] as const)(
  'takes no word of another provider for an attempt (%s)',
  async (type) => {
    const id = await handedOver('unknown_taken');
    const [attempt] = await attempts(id);
    const event = {
      kind: 'payout',
      type,
      eventId: eventId(),
      occurredAt: '2026-11-01T10:00:00.000Z',
      reference: makeReference(world.tenant.tenantId, attempt?.id ?? ''),
      providerPayoutId: 'po_of_another',
      amountMinor: 12_345n,
      currency: 'USD',
      railRef: null,
      expectedDeliveryDate: null,
      failure: null,
    } as const;
    await keepProviderEvents(world.call.services, 'another', [event]);
    await applyProviderEvent(world.call.services, 'another', event.eventId);
    expect(await stateOf(id)).toBe('approved');
    expect(await attempts(id)).toEqual([attempt]);
  },
);
