import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { disbursePayout } from '../../../src/domain/disbursement/disburse.ts';
import { makeReference } from '../../../src/domain/disbursement/reference.ts';
import { decideOnPayout } from '../../../src/domain/payout/decide.ts';
import { readPayout } from '../../../src/domain/payout/read.ts';
import { applyProviderEvent } from '../../../src/domain/provider-event/apply.ts';
import { keepProviderEvent } from '../../../src/domain/provider-event/inbox.ts';
import type { PayoutEventType } from '../../../src/providers/port.ts';
import type { Call } from '../../../src/services.ts';
import { newUlid } from '../../../src/ulid.ts';
import {
  makePayee,
  makeTenant,
  payoutBody,
  type TestPayee,
  type TestTenant,
} from '../../support/factory.ts';
import {
  eventId,
  fakeProvider,
  newApproved,
  systemCall,
  withProvider,
  type FakeProvider,
  type SubmitFate,
} from '../../support/fake-provider.ts';
import { startHarness, type Harness } from '../../support/harness.ts';

let harness: Harness;
let tenant: TestTenant;
let payee: TestPayee;
let provider: FakeProvider;
let call: Call;

beforeAll(async () => {
  harness = await startHarness({ worker: false, env: { PROVIDER_TIMEOUT_MS: '1' } });
  tenant = await makeTenant(harness);
  payee = await makePayee(harness, tenant.key);
});
afterAll(() => harness.close());
beforeEach(async () => {
  provider = fakeProvider();
  call = await systemCall(withProvider(harness.services, provider), tenant.tenantId);
});

async function handedOver(fate: SubmitFate): Promise<string> {
  const body = payoutBody(payee, { validator_strategy: 'auto' });
  const id = await newApproved(harness, tenant.key, body);
  provider.fates.push(fate);
  await disbursePayout(call, id).catch(() => undefined);
  return id;
}

async function attempts(payoutId: string) {
  const { rows } = await harness.database.pool.query<{
    id: string;
    status: string;
    needs_operator: boolean;
  }>(
    'SELECT id, status, needs_operator FROM disbursement_attempt WHERE payout_id = $1 ORDER BY number',
    [payoutId],
  );
  return rows;
}

/** Tells of an attempt of the payout (the newest by default) and returns what became of the event. */
async function tell(payoutId: string, type: PayoutEventType, number = 0): Promise<string> {
  const attempt = (await attempts(payoutId)).at(number - 1);
  const id = eventId();
  await keepProviderEvent(call.services, 'simulator', {
    kind: 'payout',
    type,
    eventId: id,
    occurredAt: '2026-11-01T10:00:00.000Z',
    reference: makeReference(tenant.tenantId, attempt?.id ?? ''),
    providerPayoutId: `po_${attempt?.id ?? ''}`,
    railRef: null,
    expectedDeliveryDate: null,
    failure: null,
  });
  await applyProviderEvent(call.services, 'simulator', id);
  const { rows } = await harness.database.pool.query<{ status: string }>(
    'SELECT status FROM provider_event WHERE event_id = $1',
    [id],
  );
  return rows[0]?.status ?? '';
}

const stateOf = async (id: string) => (await readPayout(call, id)).state;
const approve = (id: string) =>
  decideOnPayout(call, id, { decisionId: newUlid(), status: 'approved', reasons: [] });

it.each(['crash_taken', 'unknown_taken'] as const)(
  'takes the event for the answer where that never came (%s), and sends nothing again',
  async (fate) => {
    const id = await handedOver(fate);
    expect(await tell(id, 'settled')).toBe('applied');
    expect(await stateOf(id)).toBe('settled');
    await disbursePayout(call, id);
    expect(provider.submissions).toHaveLength(1);
    expect(await attempts(id)).toMatchObject([{ status: 'submitted', needs_operator: false }]);
  },
);

it('keeps a release that overtakes the hold which it lifts', async () => {
  const id = await handedOver('crash_lost');
  expect(await tell(id, 'released')).toBe('received');
  expect(await stateOf(id)).toBe('approved');
  provider.fates.push('held');
  await disbursePayout(call, id);
  expect(await stateOf(id)).toBe('compliance_hold');
  expect(await tell(id, 'released')).toBe('applied');
  expect(await stateOf(id)).toBe('pending_approval');
});

it('lifts with a release only the hold that it is about', async () => {
  const id = await handedOver('held');
  expect(await tell(id, 'released')).toBe('applied');
  await approve(id);
  provider.fates.push('held');
  await disbursePayout(call, id);
  expect(await stateOf(id)).toBe('compliance_hold');
  expect(await tell(id, 'released', 1)).toBe('ignored');
  expect(await stateOf(id)).toBe('compliance_hold');
  expect(await tell(id, 'released', 2)).toBe('applied');
  expect(await stateOf(id)).toBe('pending_approval');
});

it.each(['disbursed', 'settled', 'returned', 'acknowledged', 'estimated'] as const)(
  'calls a person when a refused attempt is %s after all, and moves nothing',
  async (type) => {
    const id = await handedOver('rejected');
    expect(await tell(id, type)).toBe('applied');
    expect(await stateOf(id)).toBe('failed');
    expect(await attempts(id)).toMatchObject([{ status: 'rejected', needs_operator: true }]);
  },
);

it.each(['failed', 'held'] as const)('has nothing new in %s of a refused attempt', async (type) => {
  const id = await handedOver('rejected');
  expect(await tell(id, type)).toBe('ignored');
  expect(await attempts(id)).toMatchObject([{ status: 'rejected', needs_operator: false }]);
});

it('marks an event once, though two runs apply it', async () => {
  const id = await handedOver('ok');
  const told = eventId();
  const [attempt] = await attempts(id);
  await keepProviderEvent(call.services, 'simulator', {
    kind: 'payout',
    type: 'disbursed',
    eventId: told,
    occurredAt: '2026-11-01T10:00:00.000Z',
    reference: makeReference(tenant.tenantId, attempt?.id ?? ''),
    providerPayoutId: 'po_1',
    railRef: null,
    expectedDeliveryDate: null,
    failure: null,
  });
  await Promise.all(
    Array.from({ length: 8 }, () => applyProviderEvent(call.services, 'simulator', told)),
  );
  const { rows } = await harness.database.pool.query(
    'SELECT status, tries FROM provider_event WHERE event_id = $1',
    [told],
  );
  expect(rows).toEqual([{ status: 'applied', tries: 1 }]);
  expect(await stateOf(id)).toBe('disbursed');
});
