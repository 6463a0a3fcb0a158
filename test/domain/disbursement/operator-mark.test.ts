import { expect, it } from 'vitest';
import type { DisbursementAttempt } from '../../../generated/prisma/client.ts';
import { recordContradictions } from '../../../src/domain/contradiction/contradiction-store.ts';
import { recordAccepted } from '../../../src/domain/disbursement/accepted-store.ts';
import { insertAttempt, recordNotAccepted } from '../../../src/domain/disbursement/store.ts';
import { behind } from '../../support/behind.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';

const world = usePayoutWorld();
const pool = () => world.call.services.pool;

async function prepared(): Promise<DisbursementAttempt> {
  const payoutId = await world.approved();
  const attempt = await insertAttempt(pool(), world.call.scope, {
    payoutId,
    beneficiaryId: world.payee.beneficiaryId,
    provider: 'simulator',
    recipientId: 'rcp_1',
    idempotencyWindowMs: 3_600_000,
  });
  if (attempt === null) throw new Error('no attempt');
  return attempt;
}

const currency = [{ kind: 'currency', said: 'EUR', expected: 'USD' }] as const;

const end = (attempt: DisbursementAttempt, status: 'rejected' | 'unknown', needsOperator = false) =>
  recordNotAccepted(pool(), world.call.scope, attempt, {
    status,
    code: 'other',
    message: 'm',
    needsOperator,
  });
const accept = ({ id }: DisbursementAttempt) =>
  recordAccepted(pool(), world.call.scope, id, { payoutId: `po_${id}`, railRef: null });

const outcomes: Record<string, (attempt: DisbursementAttempt) => Promise<unknown>> = {
  submitted: accept,
  rejected: (attempt) => end(attempt, 'rejected'),
  unknown: (attempt) => end(attempt, 'unknown'),
};

const marked = async ({ id }: DisbursementAttempt) =>
  world.sql('SELECT status, needs_operator FROM disbursement_attempt WHERE id = $1', [id]);

it.each(Object.entries(outcomes))(
  'a contradiction that is committed while its attempt becomes %s still calls a person',
  async (status, record) => {
    const attempt = await prepared();
    await behind(
      pool(),
      (client) =>
        recordContradictions(client, world.call.scope, attempt, currency, { source: 'event' }),
      () => record(attempt),
    );
    expect(await marked(attempt)).toEqual([{ status, needs_operator: true }]);
  },
);

it('an outcome that becomes known ends the wait for a person who was to find it out', async () => {
  for (const [status, record] of Object.entries(outcomes)) {
    const attempt = await prepared();
    await end(attempt, 'unknown', true);
    expect(await marked(attempt)).toEqual([{ status: 'unknown', needs_operator: true }]);
    await record(attempt);
    expect(await marked(attempt)).toEqual([{ status, needs_operator: false }]);
  }
});
