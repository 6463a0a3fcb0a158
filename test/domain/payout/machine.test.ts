import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  payoutStates,
  replaceableStates,
  stateAfter,
  statesBefore,
  statesBeforeSubmission,
  transitions,
} from '../../../src/domain/payout/machine.ts';
import { preconditionOf, permittedActions } from '../../../src/domain/payout/permitted.ts';
import { testDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

it('is what the database permits', async () => {
  const { rows } = await database.pool.query<{ move: string }>(
    `SELECT from_state || ' → ' || to_state AS move FROM payout_permitted_transition`,
  );
  const permitted = new Set(rows.map((row) => row.move));
  expect(permitted).toEqual(new Set(transitions.map((t) => `${t.from} → ${t.to}`)));
});

it('is what the database enforces', async () => {
  const { rows } = await database.pool.query<{ text: string; valid: boolean }>(
    `SELECT pg_get_constraintdef(oid) AS text, convalidated AS valid FROM pg_constraint
     WHERE conname = 'payout_transition_permitted_check'`,
  );
  const moves = [...(rows[0]?.text ?? '').matchAll(/'([a-z_]+ → [a-z_]+)'/g)].map(
    ([, move]) => move,
  );
  expect(new Set(moves)).toEqual(new Set(transitions.map((t) => `${t.from} → ${t.to}`)));
  expect(rows[0]?.valid).toBe(true);
  await expect(
    database.pool.query(
      `INSERT INTO payout_transition (tenant_id, payout_id, seq, previous_seq, from_state, to_state, actor)
       VALUES ('ten_1', 'pay_1', 2, 1, 'failed', 'settled', '{}')`,
    ),
  ).rejects.toThrow('payout_transition_permitted_check');
});

it('has the states of the CHECK constraint', async () => {
  const { rows } = await database.pool.query<{ text: string }>(
    `SELECT pg_get_constraintdef(oid) AS text FROM pg_constraint WHERE conname = 'payout_state_check'`,
  );
  const states = [...(rows[0]?.text ?? '').matchAll(/'([a-z_]+)'/g)].map((match) => match[1]);
  expect(new Set(states)).toEqual(new Set(payoutStates));
});

it('lets nothing leave an end state', () => {
  const ends = payoutStates.filter((state) => transitions.every((t) => t.from !== state));
  expect(ends).toEqual(['rejected', 'failed', 'returned', 'canceled']);
  expect(replaceableStates.every((state) => ends.includes(state))).toBe(true);
});

it('leads each trigger to one state', () => {
  for (const trigger of new Set(transitions.map((t) => t.trigger))) {
    if (trigger === 'create') continue;
    const targets = new Set(transitions.filter((t) => t.trigger === trigger).map((t) => t.to));
    expect([...targets]).toEqual([stateAfter(trigger)]);
  }
});

it('permits a cancel after approval only before the submission', () => {
  expect(permittedActions('approved', false)).toEqual(['cancel']);
  expect(permittedActions('approved', true)).toEqual([]);
  expect(permittedActions('pending_approval', false)).toEqual(['approve', 'reject', 'cancel']);
  expect(permittedActions('compliance_hold', false)).toEqual(['reject', 'cancel']);
  expect(statesBefore('hold')).toEqual(['pending_approval']);
  expect(statesBeforeSubmission('hold')).toEqual(['approved']);
});

it('moves what was handed over only as its attempt permits', () => {
  const attemptId = 'dat_1';
  const nothing = { liveAttemptId: null, heldByAttemptId: null, heldForCause: null };
  expect(preconditionOf('cancel')).toEqual({
    ...nothing,
    from: ['pending_approval', 'compliance_hold'],
    fromBeforeSubmission: ['approved'],
  });
  expect(preconditionOf('fail', { kind: 'not_handed_over' })).toEqual({
    ...nothing,
    from: [],
    fromBeforeSubmission: ['approved', 'disbursed'],
  });
  expect(preconditionOf('hold', { kind: 'attempt_took_nothing', attemptId })).toEqual({
    ...nothing,
    from: ['pending_approval', 'approved'],
    fromBeforeSubmission: ['approved'],
    liveAttemptId: attemptId,
  });
  expect(preconditionOf('disburse', { kind: 'live_attempt', attemptId })).toEqual({
    ...nothing,
    from: ['approved'],
    fromBeforeSubmission: [],
    liveAttemptId: attemptId,
  });
  const held = { from: ['compliance_hold'], fromBeforeSubmission: [] };
  expect(preconditionOf('release', { kind: 'held_by_attempt', attemptId })).toEqual({
    ...nothing,
    ...held,
    heldByAttemptId: attemptId,
  });
  const cause = 'beneficiary_suspended';
  expect(preconditionOf('release', { kind: 'held_for_cause', cause })).toEqual({
    ...nothing,
    ...held,
    heldForCause: cause,
  });
});
