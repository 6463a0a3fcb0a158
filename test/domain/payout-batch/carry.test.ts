import { beforeEach, describe, expect, it } from 'vitest';
import type { PayoutBatch } from '../../../generated/prisma/client.ts';
import { violatesUnique } from '../../../src/db/errors.ts';
import { suspendBeneficiary } from '../../../src/domain/beneficiary/suspend.ts';
import { cancelPayoutBatch } from '../../../src/domain/payout-batch/cancel.ts';
import { addPayoutBatchRows } from '../../../src/domain/payout-batch/add-rows.ts';
import { carryPayoutBatch } from '../../../src/domain/payout-batch/carry.ts';
import { readPayoutBatch } from '../../../src/domain/payout-batch/store.ts';
import { submitPayoutBatch } from '../../../src/domain/payout-batch/submit.ts';
import { summarize } from '../../../src/domain/payout-batch/summary.ts';
import { sweepPayoutBatches } from '../../../src/domain/payout-batch/sweep.ts';
import { disbursePayout } from '../../../src/domain/disbursement/disburse.ts';
import { cancelPayout } from '../../../src/domain/payout/cancel.ts';
import { decideInBulk } from '../../../src/domain/payout/decide-bulk.ts';
import type { Call } from '../../../src/process/services.ts';
import { Died, mortal } from '../../chaos/support/mortal.ts';
import { behind, within } from '../../support/behind.ts';
import { makePayee } from '../../support/factory.ts';
import { codeOf, memberCall, withSettings } from '../../support/payout-command.ts';
import { newDraft, rowFor, rowsOf, statusesOf } from '../../support/payout-batches.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';

const world = usePayoutWorld();
const row = (more: Parameters<typeof rowFor>[1] = {}) => rowFor(world.payee, more);

interface Made {
  readonly id: string;
  readonly batch_row: number;
  readonly state: string;
  readonly created_by: { readonly user_id: string };
}

const payoutsOf = (batchId: string) =>
  world.sql<Made>(
    'SELECT id, batch_row, state, created_by FROM payout WHERE batch_id = $1 ORDER BY batch_row',
    [batchId],
  );
const rowNumbers = async (batchId: string) =>
  (await payoutsOf(batchId)).map(({ batch_row: n }) => n);
const eventsOf = async (batchId: string) =>
  world.sql<{ type: string; data: object }>(
    'SELECT type, data FROM event WHERE subject_id = $1 ORDER BY sequence',
    [batchId],
  );
const typesOf = async (batchId: string) => (await eventsOf(batchId)).map(({ type }) => type);

/** A preparer, since the service itself is nobody's member. */
let preparer: Call;
beforeEach(async () => {
  preparer = await memberCall(world.harness.services, world.tenant, 'preparer');
});

async function submitted(count = 3): Promise<PayoutBatch> {
  const { id } = await newDraft(
    preparer,
    Array.from({ length: count }, () => row()),
  );
  return submitPayoutBatch(preparer, id);
}

async function subscribe(): Promise<void> {
  const enabled_events = ['submitted', 'approved', 'completed'].map((one) => `payout_batch.${one}`);
  const body = { url: 'https://example.com/hook', enabled_events };
  const { key } = world.tenant;
  const answer = await world.harness.rest('POST', '/v1/webhook-subscriptions', { key, body });
  expect(answer.status, answer.text).toBeLessThan(300);
}

describe('the payouts of a submitted batch', () => {
  it('are made in its order, each once, as those who added the rows', async () => {
    const { id } = await newDraft(preparer, [row({ externalRef: 'one' }), row()]);
    const other = await memberCall(world.harness.services, world.tenant, 'admin');
    await addPayoutBatchRows(other, id, { firstRow: 3, rows: [row()] });
    await submitPayoutBatch(other, id);
    await Promise.all([carryPayoutBatch(world.call, id), carryPayoutBatch(world.call, id)]);
    await carryPayoutBatch(world.call, id);
    const made = await payoutsOf(id);
    expect(made.map(({ batch_row: n, state }) => [n, state])).toEqual([
      [1, 'pending_approval'],
      [2, 'pending_approval'],
      [3, 'pending_approval'],
    ]);
    const users = [preparer, preparer, other].map(({ scope }) => scope.actor);
    expect(made.map(({ created_by: by }) => by)).toEqual(users);
    const shown = await rowsOf(world.call, id);
    expect(shown.map(({ status, payoutId }) => [status, payoutId])).toEqual(
      made.map((payout) => ['made', payout.id]),
    );
    expect((await readPayoutBatch(world.call, id)).madeAt).not.toBeNull();
  });

  it('are not made again when their keys are long forgotten, and never by another way', async () => {
    const { id } = await submitted(2);
    await carryPayoutBatch(world.call, id);
    await world.sql('DELETE FROM payout_idempotency WHERE tenant_id = $1', [world.tenant.tenantId]);
    await world.sql("UPDATE payout_batch SET work = 'make' WHERE id = $1", [id]);
    await carryPayoutBatch(world.call, id);
    expect(await rowNumbers(id)).toEqual([1, 2]);
    const again = world.sql('UPDATE payout SET batch_row = 1 WHERE batch_id = $1', [id]);
    const error: unknown = await again.catch((thrown: unknown) => thrown);
    expect(violatesUnique(error, 'payout_batch_row_key')).toBe(true);
  });

  it('are made but for a row that is refused by then, whose reason is kept', async () => {
    const other = await makePayee(world.harness, world.tenant.key);
    const { id } = await newDraft(preparer, [row(), rowFor(other), row()]);
    await submitPayoutBatch(preparer, id);
    await world.comply(suspendBeneficiary);
    await carryPayoutBatch(world.call, id);
    expect(await statusesOf(world.call, id)).toEqual(['failed', 'made', 'failed']);
    expect((await rowsOf(world.call, id))[0]?.error?.code).toBe('BENEFICIARY_NOT_COMPLIANT');
    const { statuses, totals } = await summarize(world.call, id);
    expect(statuses.toSorted((a, b) => (a.status < b.status ? -1 : 1))).toEqual([
      { status: 'failed', rows: 2 },
      { status: 'made', rows: 1 },
    ]);
    expect(totals).toMatchObject([{ rows: 1, amountMinor: 125_000n, undecidedMinor: 125_000n }]);
  });

  it('are made once by a process that dies before any of its statements, and by the next one', async () => {
    let deaths = 0;
    for (let last = 1; ; last += 1) {
      const { id } = await submitted(3);
      const small = withSettings(world.call, { PAYOUT_BULK_ROWS: 2 });
      const life = mortal(small.services, last);
      const ended = await carryPayoutBatch({ ...small, services: life.services }, id).then(
        () => true,
        (error: unknown) => {
          if (!life.died() && !(error instanceof Died)) throw error;
          return false;
        },
      );
      await carryPayoutBatch(small, id);
      expect(await rowNumbers(id), `death before statement ${last}`).toEqual([1, 2, 3]);
      expect(await statusesOf(world.call, id)).toEqual(['made', 'made', 'made']);
      const { work, state } = await readPayoutBatch(world.call, id);
      expect([work, state]).toEqual(['follow', 'submitted']);
      if (ended) break;
      deaths += 1;
    }
    expect(deaths).toBeGreaterThan(5);
  });
});

describe('a batch that is canceled', () => {
  it('as a draft makes nothing', async () => {
    const { id } = await newDraft(preparer, [row()]);
    const canceled = await cancelPayoutBatch(preparer, id);
    expect([canceled.state, canceled.work]).toEqual(['canceled', null]);
    expect(await codeOf(submitPayoutBatch(preparer, id))).toBe('conflict');
    expect(await codeOf(cancelPayoutBatch(preparer, id))).toBe('conflict');
  });

  it('takes along what has not left, and nothing else', async () => {
    const { id } = await submitted(4);
    await carryPayoutBatch(world.call, id);
    const made = await payoutsOf(id);
    const [first, second] = made;
    if (first === undefined || second === undefined) throw new Error('they were made');
    const approver = await memberCall(world.harness.services, world.tenant, 'approver');
    await decideInBulk(approver, [first.id, second.id], { status: 'approved', reasons: [] });
    await disbursePayout(world.call, first.id);
    await cancelPayoutBatch(preparer, id);
    await Promise.all([carryPayoutBatch(world.call, id), carryPayoutBatch(world.call, id)]);
    const states = (await payoutsOf(id)).map(({ state }) => state);
    expect(states).toEqual(['approved', 'canceled', 'canceled', 'canceled']);
    expect((await readPayoutBatch(world.call, id)).work).toBeNull();
  });

  it('waits for payouts that are being made, and then cancels them too', async () => {
    const { id } = await submitted(2);
    const { pool } = world.call.services;
    await behind(
      pool,
      (client) => carryPayoutBatch(within(world.call, client), id),
      () => cancelPayoutBatch(preparer, id),
    );
    await carryPayoutBatch(world.call, id);
    expect((await payoutsOf(id)).map(({ state }) => state)).toEqual(['canceled', 'canceled']);
  });

  it('makes no payout once it is canceled, also where the job was about to', async () => {
    const { id } = await submitted(2);
    await behind(
      world.call.services.pool,
      (client) => cancelPayoutBatch(within(preparer, client), id),
      () => carryPayoutBatch(world.call, id),
    );
    await carryPayoutBatch(world.call, id);
    expect(await payoutsOf(id)).toEqual([]);
    expect((await readPayoutBatch(world.call, id)).work).toBeNull();
  });
});

describe('how far a batch is', () => {
  it('is told when it is submitted, decided and over, once each', async () => {
    await subscribe();
    const { id } = await submitted(3);
    await carryPayoutBatch(world.call, id);
    expect(await typesOf(id)).toEqual(['payout_batch.submitted']);
    const [first, second, third] = await payoutsOf(id);
    if (first === undefined || second === undefined || third === undefined) throw new Error('none');
    const approver = await memberCall(world.harness.services, world.tenant, 'approver');
    await decideInBulk(approver, [first.id, second.id], { status: 'approved', reasons: [] });
    await carryPayoutBatch(world.call, id);
    expect(await typesOf(id)).toHaveLength(1);
    await decideInBulk(approver, [third.id], {
      status: 'rejected',
      reasons: [{ message: 'Paid in cash.' }],
    });
    await Promise.all([carryPayoutBatch(world.call, id), carryPayoutBatch(world.call, id)]);
    expect(await typesOf(id)).toEqual(['payout_batch.submitted', 'payout_batch.approved']);
    for (const payout of [first, second]) await cancelPayout(preparer, payout.id);
    await carryPayoutBatch(world.call, id);
    await carryPayoutBatch(world.call, id);
    const told = await eventsOf(id);
    expect(told.map(({ type }) => type).slice(2)).toEqual(['payout_batch.completed']);
    expect(told.at(-1)?.data).toEqual({ payout_batch_id: id, row_count: 3, status: 'completed' });
    const { state, work, completedAt } = await readPayoutBatch(world.call, id);
    expect([state, work, completedAt === null]).toEqual(['completed', null, false]);
    expect(await codeOf(cancelPayoutBatch(preparer, id))).toBe('conflict');
    const { states } = await summarize(world.call, id);
    expect(states).toEqual([
      { state: 'canceled', currency: 'USD', payouts: 2, amountMinor: 250_000n },
      { state: 'rejected', currency: 'USD', payouts: 1, amountMinor: 125_000n },
    ]);
  });

  it('is looked at again by a job that a lost one is followed by', async () => {
    const { id } = await submitted(1);
    const key = `carry_payout_batch ${id}`;
    const jobs = () => world.sql('SELECT FROM job_outbox WHERE job_key = $1', [key]);
    await world.sql('DELETE FROM job_outbox WHERE job_key = $1', [key]);
    await sweepPayoutBatches(world.call.services);
    await sweepPayoutBatches(world.call.services);
    expect(await jobs()).toHaveLength(1);
    await carryPayoutBatch(world.call, id);
    await world.sql('DELETE FROM job_outbox WHERE job_key = $1', [key]);
    await sweepPayoutBatches(world.call.services);
    expect(await jobs()).toEqual([]);
  });
});
