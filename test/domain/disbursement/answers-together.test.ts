import { expect, it } from 'vitest';
import type { ProviderPayout } from '../../../src/providers/port.ts';
import { recordTaken } from '../../../src/domain/disbursement/answer.ts';
import { insertAttempt } from '../../../src/domain/disbursement/store.ts';
import { makeReference } from '../../../src/providers/reference.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';

const world = usePayoutWorld();

async function prepared() {
  const payoutId = await world.approved();
  const attempt = await insertAttempt(world.call.services.pool, world.call.scope, {
    payoutId,
    beneficiaryId: world.payee.beneficiaryId,
    provider: 'simulator',
    recipientId: 'rcp_1',
    idempotencyWindowMs: 3_600_000,
  });
  if (attempt === null) throw new Error('no attempt');
  const answer = (providerPayoutId: string): ProviderPayout => ({
    providerPayoutId,
    reference: makeReference(world.call.scope.tenantId, attempt.id),
    amountMinor: attempt.amountMinor,
    currency: attempt.currency,
    status: 'processing',
    statusAt: new Date().toISOString(),
    railRef: null,
    failure: null,
  });
  const take = (providerPayoutId: string) =>
    recordTaken(world.call, attempt, [answer(providerPayoutId)], 'look_up');
  return { payoutId, attempt, take };
}

it('notices that two answers at the same time name two payments for one attempt', async () => {
  const { payoutId, take } = await prepared();
  const results = await Promise.all([take(`po_${payoutId}_1`), take(`po_${payoutId}_2`)]);
  expect(results.toSorted()).toEqual(['contradicts', 'taken']);
});

it('records an answer that two runs got at the same time once', async () => {
  const { payoutId, take } = await prepared();
  const results = await Promise.all([take(`po_${payoutId}`), take(`po_${payoutId}`)]);
  expect(results.toSorted()).toEqual(['known', 'taken']);
  expect(await world.eventsOf(payoutId)).toEqual(['payout.disbursement_submitted']);
});

it('records the others where one answer cannot be recorded', async () => {
  const [first, second] = [await prepared(), await prepared()];
  const results = await Promise.allSettled([
    first.take(`po_${first.payoutId}`),
    second.take('a \0 that no text of PostgreSQL has'),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  const states = [first, second].map(({ attempt }) => attempt.id);
  const rows = await world.sql<{ id: string; status: string }>(
    'SELECT id, status FROM disbursement_attempt WHERE id = ANY ($1)',
    [states],
  );
  expect(new Map(rows.map(({ id, status }) => [id, status]))).toEqual(
    new Map([
      [first.attempt.id, 'submitted'],
      [second.attempt.id, 'prepared'],
    ]),
  );
});

it('gives a payment that two answers at the same time name to one attempt alone', async () => {
  const [first, second] = [await prepared(), await prepared()];
  const one = `po_${first.payoutId}`;
  const results = await Promise.all([first.take(one), second.take(one)]);
  expect(results.toSorted()).toEqual(['contradicts', 'taken']);
  const rows = await world.sql(
    'SELECT id FROM disbursement_attempt WHERE provider_payout_id = $1',
    [one],
  );
  expect(rows).toHaveLength(1);
});
