import { inTransaction } from '../../src/db/pool.ts';
import { reinstateBeneficiary, suspendBeneficiary } from '../../src/domain/beneficiary/suspend.ts';
import { disbursePayout } from '../../src/domain/disbursement/disburse.ts';
import { releaseHeldPayouts } from '../../src/domain/disbursement/payee-holds.ts';
import { createPayoutsInBulk } from '../../src/domain/payout/bulk.ts';
import { cancelPayout } from '../../src/domain/payout/cancel.ts';
import { createPayout } from '../../src/domain/payout/create.ts';
import { decideOnPayout } from '../../src/domain/payout/decide.ts';
import {
  replaceableStates,
  stateAfter,
  statesBefore,
  statesBeforeSubmission,
  type PayoutState,
  type PayoutTrigger,
} from '../../src/domain/payout/machine.ts';
import { simulatePayout } from '../../src/domain/sandbox/simulate.ts';
import { DomainError } from '../../src/errors/domain-error.ts';
import { newId } from '../../src/values/ids.ts';
import type { PayoutEventType } from '../../src/providers/port.ts';
import { newUlid } from '../../src/values/ulid.ts';
import { Crash, type SubmitFate } from '../support/fake-provider.ts';
import {
  changeSubscription,
  lookUp,
  speaking,
  tellOf,
  type Found,
  type Lie,
  type Suspender,
  type Told,
  type World,
} from './payout-actors.ts';
import type { Place } from './payout-states.ts';
import { deliver } from './payout-subscriptions.ts';

export type Command =
  | { kind: 'create'; strategy: 'manual' | 'auto'; count: number; at: number }
  | { kind: 'replace'; at: number }
  | { kind: Ask; at: number }
  | { kind: 'disburse'; at: number; fate: SubmitFate }
  | { kind: 'event'; at: number; attempt: number; type: PayoutEventType; lie: Lie | null }
  | { kind: 'suspend' | 'reinstate'; at: number; by: Suspender }
  | { kind: 'lookUp'; at: number; attempt: number; says: Found; lie: Lie | null }
  | { kind: 'resubscribe'; at: number; attempt: number; type: PayoutEventType }
  | { kind: 'deliver'; at: number }
  | { kind: 'race'; at: number; fate: SubmitFate; asks: readonly Ask[] };

export type Ask = 'approve' | 'reject' | 'cancel' | 'hold' | 'release';

/** A payout as the model sees it before a command. */
interface Stand {
  readonly id: string;
  readonly state: PayoutState;
  readonly handedOver: boolean;
  /** Held for its payee's suspension, which the reinstatement alone lifts. */
  readonly suspended: boolean;
  /** It replaces what may have been paid after all. */
  readonly replacesContradicted: boolean;
  /** It may have been paid after all, whatever it shows, or what it replaces. */
  readonly contradicted: boolean;
}

/** Whether somebody has yet to look at what is said of a payout, or of one before it. */
const contradictedSql = (payout: string): string => `EXISTS (
  WITH RECURSIVE line AS (
    SELECT ${payout} AS id
    UNION
    SELECT e.replaces_payout_id FROM payout e JOIN line l ON e.id = l.id
  ) SELECT FROM provider_contradiction c JOIN line l ON l.id = c.payout_id
)`;

async function standOf({ harness }: Place, id: string): Promise<Stand> {
  const { rows } = await harness.database.pool.query<Stand>(
    `SELECT p.id, p.state, p.live_attempt_id IS NOT NULL AS "handedOver",
       p.state = 'compliance_hold' AND t.cause IS NOT NULL AS suspended,
       ${contradictedSql('p.replaces_payout_id')} AS "replacesContradicted",
       ${contradictedSql('p.id')} AS contradicted
     FROM payout p JOIN payout_transition t ON t.payout_id = p.id AND t.seq = p.transition_count
     WHERE p.id = $1`,
    [id],
  );
  if (rows[0] === undefined) throw new Error(`no payout ${id}`);
  return rows[0];
}

const input = (world: World, more: Record<string, unknown> = {}) => ({
  beneficiaryId: world.payee.beneficiaryId,
  bankAccountId: world.accounts[world.payouts.length % 2] ?? '',
  amountMinor: 100 + world.payouts.length,
  currency: 'USD',
  purposeOfPayment: 'contractor_payment',
  idempotencyKey: newId('request'),
  ...more,
});

/** `done`, or the code of the refusal. */
async function outcomeOf(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
    return 'done';
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
}

async function create(world: World, strategy: 'manual' | 'auto', count: number): Promise<void> {
  const { call, payouts } = world;
  const rows = Array.from({ length: count }, (_row, index) =>
    input(world, {
      validatorStrategy: strategy,
      bankAccountId: world.accounts[(payouts.length + index) % 2],
    }),
  );
  const [first] = rows;
  if (first !== undefined && count === 1) {
    const { payout } = await createPayout(call, first);
    if (payout !== null) payouts.push(payout.id);
    return;
  }
  const results = await createPayoutsInBulk(call, { payouts: rows });
  for (const { payout, error } of results) {
    if (error !== null) throw error;
    if (payout !== null) payouts.push(payout.id);
  }
}

const reasons = [{ message: 'by the model' }];

/** What a person asks of a payout. */
function ask({ call }: World, id: string, kind: Ask): Promise<unknown> {
  switch (kind) {
    case 'approve':
    case 'reject': {
      const status = kind === 'approve' ? 'approved' : 'rejected';
      return decideOnPayout(call, id, { decisionId: newUlid(), status, reasons });
    }
    case 'cancel':
      return cancelPayout(call, id);
    case 'hold':
    case 'release':
      return simulatePayout(call, id, { event: kind });
  }
}

/** Runs the disbursement job; a crash of it is no outcome. */
async function disburse(world: World, id: string, fate: SubmitFate): Promise<void> {
  world.provider.fates.splice(0, Infinity, fate);
  try {
    await disbursePayout(world.call, id);
  } catch (error) {
    if (!(error instanceof Crash)) throw error;
  } finally {
    world.provider.fates.length = 0;
  }
}

/** A provider lifts its own suspension only; an operator lifts any. */
async function changeCompliance(
  world: World,
  kind: 'suspend' | 'reinstate',
  by: Suspender,
): Promise<Expectation> {
  const { pool } = world.call.services;
  const scope = await speaking(world, by);
  const change = kind === 'suspend' ? suspendBeneficiary : reinstateBeneficiary;
  const { beneficiaryId } = world.payee;
  await inTransaction(pool, (client) => change(client, scope, beneficiaryId, 'by the model'));
  if (kind === 'suspend') world.suspendedBy ??= by;
  else if (by === 'operator' || world.suspendedBy === by) world.suspendedBy = null;
  // The job may run at any time: it releases nothing while the suspension holds.
  if (kind === 'reinstate') await releaseHeldPayouts(world.call, beneficiaryId);
  const { rows } = await world.harness.database.pool.query<{ suspended: boolean }>(
    `SELECT b.compliance_status = 'suspended' AS suspended FROM beneficiary b WHERE b.id = $1`,
    [beneficiaryId],
  );
  return { got: rows[0]?.suspended, expected: world.suspendedBy !== null };
}

const may = (trigger: PayoutTrigger, { state, handedOver }: Stand): boolean =>
  statesBefore(trigger).includes(state) ||
  (!handedOver && statesBeforeSubmission(trigger).includes(state));

const walks: Record<PayoutEventType, readonly Exclude<PayoutTrigger, 'create'>[]> = {
  disbursed: ['disburse'],
  settled: ['disburse', 'settle'],
  returned: ['disburse', 'return'],
  failed: ['fail'],
  acknowledged: [],
  estimated: [],
  held: [],
  released: [],
};

/** The states in which a payout may be after the disbursement job ran with a fate. */
function afterDisburse(stand: Stand, fate: SubmitFate, world: World): readonly PayoutState[] {
  if (stand.state !== 'approved') return [stand.state];
  if (world.suspendedBy !== null) return [stand.handedOver ? 'approved' : 'compliance_hold'];
  if (stand.replacesContradicted && !stand.handedOver) return ['approved'];
  if (fate === 'rejected') return stand.handedOver ? ['approved', 'failed'] : ['failed'];
  if (fate === 'held')
    return stand.handedOver ? ['approved', 'compliance_hold'] : ['compliance_hold'];
  return ['approved'];
}

export interface Expectation {
  /** What was asked, in words, for the message. */
  readonly got: unknown;
  readonly expected: unknown;
}

/** Runs a command and says what came of it beside what the machine says should. */
export async function perform(world: World, command: Command): Promise<Expectation> {
  // The newest first: the older ones have mostly ended.
  const id = world.payouts.at(-1 - (command.at % Math.max(world.payouts.length, 1))) ?? '';
  switch (command.kind) {
    case 'create': {
      const { strategy, count } = command;
      const got = await outcomeOf(() => create(world, strategy, count));
      return { got, expected: refusedCreate(world) ?? 'done' };
    }
    case 'suspend':
    case 'reinstate': {
      return changeCompliance(world, command.kind, command.by);
    }
    case 'lookUp': {
      const stand = await standOf(world, id);
      const told = await lookUp(world, id, command.attempt, command.says, command.lie);
      const got = (await standOf(world, id)).state;
      // What says nothing of where the money is, moves nothing.
      const { says } = command;
      const type = says === 'processing' || says === 'nothing' ? 'acknowledged' : says;
      return { got, expected: afterEvent(stand, told, type, got) };
    }
    case 'resubscribe': {
      const stand = id === '' ? null : await standOf(world, id);
      const told = await changeSubscription(world, id, command.attempt, command.type);
      if (stand === null) return { got: null, expected: null };
      const got = (await standOf(world, id)).state;
      return { got, expected: afterEvent(stand, told, command.type, got) };
    }
    case 'deliver':
      return deliver(world.call, world.harness.database.pool, world.subscriptions);
    case 'replace':
      return replace(world, id);
    case 'disburse': {
      const stand = await standOf(world, id);
      await disburse(world, id, command.fate);
      const { state } = await standOf(world, id);
      const expected = afterDisburse(stand, command.fate, world);
      return { got: expected.includes(state) ? expected : state, expected };
    }
    case 'event': {
      const stand = await standOf(world, id);
      const told = await tellOf(world, id, command.attempt, command.type, command.lie);
      const got = (await standOf(world, id)).state;
      return { got, expected: afterEvent(stand, told, command.type, got) };
    }
    case 'race':
      return race(world, id, command.fate, command.asks);
    default: {
      const stand = await standOf(world, id);
      const { kind } = command;
      const got = await outcomeOf(() => ask(world, id, kind));
      const permitted = may(kind, stand) && !(kind === 'release' && stand.suspended);
      if (permitted && kind === 'approve' && stand.replacesContradicted) {
        return { got, expected: 'PREDECESSOR_NOT_REPLACEABLE' };
      }
      return { got, expected: permitted ? 'done' : 'INVALID_STATE_TRANSITION' };
    }
  }
}

const refusedCreate = (world: World): string | null =>
  world.suspendedBy !== null ? 'BENEFICIARY_NOT_COMPLIANT' : null;

function afterEvent(
  stand: Stand,
  told: Told | null,
  type: PayoutEventType,
  got: PayoutState,
): PayoutState {
  if (told === null) return stand.state;
  if (told.before === 'rejected') {
    // A release lifts the hold of its own attempt; which it was, other tests tell.
    const lifted = type === 'released' && stand.state === 'compliance_hold';
    return lifted && got === 'pending_approval' ? got : stand.state;
  }
  if (told.contradicts) return stand.state;
  return walks[type].reduce<PayoutState>(
    (state, trigger) => (statesBefore(trigger).includes(state) ? stateAfter(trigger) : state),
    stand.state,
  );
}

async function replace(world: World, id: string): Promise<Expectation> {
  const { state, contradicted } = await standOf(world, id);
  const { rowCount } = await world.harness.database.pool.query(
    'SELECT FROM payout WHERE replaces_payout_id = $1',
    [id],
  );
  const got = await outcomeOf(async () => {
    // Two at once: one of them makes the replacement.
    const made = await Promise.allSettled(
      [1, 2].map(() => createPayout(world.call, input(world, { replacesPayoutId: id }))),
    );
    const won = made.flatMap((one) => (one.status === 'fulfilled' ? [one.value.payout] : []));
    for (const payout of won) if (payout !== null) world.payouts.push(payout.id);
    if (won.length > 1) throw new Error('two replacements');
    const [lost] = made.flatMap((one) => (one.status === 'rejected' ? [one.reason as Error] : []));
    if (won.length === 0 && lost !== undefined) throw lost;
  });
  const expected =
    refusedCreate(world) ??
    (!replaceableStates.includes(state) || contradicted
      ? 'PREDECESSOR_NOT_REPLACEABLE'
      : rowCount === 0
        ? 'done'
        : 'PREDECESSOR_ALREADY_REPLACED');
  return { got, expected };
}

const refusals = [
  'done',
  'INVALID_STATE_TRANSITION',
  'PAYOUT_CONCURRENCY_CONFLICT',
  'PREDECESSOR_NOT_REPLACEABLE',
];

/** Everything at once on one payout: as many records as winners, and no other answer than a 409. */
async function race(
  world: World,
  id: string,
  fate: SubmitFate,
  asked: readonly Ask[],
): Promise<Expectation> {
  const before = await recordsOf(world, id);
  const [answers] = await Promise.all([
    Promise.all(asked.map((kind) => outcomeOf(() => ask(world, id, kind)))),
    disburse(world, id, fate),
    disburse(world, id, fate),
  ]);
  const won = answers.filter((answer) => answer === 'done').length;
  const added = await recordsOf(world, id, before.length);
  const byAsking = added.filter((actor) => !actor.endsWith('disbursement'));
  const others = answers.filter((answer) => !refusals.includes(answer));
  // A release that goes to the provider is answered without a record.
  const releases = asked.filter((kind) => kind === 'release').length;
  const told = won - byAsking.length;
  return {
    got: { others, fits: told >= 0 && told <= releases },
    expected: { others: [], fits: true },
  };
}

async function recordsOf({ harness }: World, id: string, from = 0): Promise<string[]> {
  const { rows } = await harness.database.pool.query<{ by: string }>(
    `SELECT to_state || ' ' || CASE WHEN attempt_id IS NOT NULL OR cause = 'beneficiary_suspended'
       THEN 'disbursement' ELSE 'asked' END AS by
     FROM payout_transition WHERE payout_id = $1 AND seq > $2 ORDER BY seq`,
    [id, from],
  );
  return rows.map(({ by }) => by);
}
