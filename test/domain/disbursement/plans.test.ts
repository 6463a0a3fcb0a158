import type { PoolClient } from 'pg';
import { expect, it } from 'vitest';
import type { DisbursementAttempt } from '../../../generated/prisma/client.ts';
import {
  acceptedEvent,
  recordAllAccepted,
} from '../../../src/domain/disbursement/accepted-store.ts';
import { insertAttempts } from '../../../src/domain/disbursement/store.ts';
import { applyPayoutEvents } from '../../../src/domain/provider-event/apply-payout-event.ts';
import type { ProviderPayoutEvent } from '../../../src/providers/port.ts';
import { makeReference } from '../../../src/providers/reference.ts';
import { newId } from '../../../src/values/ids.ts';
import { copying } from '../../support/copied-rows.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';
import { countingRows } from '../../support/rows-read.ts';

/*
 * Commands that change many rows look up each of them by its key, also in a session that planned them before the
 * tenant had any, and while the statistics do not know the tenant.
 */

const world = usePayoutWorld({ fresh: true });
const { sql, approved } = world;

const together = 20;
const others = 2_000;

type Step = (client: PoolClient, attempts: readonly DisbursementAttempt[]) => Promise<unknown>;

/** New attempts of the payouts, each of which is made. */
async function prepare(
  client: PoolClient,
  payoutIds: readonly string[],
): Promise<DisbursementAttempt[]> {
  const wanted = payoutIds.map((payoutId) => ({
    payoutId,
    beneficiaryId: world.payee.beneficiaryId,
    provider: 'simulator',
    recipientId: 'rcp_1',
    idempotencyWindowMs: 3_600_000,
  }));
  const made = await insertAttempts(client, world.call.scope, wanted);
  return made.filter((attempt) => attempt !== null);
}

async function accept(client: PoolClient, attempts: readonly DisbursementAttempt[]) {
  const taken = attempts.map(({ id }) => ({
    attemptId: id,
    payoutId: `po_${id}`,
    railRef: null,
    event: acceptedEvent(),
  }));
  const news = await recordAllAccepted(client, world.call.scope, taken);
  expect(news).toEqual(attempts.map(() => true));
}

/** The provider tells the same of each attempt, which is news. */
const tell =
  (
    type: ProviderPayoutEvent['type'],
    second: number,
    also: Partial<ProviderPayoutEvent> = {},
  ): Step =>
  async (client, attempts) => {
    const told = attempts.map(({ id }) => ({
      attemptId: id,
      within: <T>(work: () => T): T => work(),
      event: {
        kind: 'payout',
        type,
        eventId: `evt_${id}_${type}`,
        occurredAt: `2026-11-01T10:00:0${second}.000Z`,
        reference: makeReference(world.tenant.tenantId, id),
        providerPayoutId: `po_${id}`,
        amountMinor: 125_000n,
        currency: 'USD',
        railRef: null,
        expectedDeliveryDate: null,
        failure: null,
        ...also,
      } as const,
    }));
    const actor = { type: 'provider', name: 'simulator' } as const;
    const outcomes = await applyPayoutEvents(client, { ...world.call.scope, actor }, told);
    expect(outcomes).toEqual(attempts.map(() => 'applied'));
  };

const steps: readonly Step[] = [
  tell('acknowledged', 1),
  tell('estimated', 2, { expectedDeliveryDate: '2026-11-03T10:00:00.000Z' }),
  tell('disbursed', 3),
  tell('settled', 4),
];

/** Takes payouts, half of which the provider's answer is recorded of, through all steps. */
async function runAll(
  inOne: <T>(work: (client: PoolClient) => Promise<T>) => Promise<T>,
  payoutIds: readonly string[],
): Promise<void> {
  const attempts = await inOne((client) => prepare(client, payoutIds));
  expect(attempts).toHaveLength(payoutIds.length);
  const answered = attempts.slice(0, Math.ceil(attempts.length / 2));
  await inOne((client) => accept(client, answered));
  for (const step of steps) await inOne((client) => step(client, attempts));
}

/** Many other payouts that are handed over, as copies of one: of the tenant, or of others with a few each. */
async function submitOthers(client: PoolClient, whose: 'of the tenant' | 'of others') {
  const [attempt] = await prepare(client, [await approved()]);
  if (attempt === undefined) throw new Error('no attempt');
  const ids = Array.from({ length: others }, () => newId('payout'));
  const tenant =
    whose === 'of the tenant' ? '' : ", 'tenant_id', 'tnt_' || abs(hashtext(x.id)) % 600";
  const copies = (table: string, key: string, of: string, also: string) =>
    copying(sql, { table, key, of, ids, also: also + tenant });
  const { id, payoutId } = attempt;
  await sql(
    [
      'BEGIN',
      'SET LOCAL session_replication_role = replica',
      await copies('payout', 'id', payoutId, ", 'idempotency_key', x.id"),
      await copies('payout_transition', 'payout_id', payoutId, ''),
      await copies('disbursement_attempt', 'id', id, ", 'payout_id', x.id"),
      'COMMIT',
    ].join(';'),
  );
}

it('changes many payouts by looking up each, however many the tenant has', async () => {
  const { pool, most } = countingRows(world.call.services.pool);
  const client = await pool.connect();
  const inOne = async <T>(work: (client: PoolClient) => Promise<T>): Promise<T> => {
    await client.query('BEGIN');
    try {
      const done = await work(client);
      await client.query('COMMIT');
      return done;
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    }
  };
  try {
    await submitOthers(client, 'of others');
    await sql('ANALYZE');
    await runAll(inOne, [await approved()]);
    await submitOthers(client, 'of the tenant');
    const payoutIds: string[] = [];
    for (let n = 0; n < together; n += 1) payoutIds.push(await approved());
    await runAll(inOne, payoutIds);
  } finally {
    client.release();
  }
  // Counted over the steps, since PostgreSQL reports a session's counts about once in a second.
  const few = 8 * steps.length * together;
  expect([...most].filter(([, count]) => count > few)).toEqual([]);
  expect(most.get('payout')).toBeGreaterThanOrEqual(together);
});
