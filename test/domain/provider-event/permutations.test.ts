import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ProviderPayoutEvent } from '../../../src/providers/port.ts';
import { eventId } from '../../support/fake-provider.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';

const world = usePayoutWorld();

type Step = Partial<ProviderPayoutEvent> & Pick<ProviderPayoutEvent, 'type' | 'occurredAt'>;

const at = (second: number, fraction = '000Z') =>
  `2026-11-01T10:00:${String(second).padStart(2, '0')}.${fraction}`;
const rail = { railRef: 'RAIL42' };
const closed = { code: 'account_closed', message: 'The account is closed.' } as const;

/** As a provider tells it: the rail's reference is first known with the disbursement. */
const beginning: Step[] = [
  { type: 'acknowledged', occurredAt: at(1) },
  { type: 'estimated', occurredAt: at(2), expectedDeliveryDate: '2026-11-03T00:00:00.000Z' },
  { type: 'disbursed', occurredAt: at(3), ...rail },
  { type: 'estimated', occurredAt: at(4), expectedDeliveryDate: '2026-11-02T00:00:00.000Z' },
];
const lives: Record<string, { steps: Step[]; row: Record<string, unknown> }> = {
  settled: {
    steps: [...beginning, { type: 'settled', occurredAt: at(5), ...rail }],
    row: { state: 'settled', failure_code: null, settled: true },
  },
  'settled, the reference told once': {
    steps: [...beginning, { type: 'settled', occurredAt: at(5) }],
    row: { state: 'settled', failure_code: null, settled: true },
  },
  returned: {
    steps: [...beginning, { type: 'returned', occurredAt: at(5), failure: closed, ...rail }],
    row: { state: 'returned', failure_code: 'account_closed', settled: false },
  },
  'returned after settled': {
    steps: [
      ...beginning,
      { type: 'settled', occurredAt: at(5), ...rail },
      { type: 'returned', occurredAt: at(6), failure: closed, ...rail },
    ],
    row: { state: 'returned', failure_code: 'account_closed', settled: true },
  },
  'failed after disbursed': {
    steps: [...beginning, { type: 'failed', occurredAt: at(5), failure: closed }],
    // The provider said that the money has left, and not that it came back: a person looks before it is replaced.
    row: {
      state: 'failed',
      failure_code: 'account_closed',
      settled: false,
      needs_operator: true,
    },
  },
  'estimates of one millisecond and one instant': {
    steps: [
      ...beginning,
      {
        type: 'estimated',
        occurredAt: at(6, '000100Z'),
        expectedDeliveryDate: '2026-11-04T00:00:00Z',
      },
      {
        type: 'estimated',
        occurredAt: at(6, '000400Z'),
        expectedDeliveryDate: '2026-11-02T00:00:00.000400Z',
      },
      {
        type: 'estimated',
        occurredAt: at(6, '000400Z'),
        expectedDeliveryDate: '2026-11-01T00:00:00Z',
      },
    ],
    row: {
      state: 'disbursed',
      failure_code: null,
      settled: false,
      estimate: '2026-11-04T00:00:00.000Z',
    },
  },
  'held and released on the way': {
    steps: [
      ...beginning,
      { type: 'held', occurredAt: at(2) },
      { type: 'released', occurredAt: at(3) },
      { type: 'settled', occurredAt: at(5), ...rail },
    ],
    row: { state: 'settled', failure_code: null, settled: true },
  },
};

async function newAttempt(): Promise<{ payoutId: string; attemptId: string }> {
  const payoutId = await world.handedOver('ok');
  return { payoutId, attemptId: (await world.attemptOf(payoutId)).id };
}

/** Everything of a payout but what tells of ids and of our own clock. */
async function rowOf(payoutId: string): Promise<unknown> {
  const { rows } = await world.harness.database.pool.query(
    `SELECT p.state, p.rail_ref, p.failure_code, p.failure_message, p.estimated_arrival_at AS estimate,
       p.estimate_made_at, p.disbursed_at IS NOT NULL AS disbursed, p.settled_at IS NOT NULL AS settled,
       p.provider_payout_id IS NOT NULL AS taken, a.status, a.needs_operator,
       a.acknowledged_at IS NOT NULL AS acknowledged
     FROM payout p JOIN disbursement_attempt a ON a.payout_id = p.id WHERE p.id = $1`,
    [payoutId],
  );
  return JSON.parse(JSON.stringify(rows[0]));
}

/** Counts that must agree, whatever the order was. */
async function counts(payoutId: string): Promise<unknown> {
  const { rows } = await world.harness.database.pool.query(
    `SELECT p.transition_count - (SELECT count(*) FROM payout_transition t WHERE t.payout_id = p.id)::int AS records,
       (SELECT count(*)::int FROM payout_transition t WHERE t.payout_id = p.id
          AND t.to_state IN ('disbursed', 'settled', 'failed', 'returned'))
       - (SELECT count(*)::int FROM event e WHERE e.payout_id = p.id
          AND e.type IN ('payout.disbursed', 'payout.settled', 'payout.failed', 'payout.returned')) AS events,
       (SELECT count(*)::int FROM event e WHERE e.payout_id = p.id AND e.type = 'payout.acknowledged') AS acknowledged,
       p.estimate_count - (SELECT count(*)::int FROM event e
          WHERE e.payout_id = p.id AND e.type = 'payout.estimated_arrival_at') AS estimates
     FROM payout p WHERE p.id = $1`,
    [payoutId],
  );
  return rows[0];
}

const apply = (attemptId: string, step: Step, id: string) =>
  world.tellOf(attemptId, { ...step, eventId: id });

/** All the steps in some order, some of them again: under their own id, or as another event. */
const orderOf = (steps: readonly Step[]) =>
  fc
    .array(fc.record({ step: fc.nat(steps.length - 1), sameId: fc.boolean() }), { maxLength: 4 })
    .chain((repeats) => {
      const all = [...steps.map((_, step) => ({ step, sameId: true })), ...repeats];
      return fc.shuffledSubarray(all, { minLength: all.length });
    });

it.each(Object.entries(lives))(
  'ends in one state, whatever the order and the repetitions: %s',
  async (_name, { steps, row }) => {
    const { payoutId, attemptId } = await newAttempt();
    for (const step of steps) await apply(attemptId, step, eventId());
    const inOrder = await rowOf(payoutId);
    expect(inOrder).toMatchObject({
      rail_ref: 'RAIL42',
      estimate: '2026-11-02T00:00:00.000Z',
      disbursed: true,
      taken: true,
      status: 'submitted',
      needs_operator: false,
      acknowledged: true,
      failure_message: row['failure_code'] === null ? null : closed.message,
      ...row,
    });
    // fast-check prints the seed of a failure and the order that it comes down to.
    await fc.assert(
      fc.asyncProperty(orderOf(steps), async (order) => {
        const own = await newAttempt();
        const ids = steps.map(() => eventId());
        for (const { step, sameId } of order) {
          const told = steps[step];
          if (told === undefined) throw new Error('no such step');
          await apply(own.attemptId, told, sameId ? (ids[step] ?? '') : eventId());
        }
        expect(await rowOf(own.payoutId)).toEqual(inOrder);
        expect(await counts(own.payoutId)).toEqual({
          records: 0,
          events: 0,
          acknowledged: 1,
          estimates: 0,
        });
      }),
      { numRuns: 30 },
    );
  },
);

it('ends in the same state when events are applied at once', async () => {
  const { steps } = lives['returned after settled'] ?? { steps: [] };
  const first = await newAttempt();
  for (const step of steps) await apply(first.attemptId, step, eventId());
  const inOrder = await rowOf(first.payoutId);
  for (let run = 0; run < 25; run += 1) {
    const { payoutId, attemptId } = await newAttempt();
    await Promise.all([...steps, ...steps].map((step) => apply(attemptId, step, eventId())));
    expect(await rowOf(payoutId)).toEqual(inOrder);
    expect(await counts(payoutId)).toMatchObject({ records: 0, events: 0, acknowledged: 1 });
  }
});

const contradictions: [string, Step['type'], Step['type'], string][] = [
  ['a failure after the settlement', 'settled', 'failed', 'settled'],
  ['a settlement after the failure', 'failed', 'settled', 'failed'],
  ['a return after the failure', 'failed', 'returned', 'failed'],
  ['a failure after the return', 'returned', 'failed', 'returned'],
];
it.each(contradictions)(
  'leaves %s to a person, and moves nothing',
  async (_name, first, second, state) => {
    const { payoutId, attemptId } = await newAttempt();
    await apply(attemptId, { type: first, occurredAt: at(1), ...rail }, eventId());
    const before = (await rowOf(payoutId)) as Record<string, unknown>;
    expect(before).toMatchObject({ state, needs_operator: false });
    await apply(attemptId, { type: second, occurredAt: at(2), ...rail }, eventId());
    expect(await rowOf(payoutId)).toEqual({ ...before, needs_operator: true });
  },
);

const said = ['disbursed', 'settled'].flatMap((paid) =>
  [1, 2, 3].flatMap((second) => [
    { paid, second, first: 'paid' },
    { paid, second, first: 'failed' },
  ]),
);
it.each(said)(
  'is not replaceable once it was said to be $paid at second $second, and failed at second 2: $first first',
  async ({ paid, second, first }) => {
    const { payoutId, attemptId } = await newAttempt();
    const failed: Step = { type: 'failed', occurredAt: at(2), failure: closed };
    const moved: Step = { type: paid as Step['type'], occurredAt: at(second), ...rail };
    const steps = first === 'paid' ? [moved, failed] : [failed, moved];
    for (const step of [...steps, ...steps]) await apply(attemptId, step, eventId());
    const [stand] = await world.sql(
      `SELECT ops.is_contradicted(p.tenant_id, p.id) AS contradicted, a.needs_operator AS waits
       FROM payout p JOIN disbursement_attempt a ON a.payout_id = p.id WHERE p.id = $1`,
      [payoutId],
    );
    expect(stand).toEqual({ contradicted: true, waits: true });
  },
);
