import { beforeEach, expect, it } from 'vitest';
import { makeReference } from '../../../src/providers/reference.ts';
import { applyProviderEvent } from '../../../src/domain/provider-event/apply.ts';
import { keepProviderEvents } from '../../../src/domain/provider-event/inbox.ts';
import { newId } from '../../../src/values/ids.ts';
import type { ProviderEvent } from '../../../src/providers/port.ts';
import { makePayee, makeTenant, type TestTenant } from '../../support/factory.ts';
import { eventId } from '../../support/fake-provider.ts';
import { useHarness } from '../../support/use-harness.ts';

let tenant: TestTenant;

const harness = useHarness({ worker: false, env: { LOG_LEVEL: 'silent' } });
beforeEach(async () => {
  tenant = await makeTenant(harness);
});

function payoutEvent(reference: string): ProviderEvent {
  return {
    kind: 'payout',
    type: 'settled',
    eventId: eventId(),
    occurredAt: '2026-11-01T10:00:00.000Z',
    reference,
    providerPayoutId: 'po_1',
    amountMinor: 125_000n,
    currency: 'USD',
    railRef: null,
    expectedDeliveryDate: null,
    failure: null,
  };
}

function recipientEvent(reference: string): ProviderEvent {
  return {
    kind: 'recipient',
    type: 'suspended',
    eventId: eventId(),
    occurredAt: '2026-11-01T10:00:00.000Z',
    reference,
    recipientId: 'rcp_1',
    reason: null,
  };
}

const keep = (event: ProviderEvent) =>
  keepProviderEvents(harness.services, 'simulator', [event]).then(() => event.eventId);
const apply = (id: string) => applyProviderEvent(harness.services, 'simulator', id);

async function rowOf(id: string) {
  const { rows } = await harness.database.pool.query<{ status: string; tries: number }>(
    'SELECT status, tries FROM provider_event WHERE event_id = $1',
    [id],
  );
  return rows[0];
}

async function waits(id: string): Promise<boolean> {
  const { rows } = await harness.database.pool.query(
    'SELECT run_at FROM graphile_worker.jobs WHERE key = $1 AND run_at > now()',
    [`apply simulator ${id}`],
  );
  return rows.length === 1;
}

const absent: [string, () => ProviderEvent][] = [
  ['a payout of an unknown attempt', () => payoutEvent(own('disbursementAttempt'))],
  ['a recipient of an unknown enrollment', () => recipientEvent(own('enrollment'))],
  ['a payout of an unknown tenant', () => payoutEvent(foreign('disbursementAttempt'))],
  ['a recipient of an unknown tenant', () => recipientEvent(foreign('enrollment'))],
  ["a payout under an enrollment's id", () => payoutEvent(own('enrollment'))],
  ['a reference that is not ours', () => payoutEvent('theirs-17')],
];

function own(resource: 'disbursementAttempt' | 'enrollment'): string {
  return makeReference(tenant.tenantId, newId(resource));
}

function foreign(resource: 'disbursementAttempt' | 'enrollment'): string {
  return makeReference(newId('tenant'), newId(resource));
}

it.each(absent)('tries an event of %s again, and gives it up in the end', async (_, make) => {
  const id = await keep(make());
  await apply(id);
  expect(await rowOf(id)).toEqual({ status: 'received', tries: 1 });
  expect(await waits(id)).toBe(true);
  for (let run = 2; run <= 20; run += 1) await apply(id);
  expect(await rowOf(id)).toEqual({ status: 'unmatched', tries: 20 });
});

it('applies an event whose tenant and enrollment are there at last', async () => {
  const payee = await makePayee(harness, tenant.key);
  const enrollmentId = newId('enrollment');
  const early = newId('tenant');
  const id = await keep(recipientEvent(makeReference(tenant.tenantId, enrollmentId)));
  const other = await keep(recipientEvent(makeReference(early, enrollmentId)));
  await apply(id);
  await apply(other);
  await harness.database.pool.query(
    `INSERT INTO enrollment (tenant_id, id, beneficiary_id, bank_account_id, bank_account_version,
       provider, status, recipient_id)
     VALUES ($1, $2, $3, $4, 1, 'simulator', 'verified', 'rcp_1')`,
    [tenant.tenantId, enrollmentId, payee.beneficiaryId, payee.bankAccountId],
  );
  await apply(id);
  expect(await rowOf(id)).toEqual({ status: 'applied', tries: 2 });
  const repeated = await keep(recipientEvent(makeReference(tenant.tenantId, enrollmentId)));
  await apply(repeated);
  expect(await rowOf(repeated)).toEqual({ status: 'ignored', tries: 1 });
  expect(await rowOf(other)).toEqual({ status: 'received', tries: 1 });

  // An unknown tenant is not remembered as unknown.
  await harness.database.pool.query(
    `INSERT INTO business (id, company_name) VALUES ($1, 'Late Business')`,
    [early.replace('ten_', 'biz_')],
  );
  await harness.database.pool.query(
    `INSERT INTO tenant (id, business_id, environment) VALUES ($1, $2, 'sandbox')`,
    [early, early.replace('ten_', 'biz_')],
  );
  await apply(other);
  expect(await rowOf(other)).toEqual({ status: 'received', tries: 2 });
});
