import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { suspendBeneficiary } from '../../../src/domain/beneficiary/suspend.ts';
import { addPayoutBatchRows } from '../../../src/domain/payout-batch/add-rows.ts';
import { cancelPayoutBatch } from '../../../src/domain/payout-batch/cancel.ts';
import { checkPayoutBatch } from '../../../src/domain/payout-batch/check.ts';
import { createPayoutBatch } from '../../../src/domain/payout-batch/create.ts';
import { leaveOutRows } from '../../../src/domain/payout-batch/leave-out.ts';
import { readPayoutBatch } from '../../../src/domain/payout-batch/store.ts';
import { submitPayoutBatch } from '../../../src/domain/payout-batch/submit.ts';
import { readProblems, summarize } from '../../../src/domain/payout-batch/summary.ts';
import { newId } from '../../../src/values/ids.ts';
import { makeTenant } from '../../support/factory.ts';
import { codeOf, memberCall, refusalOf, withSettings } from '../../support/payout-command.ts';
import { newDraft, rowFor, rowsOf, statusesOf } from '../../support/payout-batches.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';

const world = usePayoutWorld();
const row = (more: Parameters<typeof rowFor>[1] = {}) => rowFor(world.payee, more);
const payoutsOf = (batchId: string) =>
  world.sql('SELECT id, batch_row FROM payout WHERE batch_id = $1', [batchId]);

describe('a draft', () => {
  it('keeps what was given, also what is wrong, and makes nothing', async () => {
    const given = [
      row({ externalRef: 'inv-1', metadata: { team: 'ops' } }),
      row({ amountMinor: -5 }),
      row({ amountMinor: '12,50', currency: 'usd', purposeOfPayment: null }),
    ];
    const batch = await newDraft(world.call, given);
    expect(batch).toMatchObject({ state: 'draft', rowCount: 3, revision: 1, name: 'November' });
    expect(await rowsOf(world.call, batch.id)).toMatchObject([
      { row: 1, amountMinor: 125_000n, externalRef: 'inv-1', metadata: { team: 'ops' } },
      { row: 2, amountMinor: -5n, status: 'unchecked', payoutId: null, error: null },
      { row: 3, amountMinor: null, currency: 'usd', purposeOfPayment: null },
    ]);
    expect(await payoutsOf(batch.id)).toEqual([]);
  });

  it('is made once for its key, and the key is refused with other content', async () => {
    const input = { name: 'Twice', idempotencyKey: randomUUID(), rows: [row()] };
    const [one, other] = await Promise.all([
      createPayoutBatch(world.call, input),
      createPayoutBatch(world.call, input),
    ]);
    expect(one.batch.id).toBe(other.batch.id);
    expect(new Set([one.replayed, other.replayed])).toEqual(new Set([false, true]));
    expect(await rowsOf(world.call, one.batch.id)).toHaveLength(1);
    const changed = { ...input, rows: [row({ amountMinor: 5 })] };
    expect(await codeOf(createPayoutBatch(world.call, changed))).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it('refuses what no row can hold, and leaves nothing behind', async () => {
    const idempotencyKey = randomUUID();
    const input = {
      name: 'Wrong',
      idempotencyKey,
      rows: [row(), row({ currency: 'x'.repeat(41) })],
    };
    const refusal = await refusalOf(createPayoutBatch(world.call, input));
    expect(refusal.details).toMatchObject([{ field: 'rows[1].currency', code: 'too_long' }]);
    const found = await world.sql('SELECT FROM payout_batch WHERE idempotency_key = $1', [
      idempotencyKey,
    ]);
    expect(found).toEqual([]);
    const few = withSettings(world.call, { PAYOUT_BULK_ROWS: 1 });
    expect(await codeOf(createPayoutBatch(few, { ...input, rows: [row(), row()] }))).toBe(
      'validation_failed',
    );
  });

  it('takes further rows once, in their place, up to a limit', async () => {
    const { id } = await newDraft(world.call, [row()]);
    const addition = { firstRow: 2, rows: [row({ amountMinor: 2 }), row({ amountMinor: 3 })] };
    const raced = await Promise.all([
      addPayoutBatchRows(world.call, id, addition),
      addPayoutBatchRows(world.call, id, addition),
    ]);
    expect(raced.map(({ rowCount }) => rowCount)).toEqual([3, 3]);
    expect(await rowsOf(world.call, id)).toHaveLength(3);
    const other = { firstRow: 2, rows: [row({ amountMinor: 4 })] };
    const refusal = await refusalOf(addPayoutBatchRows(world.call, id, other));
    expect([refusal.code, refusal.message]).toEqual([
      'conflict',
      'The batch has 3 rows: first_row of further ones is 4.',
    ]);
    const small = withSettings(world.call, { PAYOUT_BATCH_ROWS: 3 });
    expect(await codeOf(addPayoutBatchRows(small, id, { ...other, firstRow: 4 }))).toBe(
      'validation_failed',
    );
    expect(await codeOf(addPayoutBatchRows(world.call, newId('payoutBatch'), other))).toBe(
      'not_found',
    );
    expect(await codeOf(addPayoutBatchRows(world.call, 'pba_0', other))).toBe('not_found');
  });
});

describe('a check', () => {
  it('judges every row by the gates of any payout, and groups what is wrong', async () => {
    const rows = [
      row(),
      row({ amountMinor: 0 }),
      row({ amountMinor: '1.234' }),
      row({ currency: 'EUR' }),
      row({ beneficiaryId: newId('beneficiary') }),
      row({ purposeOfPayment: 'fun' }),
      row({ amountMinor: 75_000 }),
    ];
    const { id } = await newDraft(world.call, rows);
    const checked = await checkPayoutBatch(world.call, id);
    expect(checked.checkedRevision).toBe(checked.revision);
    const found = await rowsOf(world.call, id);
    expect(found.map(({ error }) => error?.code ?? null)).toEqual([
      null,
      'INVALID_MONEY',
      'INVALID_MONEY',
      'unprocessable_entity',
      'not_found',
      'INVALID_PURPOSE_OF_PAYMENT',
      null,
    ]);
    expect(found[3]?.error?.details[0]?.code).toBe('currency_mismatch');
    expect(found[0]).toMatchObject({ status: 'ready', provider: 'simulator' });
    const problems = await readProblems(world.call, id);
    const named = new Set(problems.flatMap(({ firstRows }) => firstRows));
    expect(named).toEqual(new Set([2, 3, 4, 5, 6]));
    expect((await summarize(world.call, id)).totals).toEqual([
      {
        currency: 'USD',
        rows: 2,
        amountMinor: 200_000n,
        undecidedMinor: 200_000n,
        availableMinor: expect.any(BigInt),
        shortfallMinor: expect.any(BigInt),
      },
    ]);
    expect((await summarize(world.call, id)).routes).toEqual([
      { provider: 'simulator', currency: 'USD', rows: 2, amountMinor: 200_000n },
    ]);
    expect(await payoutsOf(id)).toEqual([]);
  });

  it('is worth nothing once rows were added meanwhile', async () => {
    const { id } = await newDraft(world.call, [row()]);
    await checkPayoutBatch(world.call, id);
    const added = await addPayoutBatchRows(world.call, id, { firstRow: 2, rows: [row()] });
    expect(added.checkedRevision).not.toBe(added.revision);
    expect(await statusesOf(world.call, id)).toEqual(['ready', 'unchecked']);
  });
});

describe('rows that are left out', () => {
  it('are named by their numbers, keep what was found, and can come back', async () => {
    const { id } = await newDraft(world.call, [row(), row({ amountMinor: 0 })]);
    await checkPayoutBatch(world.call, id);
    const left = await leaveOutRows(world.call, id, { rows: [2, 2], leftOut: true });
    expect(left.checkedRevision).toBe(left.revision);
    expect(await statusesOf(world.call, id)).toEqual(['ready', 'left_out']);
    expect(await readProblems(world.call, id)).toEqual([]);
    await leaveOutRows(world.call, id, { rows: [2], leftOut: false });
    expect(await statusesOf(world.call, id)).toEqual(['ready', 'wrong']);
    expect(await codeOf(leaveOutRows(world.call, id, { rows: [3], leftOut: true }))).toBe(
      'validation_failed',
    );
    expect(await codeOf(leaveOutRows(world.call, id, { rows: [], leftOut: true }))).toBe(
      'validation_failed',
    );
  });
});

describe('to submit', () => {
  it('is refused while a row is wrong, which is named, and while there is nothing to pay', async () => {
    const { id } = await newDraft(world.call, [row(), row({ amountMinor: 0 })]);
    const refusal = await refusalOf(submitPayoutBatch(world.call, id));
    expect(refusal.code).toBe('unprocessable_entity');
    expect(refusal.details).toMatchObject([{ field: 'rows[2]', code: 'INVALID_MONEY' }]);
    expect((await readPayoutBatch(world.call, id)).state).toBe('draft');
    await leaveOutRows(world.call, id, { rows: [1, 2], leftOut: true });
    expect((await refusalOf(submitPayoutBatch(world.call, id))).message).toBe(
      'The batch has nothing to pay.',
    );
    expect(await payoutsOf(id)).toEqual([]);
  });

  it('judges what holds now, and not when it was checked', async () => {
    const { id } = await newDraft(world.call, [row()]);
    await checkPayoutBatch(world.call, id);
    await world.comply(suspendBeneficiary);
    const refusal = await refusalOf(submitPayoutBatch(world.call, id));
    expect(refusal.details).toMatchObject([{ code: 'BENEFICIARY_NOT_COMPLIANT' }]);
  });

  it('needs the revision that the caller has seen, and happens once', async () => {
    const { id } = await newDraft(world.call, [row()]);
    expect(await codeOf(submitPayoutBatch(world.call, id, 2))).toBe('conflict');
    const outcomes = await Promise.allSettled([
      submitPayoutBatch(world.call, id, 1),
      submitPayoutBatch(world.call, id, 1),
    ]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await codeOf(submitPayoutBatch(world.call, id))).toBe('conflict');
    expect(await codeOf(addPayoutBatchRows(world.call, id, { firstRow: 2, rows: [row()] }))).toBe(
      'conflict',
    );
    expect(await codeOf(leaveOutRows(world.call, id, { rows: [1], leftOut: true }))).toBe(
      'conflict',
    );
    expect(await codeOf(checkPayoutBatch(world.call, id))).toBe('conflict');
  });
});

describe('whoever may', () => {
  it('creates payouts may do all of it, and nobody else', async () => {
    const { id } = await newDraft(world.call, [row()]);
    for (const role of ['approver', 'developer', 'viewer'] as const) {
      const call = await memberCall(world.harness.services, world.tenant, role);
      const key = { name: 'x', idempotencyKey: randomUUID() };
      const tries = [
        createPayoutBatch(call, key),
        addPayoutBatchRows(call, id, { firstRow: 2, rows: [row()] }),
        checkPayoutBatch(call, id),
        leaveOutRows(call, id, { rows: [1], leftOut: true }),
        submitPayoutBatch(call, id),
        cancelPayoutBatch(call, id),
      ];
      expect(await Promise.all(tries.map(codeOf))).toEqual(Array(6).fill('forbidden'));
    }
    const preparer = await memberCall(world.harness.services, world.tenant, 'preparer');
    expect((await submitPayoutBatch(preparer, id)).state).toBe('submitted');
  });

  it('is of another business, or of the other environment, finds nothing', async () => {
    const { id } = await newDraft(world.call, [row()]);
    const others = [
      await makeTenant(world.harness),
      await makeTenant(world.harness, { environment: 'production' }),
    ];
    for (const other of others) {
      const call = await memberCall(world.harness.services, other, 'owner');
      const tries = [
        addPayoutBatchRows(call, id, { firstRow: 2, rows: [row()] }),
        checkPayoutBatch(call, id),
        leaveOutRows(call, id, { rows: [1], leftOut: true }),
        submitPayoutBatch(call, id),
        cancelPayoutBatch(call, id),
        readPayoutBatch(call, id),
      ];
      expect(await Promise.all(tries.map(codeOf))).toEqual(Array(6).fill('not_found'));
      expect(await rowsOf(call, id)).toEqual([]);
    }
    expect((await readPayoutBatch(world.call, id)).state).toBe('draft');
  });
});
