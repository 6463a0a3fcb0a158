import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DisbursementAttempt } from '../../generated/prisma/client.ts';
import { jobScope } from '../../src/access/system.ts';
import type { Scope } from '../../src/access/scope.ts';
import { inTransaction } from '../../src/db/pool.ts';
import { disbursePayout } from '../../src/domain/disbursement/disburse.ts';
import { makeReference } from '../../src/providers/reference.ts';
import {
  findOpenAttempt,
  insertAttempt,
  insertCall,
  recordNotAccepted,
} from '../../src/domain/disbursement/store.ts';
import { movePayoutTo } from '../../src/domain/payout/transition.ts';
import { applyProviderEvent } from '../../src/domain/provider-event/apply.ts';
import { keepProviderEvents } from '../../src/domain/provider-event/inbox.ts';
import type { PayoutEventType } from '../../src/providers/port.ts';
import { makePayee, makeTenant, payoutBody } from '../support/factory.ts';
import { startHarness, type Harness } from '../support/harness.ts';

/** Orders of steps that need two runs of one job, or an event between an answer and its record. */
let harness: Harness;
let scope: Scope;
let key: string;

beforeAll(async () => {
  harness = await startHarness({ worker: false });
  const tenant = await makeTenant(harness);
  key = tenant.key;
  scope = await jobScope(harness.services.pool, tenant.tenantId, {
    type: 'system',
    name: 'test',
  });
});

afterAll(() => harness?.close());

interface Prepared {
  readonly payoutId: string;
  readonly beneficiaryId: string;
  readonly attempt: DisbursementAttempt;
}

/** An approved payout whose attempt is committed and whose call has just begun. */
async function prepared(): Promise<Prepared> {
  const payee = await makePayee(harness, key);
  const { beneficiaryId } = payee;
  const { body } = await harness.rest('POST', '/v1/payouts', {
    key,
    body: payoutBody(payee, { validator_strategy: 'auto' }),
  });
  const payoutId: string = body.payout.id;
  const attempt = await insertAttempt(harness.services.pool, scope, {
    payoutId,
    beneficiaryId,
    provider: 'simulator',
    recipientId: 'rcp_test',
    idempotencyWindowMs: 86_400_000,
  });
  if (attempt === null) throw new Error('no attempt');
  return { payoutId, beneficiaryId, attempt };
}

/** Stores an event of an attempt as the provider would send it. */
async function tell(attempt: DisbursementAttempt, type: PayoutEventType): Promise<string> {
  const eventId = `sev_${randomUUID()}`;
  await keepProviderEvents(harness.services, 'simulator', [
    {
      kind: 'payout',
      type,
      eventId,
      occurredAt: new Date().toISOString(),
      reference: makeReference(scope.tenantId, attempt.id),
      providerPayoutId: 'hold_test',
      amountMinor: attempt.amountMinor,
      currency: attempt.currency,
      railRef: null,
      expectedDeliveryDate: null,
      failure: null,
    },
  ]);
  return eventId;
}

const apply = (eventId: string) => applyProviderEvent(harness.services, 'simulator', eventId);

async function row(sql: string, id: string): Promise<Record<string, unknown>> {
  const { rows } = await harness.database.pool.query<Record<string, unknown>>(sql, [id]);
  return rows[0] ?? {};
}
const attemptRow = (id: string) =>
  row('SELECT status, calls, needs_operator FROM disbursement_attempt WHERE id = $1', id);
const payoutRow = (id: string) =>
  row('SELECT state, live_attempt_id FROM payout WHERE id = $1', id);

async function refuse(attempt: DisbursementAttempt): Promise<DisbursementAttempt | null> {
  return recordNotAccepted(harness.services.pool, scope, attempt, {
    status: 'rejected',
    code: 'provider_rejected',
    message: 'refused',
    needsOperator: false,
  });
}

test('a release that overtakes the record of its hold waits for it', async () => {
  const { payoutId, attempt } = await prepared();
  const eventId = await tell(attempt, 'released');
  await apply(eventId);
  expect(await attemptRow(attempt.id)).toMatchObject({ status: 'prepared' });
  expect(await payoutRow(payoutId)).toMatchObject({ state: 'approved' });

  await inTransaction(harness.services.pool, async (client) => {
    await refuse(attempt);
    await movePayoutTo(client, scope, payoutId, {
      trigger: 'hold',
      when: { kind: 'attempt_took_nothing', attemptId: attempt.id },
    });
  });
  await apply(eventId);
  expect(await payoutRow(payoutId)).toEqual({ state: 'pending_approval', live_attempt_id: null });
});

test('an event of a payment that was refused is a matter for an operator', async () => {
  const { attempt } = await prepared();
  await refuse(attempt);
  await apply(await tell(attempt, 'disbursed'));
  expect(await attemptRow(attempt.id)).toMatchObject({ status: 'rejected', needs_operator: true });
});

test('of two runs that looked the same attempt up, one calls', async () => {
  const { pool } = harness.services;
  const { attempt, beneficiaryId } = await prepared();
  const calls = await Promise.all([
    insertCall(pool, scope, attempt, beneficiaryId),
    insertCall(pool, scope, attempt, beneficiaryId),
  ]);
  expect(calls.map(({ kind }) => kind).toSorted()).toEqual(['counted', 'over']);
  expect(await attemptRow(attempt.id)).toMatchObject({ calls: 2 });
});

test('a refusal of an earlier call says nothing while a later one is under way', async () => {
  const { attempt, beneficiaryId } = await prepared();
  const later = await insertCall(harness.services.pool, scope, attempt, beneficiaryId);
  expect(await refuse(attempt)).toBeNull();
  expect(await attemptRow(attempt.id)).toMatchObject({ status: 'prepared', calls: 2 });
  if (later.kind !== 'counted') throw new Error('no second call');
  expect(await refuse(later.attempt)).not.toBeNull();
});

test('a second run of the job calls nobody while a call may be under way', async () => {
  const { payoutId, attempt } = await prepared();
  await disbursePayout({ services: harness.services, scope }, payoutId);
  expect(await attemptRow(attempt.id)).toMatchObject({ status: 'prepared', calls: 1 });
  const jobs = await row(
    'SELECT run_at > now() AS later FROM graphile_worker.jobs WHERE key = $1',
    `disburse ${payoutId}`,
  );
  expect(jobs).toEqual({ later: true });
  const after = await findOpenAttempt(harness.services.pool, scope, attempt.id, 0);
  expect(after?.underWay).toBe(false);
});

test('a payout fails for its enrollment only while no attempt may have moved money', async () => {
  const { payoutId } = await prepared();
  const moved = await inTransaction(harness.services.pool, (client) =>
    movePayoutTo(client, scope, payoutId, { trigger: 'fail', when: { kind: 'not_handed_over' } }),
  );
  expect(moved).toBeNull();
  expect(await payoutRow(payoutId)).toMatchObject({ state: 'approved' });
});
