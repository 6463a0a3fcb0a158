import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { handlers } from '../../jobs/handlers.ts';
import { inTransaction } from '../../src/db/pool.ts';
import { reinstateBeneficiary, suspendBeneficiary } from '../../src/domain/beneficiary/suspend.ts';
import { disbursePayout } from '../../src/domain/disbursement/disburse.ts';
import { cancelPayout } from '../../src/domain/payout/cancel.ts';
import { createPayoutsInBulk } from '../../src/domain/payout/bulk.ts';
import { createPayout } from '../../src/domain/payout/create.ts';
import { decideOnPayout } from '../../src/domain/payout/decide.ts';
import { applyProviderEvent } from '../../src/domain/provider-event/apply.ts';
import { keepProviderEvents } from '../../src/domain/provider-event/inbox.ts';
import type { PayoutEventType } from '../../src/providers/port.ts';
import type { Call } from '../../src/process/services.ts';
import { newUlid } from '../../src/values/ulid.ts';
import { expectInvariants } from '../model/payout-invariants.ts';
import { subscribe } from '../model/payout-subscriptions.ts';
import { attemptsOf, eventOf, makePlace, stands, type Place } from '../model/payout-states.ts';
import { Crash, newApproved, type SubmitFate } from '../support/fake-provider.ts';
import { payoutBody } from '../support/factory.ts';
import { goOn, laterWithoutJobs } from '../support/go-on.ts';
import { Died, mortal } from './support/mortal.ts';
import { longTestMs } from '../support/patience.ts';
import { useHarness } from '../support/use-harness.ts';

/*
 * A process dies before each statement of a command, between those of one transaction too. What it leaves behind keeps
 * the promises at once. Then it goes on by itself: every job is lost, and the reconciliation alone finds what is to be
 * done. A caller who got no answer sends the request again.
 */

const harness = useHarness({
  worker: false,
  env: { PROVIDER_TIMEOUT_MS: '1', LOG_LEVEL: 'silent' },
});

interface Scene {
  readonly name: string;
  /** Makes what the command works on, and gives the command. It is repeatable. */
  readonly make: (place: Place) => Promise<(call: Call) => Promise<unknown>>;
  /** Whether a caller waits for the answer, and asks again where none comes; otherwise it is a job. */
  readonly asked?: true;
  /** The states of the tenant's payouts in the end. */
  readonly ends: readonly string[];
}

const approved = ({ tenant, payee }: Place) =>
  newApproved(harness, tenant.key, payoutBody(payee, { validator_strategy: 'auto' }));

const standing = (name: string) => {
  const found = stands.find((stand) => stand.name === name);
  if (found === undefined) throw new Error(`nothing stands ${name}`);
  return found.make;
};

/** A provider that refuses a payment refuses it each time; whatever else it does, it does once. */
const always = (fate: SubmitFate): readonly SubmitFate[] =>
  fate === 'rejected' || fate === 'held' ? Array<SubmitFate>(9).fill(fate) : [fate];

/** The first submission of a payout, with this end. */
const handsOver = (fate: SubmitFate, ends: string): Scene => ({
  name: `a submission that ends in ${fate}`,
  ends: [ends],
  make: async (place) => {
    const id = await approved(place);
    place.provider.fates.push(...always(fate));
    return (call) => disbursePayout(call, id);
  },
});

/** The job that comes again after a submission with this end. */
const resumes = (fate: SubmitFate, then: SubmitFate, ends: string): Scene => ({
  name: `a job after ${fate}, whose next call would be ${then}`,
  ends: [ends],
  make: async (place) => {
    const id = await approved(place);
    place.provider.fates.push(fate, ...always(then));
    await disbursePayout(place.call, id).catch((error: unknown) => {
      if (!(error instanceof Crash)) throw error;
    });
    return (call) => disbursePayout(call, id);
  },
});

/** An event of the provider about a payout that it took. */
const hears = (type: PayoutEventType, ends: string): Scene => ({
  name: `the provider's event ${type}`,
  ends: [ends],
  make: async (place) => {
    const id = await standing('approved, handed over')(place);
    const [attempt] = await attemptsOf(place, id);
    const event = await eventOf(place, attempt?.id ?? '', type);
    await keepProviderEvents(place.call.services, 'simulator', [event]);
    return (call) => applyProviderEvent(call.services, 'simulator', event.eventId);
  },
});

const input = ({ payee }: Place, key: string, more: object = {}) => ({
  beneficiaryId: payee.beneficiaryId,
  bankAccountId: payee.bankAccountId,
  amountMinor: 12_345,
  currency: 'USD',
  purposeOfPayment: 'contractor_payment',
  idempotencyKey: key,
  ...more,
});

const decides = (status: 'approved' | 'rejected', ends: string): Scene => ({
  name: `a decision: ${status}`,
  asked: true,
  ends: [ends],
  make: async (place) => {
    const id = await standing('pending_approval')(place);
    const decisionId = newUlid();
    const reasons = [{ message: 'by the test' }];
    return (call) => decideOnPayout(call, id, { decisionId, status, reasons });
  },
});

const scenes: readonly Scene[] = [
  handsOver('ok', 'approved'),
  handsOver('rejected', 'failed'),
  handsOver('held', 'compliance_hold'),
  handsOver('retry', 'approved'),
  handsOver('unknown_taken', 'approved'),
  handsOver('unknown_lost', 'approved'),
  resumes('crash_taken', 'ok', 'approved'),
  resumes('crash_lost', 'ok', 'approved'),
  resumes('unknown_lost', 'rejected', 'failed'),
  resumes('unknown_lost', 'held', 'compliance_hold'),
  hears('acknowledged', 'approved'),
  hears('estimated', 'approved'),
  hears('disbursed', 'disbursed'),
  hears('settled', 'settled'),
  hears('failed', 'failed'),
  hears('returned', 'returned'),
  decides('approved', 'approved'),
  decides('rejected', 'rejected'),
  {
    name: 'a cancel',
    asked: true,
    ends: ['canceled'],
    make: async (place) => {
      const id = await standing('pending_approval')(place);
      // A cancel that is sent again after it was committed is refused as any of a canceled payout.
      return (call) => cancelPayout(call, id).catch(refusedAgain);
    },
  },
  {
    name: 'a create',
    asked: true,
    ends: ['approved'],
    make: (place) => {
      const body = input(place, randomUUID(), { validatorStrategy: 'auto' });
      return Promise.resolve((call) => createPayout(call, body));
    },
  },
  ...(['partial', 'atomic'] as const).map((mode): Scene => ({
    name: `a bulk of the mode ${mode}`,
    asked: true,
    ends: ['approved', 'approved', 'pending_approval'],
    make: (place) => {
      const rows = [
        input(place, randomUUID(), { validatorStrategy: 'auto' }),
        input(place, randomUUID()),
        input(place, randomUUID(), { validatorStrategy: 'auto' }),
      ];
      return Promise.resolve((call) => createPayoutsInBulk(call, { payouts: rows, mode }));
    },
  })),
  {
    name: 'a replacement',
    asked: true,
    ends: ['failed', 'pending_approval'],
    make: async (place) => {
      const id = await standing('failed')(place);
      const body = input(place, randomUUID(), { replacesPayoutId: id });
      return (call) => createPayout(call, body);
    },
  },
  {
    name: 'a submission to a payee who is suspended',
    ends: ['compliance_hold'],
    make: async (place) => {
      const id = await approved(place);
      await complies(place.call, place, suspendBeneficiary);
      return (call) => disbursePayout(call, id);
    },
  },
  {
    name: 'the end of a suspension',
    asked: true,
    ends: ['pending_approval', 'pending_approval'],
    make: async (place) => {
      const ids = [await approved(place), await approved(place)];
      await complies(place.call, place, suspendBeneficiary);
      for (const id of ids) await disbursePayout(place.call, id);
      return (call) => complies(call, place, reinstateBeneficiary);
    },
  },
  {
    name: 'the release after a suspension',
    ends: ['pending_approval', 'pending_approval'],
    make: async (place) => {
      const ids = [await approved(place), await approved(place)];
      await complies(place.call, place, suspendBeneficiary);
      for (const id of ids) await disbursePayout(place.call, id);
      await complies(place.call, place, reinstateBeneficiary);
      const { tenantId } = place.tenant;
      const { beneficiaryId } = place.payee;
      return (call) => handlers.release_payouts({ tenantId, beneficiaryId }, call.services);
    },
  },
];

async function complies(
  { services, scope }: Call,
  { payee }: Place,
  change: typeof suspendBeneficiary,
): Promise<void> {
  await inTransaction(services.pool, (client) =>
    change(client, scope, payee.beneficiaryId, 'by the test'),
  );
}

function refusedAgain(error: unknown): void {
  if (
    !(error instanceof Error) ||
    !('code' in error) ||
    error.code !== 'INVALID_STATE_TRANSITION'
  ) {
    throw error;
  }
}

async function states(): Promise<string[]> {
  const { rows } = await harness.database.pool.query<{ state: string }>(
    'SELECT state FROM payout ORDER BY state',
  );
  return rows.map(({ state }) => state);
}

/** Runs the scene with a process that dies before step `last`; whether it did. */
async function diesBefore({ make, asked, ends }: Scene, last: number): Promise<boolean> {
  await harness.database.reset();
  const place = await makePlace(harness);
  await subscribe(place.call, { urls: new Map(), current: '' });
  const act = await make(place);
  const life = mortal(place.call.services, last);
  const outcome = await act({ ...place.call, services: life.services }).catch(
    (error: unknown) => error,
  );
  if (life.died()) expect(outcome).toBeInstanceOf(Died);
  await expectInvariants(place);
  if (asked === true && life.died()) await act(place.call);
  await laterWithoutJobs(harness);
  await goOn(place.call.services, harness);
  await expectInvariants(place);
  expect(await states(), `died before step ${last}`).toEqual(ends);
  return life.died();
}

/** No command has so many steps: a process that always dies would never end the test. */
const mostSteps = 60;

it.each(scenes)('$name may end before any statement', { timeout: longTestMs }, async (scene) => {
  let last = 1;
  while (last < mostSteps && (await diesBefore(scene, last))) last += 1;
  expect(last).toBeGreaterThan(1);
  expect(last).toBeLessThan(mostSteps);
});
