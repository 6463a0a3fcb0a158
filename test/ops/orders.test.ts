import { describe, expect, it } from 'vitest';
import { disbursePayout } from '../../src/domain/disbursement/disburse.ts';
import { newId } from '../../src/values/ids.ts';
import { resolution, useOperatedPayouts } from './payouts-support.ts';

const { world, parts, waiting, lookUp, resolve } = useOperatedPayouts();
const { approved, attemptOf, handedOver, sql, stateOf, tell } = world;

describe('ops.look_up_payout', () => {
  it('has the worker ask the provider, and records the answer in the log', async () => {
    const id = await handedOver('unknown_taken');
    expect(await lookUp(id)).toBe('applied');
    expect((await attemptOf(id)).status).toBe('submitted');
    expect(
      await parts.operator.row(
        'SELECT who, action, reason, detail, affected FROM ops.action_log WHERE subject_id = $1',
        [id],
      ),
    ).toEqual({
      who: parts.operator.name,
      action: 'look_up_payout',
      reason: 'case 17',
      detail: {},
      affected: 1,
    });
    expect(await lookUp(id)).toBe('nothing_new');
  });

  it('refuses a payout without an open attempt, and an unknown one', async () => {
    const id = await approved();
    expect(await parts.operator.refusal(`SELECT ops.look_up_payout($1, 'x')`, [id])).toMatchObject({
      code: '55000',
      message: `The payout ${id} is approved, and none of its attempts is open.`,
      hint: `SELECT * FROM ops.timeline('${id}');`,
    });
    expect(
      await parts.operator.refusal(`SELECT ops.look_up_payout($1, 'x')`, [newId('payout')]),
    ).toMatchObject({ code: 'P0002' });
    expect(await parts.operator.refusal(`SELECT ops.look_up_payout($1, ' ')`, [id])).toMatchObject({
      code: '22023',
    });
    expect(
      await parts.operator.sql('SELECT FROM ops.action_log WHERE subject_id = $1', [id]),
    ).toEqual([]);
  });
});

describe('ops.resolve_payout', () => {
  it('settles as paid, under the provider’s id', async () => {
    const id = await waiting();
    expect(await resolve(id, 'paid', 'po_found')).toBe('paid');
    expect(await stateOf(id)).toBe('disbursed');
    expect(await attemptOf(id)).toMatchObject({
      status: 'submitted',
      provider_payout_id: 'po_found',
      needs_operator: false,
    });
    const [record] = await sql(
      'SELECT actor, reason FROM payout_transition WHERE payout_id = $1 ORDER BY seq DESC LIMIT 1',
      [id],
    );
    expect(record).toEqual({
      actor: { type: 'operator', login: parts.operator.name },
      reason: 'case 17',
    });
  });

  it('settles as not paid, and the payout may be replaced', async () => {
    const id = await waiting();
    expect(await resolve(id, 'not_paid', null)).toBe('not_paid');
    expect(await stateOf(id)).toBe('failed');
    const { detail } = await parts.operator.row<{ detail: unknown }>(
      'SELECT detail FROM ops.action_log WHERE subject_id = $1',
      [id],
    );
    expect(detail).toEqual({ outcome: 'not_paid', evidence: 'ticket 4711' });
  });

  it('marks a contradiction as seen if the payout is in a final state', async () => {
    const id = await handedOver('ok');
    await tell(id, { type: 'failed', failure: { code: 'other', message: 'x' } });
    await tell(id, { type: 'settled' });
    expect(await attemptOf(id)).toMatchObject({ needs_operator: true });
    expect(await resolve(id, 'paid', 'po_found')).toBe('noted');
    expect(await stateOf(id)).toBe('failed');
    expect(await attemptOf(id)).toMatchObject({ needs_operator: false });
  });

  it('marks an earlier attempt as seen while a later one is on its way', async () => {
    const id = await handedOver('held');
    await tell(id, { type: 'released' });
    await world.approve(id);
    await disbursePayout(world.call, id);
    await tell(id, { type: 'disbursed' }, 1);
    expect(await attemptOf(id, 1)).toMatchObject({ status: 'rejected', needs_operator: true });
    expect(await resolve(id, 'paid', 'po_found_earlier')).toBe('noted');
    expect(await attemptOf(id, 1)).toMatchObject({ status: 'rejected', needs_operator: false });
    expect(await attemptOf(id, 2)).toMatchObject({ status: 'submitted', needs_operator: false });
    expect(await stateOf(id)).toBe('approved');
  });

  it('refuses an outcome that is not open, and a missing evidence', async () => {
    const open = await waiting();
    const refused = (values: unknown[]) => parts.operator.refusal(resolution, values);
    expect(await refused([open, 'maybe', null])).toMatchObject({
      hint: 'Outcomes: paid, not_paid.',
    });
    expect(await refused([open, 'paid', ' '])).toMatchObject({ hint: 'Give provider_payout_id.' });
    expect(
      await parts.operator.refusal(`SELECT ops.resolve_payout($1, 'paid', 'po_1', '', 'x')`, [
        open,
      ]),
    ).toMatchObject({ message: expect.stringContaining('what the provider showed') });
    expect(await refused([newId('payout'), 'paid', 'po_1'])).toMatchObject({ code: 'P0002' });
    const submitted = await handedOver('ok');
    expect(await refused([submitted, 'not_paid', null])).toMatchObject({
      code: '55000',
      message: `The outcome of the payout ${submitted} is not open: its attempt is submitted.`,
    });
    expect(await refused([await approved(), 'not_paid', null])).toMatchObject({ code: '55000' });
    expect(
      await parts.operator.sql(`SELECT FROM ops.action_log WHERE subject_id = $1`, [open]),
    ).toEqual([]);
  });

  it('of two operators at once takes one order', async () => {
    const id = await waiting();
    const sessions = [await parts.operator.session(), await parts.operator.session()];
    const results = await Promise.allSettled(
      ['paid', 'not_paid'].map(
        (outcome, index) =>
          sessions[index]?.query(resolution, [id, outcome, 'po_found']) ?? Promise.resolve(),
      ),
    );
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const refused = results.find((one) => one.status === 'rejected');
    expect(String(refused?.reason)).toContain('waits for the worker');
    expect(
      await parts.operator.sql(`SELECT FROM ops.action_log WHERE subject_id = $1`, [id]),
    ).toHaveLength(1);
  });
});
