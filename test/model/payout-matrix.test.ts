import { beforeAll, describe, expect, it } from 'vitest';
import {
  payoutStates,
  stateAfter,
  statesBefore,
  statesBeforeSubmission,
  transitions,
  type PayoutState,
  type PayoutTrigger,
} from '../../src/domain/payout/machine.ts';
import { disbursePayout } from '../../src/domain/disbursement/disburse.ts';
import { newUlid } from '../../src/values/ulid.ts';
import type { RestAnswer } from '../support/harness.ts';
import { attemptsOf, makePlace, stands, tell, type Place } from './payout-states.ts';
import { useHarness } from '../support/use-harness.ts';

let place: Place;

const harness = useHarness({ worker: false });

beforeAll(async () => {
  place = await makePlace(harness);
});

interface Stand {
  readonly state: PayoutState;
  readonly handedOver: boolean;
}

interface Command {
  readonly name: string;
  readonly rest: (id: string) => Promise<RestAnswer>;
  readonly graphql: (id: string) => Promise<RestAnswer>;
  readonly permitted: (stand: Stand) => boolean;
  /** The state that it leads to at once; null where the payout stays, or moves later. */
  readonly leadsTo: PayoutState | null;
}

const post = (path: string, body?: unknown) =>
  harness.rest('POST', path, { key: place.tenant.key, body });
const graphql = (field: string, declared: string, variables: Record<string, unknown>) =>
  harness.graphql(place.tenant.key, `mutation (${declared}) { ${field} }`, variables);

const may =
  (trigger: PayoutTrigger) =>
  ({ state, handedOver }: Stand): boolean =>
    statesBefore(trigger).includes(state) ||
    (!handedOver && statesBeforeSubmission(trigger).includes(state));

const reasons = [{ message: 'by the matrix' }];

function deciding(
  name: string,
  trigger: 'approve' | 'reject',
  body: () => Record<string, unknown>,
): Command {
  const mutation = trigger === 'approve' ? 'payoutApprove' : 'payoutReject';
  return {
    name,
    rest: (id) => post(`/v1/payouts/${id}/${trigger}`, body()),
    graphql: (id) =>
      graphql(
        `${mutation}(payoutId: $id, reasons: $reasons) { payout { state } }`,
        '$id: ID!, $reasons: [DecisionReasonInput!]',
        { id, reasons },
      ),
    permitted: may(trigger),
    leadsTo: stateAfter(trigger),
  };
}

function decision(
  status: 'approved' | 'rejected' | 'pending_review',
  trigger: 'approve' | 'reject',
): Command {
  const input = () => ({ status, reasons });
  return {
    name: `decide ${status}`,
    rest: (id) => post(`/v1/payouts/${id}/decisions`, { ...input(), decision_id: newUlid() }),
    graphql: (id) =>
      graphql(
        'payoutDecide(payoutId: $id, input: $input) { payout { state } }',
        '$id: ID!, $input: DecisionInput!',
        { id, input: { ...input(), decisionId: newUlid() } },
      ),
    permitted: may(trigger),
    leadsTo: status === 'pending_review' ? null : stateAfter(trigger),
  };
}

function simulation(
  event: string,
  permitted: Command['permitted'],
  leadsTo: PayoutState | null,
): Command {
  return {
    name: `simulate ${event}`,
    rest: (id) => post(`/v1/sandbox/payouts/${id}/simulate`, { event }),
    graphql: (id) =>
      graphql(
        'payoutSimulate(payoutId: $id, event: $event) { state }',
        '$id: ID!, $event: SimulatedEvent!',
        { id, event },
      ),
    permitted,
    leadsTo,
  };
}

const atProvider =
  (states: readonly PayoutState[]) =>
  ({ state, handedOver }: Stand): boolean =>
    handedOver && states.includes(state);

const commands: readonly Command[] = [
  deciding('approve', 'approve', () => ({})),
  deciding('reject', 'reject', () => ({ reasons })),
  decision('approved', 'approve'),
  decision('rejected', 'reject'),
  // A review is pending where a decision is.
  decision('pending_review', 'reject'),
  {
    name: 'cancel',
    rest: (id) => post(`/v1/payouts/${id}/cancel`),
    graphql: (id) => graphql('payoutCancel(payoutId: $id) { state }', '$id: ID!', { id }),
    permitted: may('cancel'),
    leadsTo: 'canceled',
  },
  simulation('hold', may('hold'), 'compliance_hold'),
  simulation('release', may('release'), 'pending_approval'),
  simulation('acknowledge', atProvider(['approved']), null),
  simulation('estimate', atProvider(['approved', 'disbursed']), null),
  simulation('disburse', atProvider(statesBefore('disburse')), null),
  simulation('settle', atProvider(statesBefore('settle')), null),
  simulation('fail', atProvider(statesBefore('fail')), null),
  simulation('return', atProvider(statesBefore('return')), null),
];

/** All that a command can leave behind. */
async function traces(id: string): Promise<unknown> {
  const { rows } = await harness.database.pool.query(
    `SELECT to_jsonb(p) AS payout,
       (SELECT jsonb_agg(t ORDER BY t.seq) FROM payout_transition t WHERE t.payout_id = p.id) AS records,
       (SELECT jsonb_agg(d.id) FROM payout_decision d WHERE d.payout_id = p.id) AS decisions,
       (SELECT jsonb_agg(e.id) FROM event e WHERE e.payout_id = p.id) AS events,
       (SELECT jsonb_agg(a ORDER BY a.number) FROM disbursement_attempt a WHERE a.payout_id = p.id) AS attempts,
       (SELECT count(*) FROM graphile_worker._private_jobs j WHERE j.payload ->> 'payoutId' = p.id) AS jobs
     FROM payout p WHERE p.id = $1`,
    [id],
  );
  return rows[0];
}

async function stateOf(id: string): Promise<PayoutState> {
  const { rows } = await harness.database.pool.query<{ state: PayoutState }>(
    'SELECT state FROM payout WHERE id = $1',
    [id],
  );
  if (rows[0] === undefined) throw new Error(`no payout ${id}`);
  return rows[0].state;
}

const codeOf = ({ body }: RestAnswer): unknown =>
  body.error?.code ?? body.errors?.[0]?.extensions.code ?? null;

it('has a stand for every state', () => {
  expect(new Set(stands.map(({ state }) => state))).toEqual(new Set(payoutStates));
});

describe.each(['rest', 'graphql'] as const)('%s', (surface) => {
  it.each(stands)('a payout that is $name: what is permitted', async (stand) => {
    for (const command of commands.filter(({ permitted }) => permitted(stand))) {
      const id = await stand.make(place);
      const answer = await command[surface](id);
      expect([command.name, answer.status < 300, codeOf(answer)], answer.text).toEqual([
        command.name,
        true,
        null,
      ]);
      expect([command.name, await stateOf(id)]).toEqual([
        command.name,
        command.leadsTo ?? stand.state,
      ]);
    }
  });

  it.each(stands)('a payout that is $name: everything else is a 409', async (stand) => {
    const id = await stand.make(place);
    expect(await stateOf(id)).toBe(stand.state);
    const before = await traces(id);
    for (const command of commands.filter(({ permitted }) => !permitted(stand))) {
      const answer = await command[surface](id);
      expect([command.name, codeOf(answer)], answer.text).toEqual([
        command.name,
        'INVALID_STATE_TRANSITION',
      ]);
      if (surface === 'rest') expect(answer.status).toBe(409);
      expect(await traces(id), command.name).toEqual(before);
    }
  });
});

describe("the provider's events", () => {
  const walks = {
    disbursed: ['disburse'],
    settled: ['disburse', 'settle'],
    returned: ['disburse', 'return'],
    failed: ['fail'],
    acknowledged: [],
    estimated: [],
    held: [],
    released: [],
  } as const;
  const taken = stands.filter(({ handedOver }) => handedOver);

  it.each(taken)('move a payout that is $name as the machine says', async (stand) => {
    for (const [type, walk] of Object.entries(walks)) {
      const id = await stand.make(place);
      const attempt = (await attemptsOf(place, id)).at(-1);
      await tell(place, attempt?.id ?? '', type as keyof typeof walks);
      let state = stand.state;
      for (const trigger of walk) {
        if (statesBefore(trigger).includes(state)) state = stateAfter(trigger);
      }
      expect([type, await stateOf(id)]).toEqual([type, state]);
    }
  });

  it('hold at the submission, and release', async () => {
    const approved = stands.find(({ name }) => name === 'approved');
    const id = (await approved?.make(place)) ?? '';
    place.provider.fates.push('held');
    await disbursePayout(place.call, id);
    expect(await stateOf(id)).toBe('compliance_hold');
    await tell(place, (await attemptsOf(place, id))[0]?.id ?? '', 'released');
    expect(await stateOf(id)).toBe('pending_approval');
  });
});

it('has provoked every transition of the table', async () => {
  const { rows } = await harness.database.pool.query<{ move: string }>(
    `SELECT DISTINCT from_state || ' → ' || to_state AS move FROM payout_transition`,
  );
  const seen = new Set(rows.map(({ move }) => move));
  const all = transitions.map(({ from, to }) => `${from} → ${to}`);
  // Nothing holds a payout at its creation: compliance is asked when it is handed over.
  const never = new Set(['new → compliance_hold']);
  expect(all.filter((move) => !seen.has(move))).toEqual([...never]);
});
