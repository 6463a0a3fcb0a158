import { expect } from 'vitest';
import { disbursePayout } from '../../src/domain/disbursement/disburse.ts';
import { makeReference } from '../../src/providers/reference.ts';
import { cancelPayout } from '../../src/domain/payout/cancel.ts';
import { decideOnPayout } from '../../src/domain/payout/decide.ts';
import type { PayoutState } from '../../src/domain/payout/machine.ts';
import { simulatePayout } from '../../src/domain/sandbox/simulate.ts';
import { applyProviderEvent } from '../../src/domain/provider-event/apply.ts';
import { keepProviderEvents } from '../../src/domain/provider-event/inbox.ts';
import type { PayoutEventType, ProviderPayoutEvent } from '../../src/providers/port.ts';
import type { Call } from '../../src/process/services.ts';
import { newUlid } from '../../src/values/ulid.ts';
import {
  makePayee,
  makeTenant,
  payoutBody,
  type TestPayee,
  type TestTenant,
} from '../support/factory.ts';
import {
  eventId,
  fakeProvider,
  newApproved,
  systemCall,
  withProvider,
  type FakeProvider,
} from '../support/fake-provider.ts';
import type { Harness } from '../support/harness.ts';

export interface Place {
  readonly harness: Harness;
  readonly tenant: TestTenant;
  readonly payee: TestPayee;
  readonly provider: FakeProvider;
  readonly call: Call;
}

/** A tenant with a payee, whose provider is a fake. */
export async function makePlace(harness: Harness): Promise<Place> {
  const tenant = await makeTenant(harness);
  const payee = await makePayee(harness, tenant.key);
  const provider = fakeProvider();
  const call = await systemCall(withProvider(harness.services, provider), tenant.tenantId);
  return { harness, tenant, payee, provider, call };
}

export interface Attempt {
  readonly id: string;
  readonly status: string;
  readonly providerPayoutId: string | null;
  readonly amountMinor: bigint;
  readonly currency: string;
}

/** The attempts of a payout, first to last. */
export async function attemptsOf({ call, harness }: Place, payoutId: string): Promise<Attempt[]> {
  const { rows } = await harness.database.pool.query<Attempt>(
    `SELECT id, status, provider_payout_id AS "providerPayoutId",
       amount_minor AS "amountMinor", currency
     FROM disbursement_attempt WHERE tenant_id = $2 AND payout_id = $1 ORDER BY number`,
    [payoutId, call.scope.tenantId],
  );
  return rows;
}

/** An event of the provider about an attempt. */
export async function eventOf(
  { call, harness }: Place,
  attemptId: string,
  type: PayoutEventType,
  more: Partial<ProviderPayoutEvent> = {},
): Promise<ProviderPayoutEvent> {
  const { rows } = await harness.database.pool.query<{ amountMinor: bigint; currency: string }>(
    `SELECT amount_minor AS "amountMinor", currency FROM disbursement_attempt
     WHERE tenant_id = $1 AND id = $2`,
    [call.scope.tenantId, attemptId],
  );
  return {
    kind: 'payout',
    type,
    amountMinor: rows[0]?.amountMinor ?? 0n,
    currency: rows[0]?.currency ?? 'XXX',
    eventId: eventId(),
    occurredAt: new Date().toISOString(),
    reference: makeReference(call.scope.tenantId, attemptId),
    providerPayoutId: `po_${attemptId}`,
    railRef: ['acknowledged', 'estimated'].includes(type) ? null : `RAIL-${attemptId}`,
    expectedDeliveryDate: type === 'estimated' ? new Date().toISOString() : null,
    failure:
      type === 'failed' || type === 'returned'
        ? { code: 'account_closed', message: 'The account is closed.' }
        : null,
    ...more,
  };
}

/** Stores and applies an event of the provider about an attempt. */
export async function tell(
  place: Place,
  attemptId: string,
  type: PayoutEventType,
  more: Partial<ProviderPayoutEvent> = {},
): Promise<void> {
  const { services } = place.call;
  const event = await eventOf(place, attemptId, type, more);
  await keepProviderEvents(services, 'simulator', [event]);
  await applyProviderEvent(services, 'simulator', event.eventId);
}

async function handedOver(place: Place): Promise<[string, string]> {
  const body = payoutBody(place.payee, { validator_strategy: 'auto' });
  const id = await newApproved(place.harness, place.tenant.key, body);
  await disbursePayout(place.call, id);
  const attempt = (await attemptsOf(place, id)).at(-1);
  expect(attempt?.status).toBe('submitted');
  return [id, attempt?.id ?? ''];
}

async function after(place: Place, ...events: PayoutEventType[]): Promise<string> {
  const [id, attemptId] = await handedOver(place);
  for (const type of events) await tell(place, attemptId, type);
  return id;
}

const waiting = (place: Place) =>
  newApproved(place.harness, place.tenant.key, payoutBody(place.payee));

/** Where a payout can stand, each with a way there. */
export const stands: readonly {
  readonly name: string;
  readonly state: PayoutState;
  /** The provider has it. */
  readonly handedOver: boolean;
  readonly make: (place: Place) => Promise<string>;
}[] = [
  { name: 'pending_approval', state: 'pending_approval', handedOver: false, make: waiting },
  {
    name: 'approved',
    state: 'approved',
    handedOver: false,
    make: ({ harness, tenant, payee }) =>
      newApproved(harness, tenant.key, payoutBody(payee, { validator_strategy: 'auto' })),
  },
  {
    name: 'approved, handed over',
    state: 'approved',
    handedOver: true,
    make: async (place) => (await handedOver(place))[0],
  },
  {
    name: 'rejected',
    state: 'rejected',
    handedOver: false,
    make: async (place) => {
      const id = await waiting(place);
      const reasons = [{ message: 'no' }];
      await decideOnPayout(place.call, id, { decisionId: newUlid(), status: 'rejected', reasons });
      return id;
    },
  },
  {
    name: 'canceled',
    state: 'canceled',
    handedOver: false,
    make: async (place) => {
      const id = await waiting(place);
      await cancelPayout(place.call, id);
      return id;
    },
  },
  {
    name: 'compliance_hold',
    state: 'compliance_hold',
    handedOver: false,
    make: async (place) => {
      const id = await waiting(place);
      await simulatePayout(place.call, id, { event: 'hold' });
      return id;
    },
  },
  {
    name: 'disbursed',
    state: 'disbursed',
    handedOver: true,
    make: (place) => after(place, 'disbursed'),
  },
  { name: 'settled', state: 'settled', handedOver: true, make: (place) => after(place, 'settled') },
  { name: 'failed', state: 'failed', handedOver: true, make: (place) => after(place, 'failed') },
  {
    name: 'returned',
    state: 'returned',
    handedOver: true,
    make: (place) => after(place, 'returned'),
  },
];
