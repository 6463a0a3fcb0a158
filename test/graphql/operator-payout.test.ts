import { beforeAll, describe, expect, it } from 'vitest';
import { handlers } from '../../jobs/handlers.ts';
import { issueOperatorKey } from '../../src/access/operator-key.ts';
import { roles } from '../../src/access/roles.ts';
import { newId } from '../../src/values/ids.ts';
import { makePayee, makeTenant, payoutBody } from '../support/factory.ts';
import { newApproved as newPayout } from '../support/fake-provider.ts';
import { useBankWorld } from '../support/bank-world.ts';
import { usePayoutWorld } from '../support/payout-world.ts';

const world = usePayoutWorld({
  env: { LOG_LEVEL: 'silent', ENROLL_WAIT_MS: '1', RESOLUTION_CONFIRMATION: 'second_person' },
});
const { attemptOf, handedOver, sql, tell } = world;
let ada: { id: string; key: string };
let grace: { id: string; key: string };
beforeAll(async () => {
  ada = await issueOperatorKey(world.harness.database.pool, 'ada');
  grace = await issueOperatorKey(world.harness.database.pool, 'grace');
});

const page = `query ($id: ID!) {
  operatorPayout(id: $id) {
    payoutId businessId companyName environment state amountMinor currency createdAt updatedAt beneficiaryId complianceStatus
    bankAccountId accountCountry provider providerPayoutId connectionId scheme waitsForFileSince failureCode replacesPayoutId
    replacedBy takenBy permittedActs
    standstill { payoutId reason explanation nextStep attemptId lastError since }
    attempts { attemptId number provider status needsOperator calls providerPayoutId failureCode keyExpiresAt preparedAt calledAt
      submittedAt lookedUpAt bankPlace { batchId position endToEndId fileName status executionDate problem nextStep } }
    contradictions { contradictionId payoutId kind said expected }
    resolution { orderId orderedBy payoutId outcome evidence reason }
    timeline { at what id detail byWhom }
  }
  operatorJobs(subjectId: $id) { edges { node { id task state } } }
  operatorActions(subjectId: $id) { edges { node { person action reason } } }
}`;

async function ask(query: string, variables: Record<string, unknown>, key = ada.key) {
  const { body } = await world.harness.graphql(key, query, variables);
  expect(body.errors).toBeUndefined();
  return body.data;
}

const read = async (id: string, key = ada.key) => (await ask(page, { id }, key)).operatorPayout;

const resolve = (payoutId: string) =>
  ask(
    `mutation ($businessId: ID!, $payoutId: ID!) { operatorPayoutResolve(businessId: $businessId, environment: sandbox,
      payoutId: $payoutId, reason: "case 17", outcome: not_paid, evidence: "their support") { actionId } }`,
    { businessId: world.tenant.businessId, payoutId },
  );

/** Runs the job of an order, as the worker does: it finds that a second person has to confirm it. */
async function work(payoutId: string): Promise<void> {
  const jobs = await sql<{ id: string; payload: Parameters<typeof handlers.resolve_payout>[0] }>(
    `SELECT id, payload FROM graphile_worker._private_jobs
     WHERE payload ->> 'payoutId' = $1 AND payload ->> 'actionId' IS NOT NULL`,
    [payoutId],
  );
  for (const { payload } of jobs) await handlers.resolve_payout(payload, world.call.services);
}

describe('the payout that stands still', () => {
  it('is told with its reason, its submission and what may be done, in a few statements', async () => {
    const id = await handedOver('unknown_lost');
    const attempt = await attemptOf(id);
    const { result, sent } = await world.harness.sql.during(() => ask(page, { id }));
    expect(result.operatorPayout).toMatchObject({
      payoutId: id,
      businessId: world.tenant.businessId,
      companyName: 'Test Business',
      environment: 'sandbox',
      state: 'approved',
      amountMinor: 125_000,
      currency: 'USD',
      beneficiaryId: world.payee.beneficiaryId,
      complianceStatus: 'compliant',
      bankAccountId: world.payee.bankAccountId,
      accountCountry: 'US',
      provider: 'simulator',
      connectionId: null,
      replacedBy: null,
      takenBy: null,
      permittedActs: ['look_up', 'resolve'],
      standstill: { payoutId: id, reason: 'outcome_unknown', attemptId: attempt.id },
      attempts: [
        { attemptId: attempt.id, number: 1, status: 'unknown', calls: 1, bankPlace: null },
      ],
      contradictions: [],
      resolution: null,
    });
    const [latest, ...earlier] = result.operatorPayout.timeline;
    expect(latest).toMatchObject({ what: expect.stringMatching(/^(?:now|job|event|delivery)/) });
    expect(earlier.at(-1)).toMatchObject({ what: expect.stringMatching(/transition|decision/) });
    const times = result.operatorPayout.timeline.map(({ at }: { at: string }) => Date.parse(at));
    expect(times).toEqual(times.toSorted((one: number, other: number) => other - one));
    // Who asks, the payout, its five lists, its jobs and its log.
    expect(sent.filter(({ text }) => text.includes('ops.'))).toHaveLength(8);
  });

  it('is told of before five minutes have gone, and no more once it moves', async () => {
    const approved = await world.approved();
    expect(await read(approved)).toMatchObject({
      standstill: { reason: 'no_worker' },
      permittedActs: [],
    });
    await sql(`DELETE FROM job_outbox WHERE payload ->> 'payoutId' = $1`, [approved]);
    expect(await read(approved)).toMatchObject({
      standstill: { reason: 'no_job' },
      permittedActs: ['schedule'],
    });
    const moves = await handedOver('ok');
    expect(await read(moves)).toMatchObject({
      state: 'approved',
      provider: 'simulator',
      standstill: null,
      permittedActs: ['look_up'],
      attempts: [{ status: 'submitted' }],
    });
    await tell(moves, { type: 'disbursed' });
    expect(await read(moves)).toMatchObject({
      state: 'disbursed',
      standstill: null,
      permittedActs: ['look_up'],
    });
    await sql("UPDATE payout SET updated_at = now() - interval '8 days' WHERE id = $1", [moves]);
    expect((await read(moves)).standstill).toMatchObject({ reason: 'not_settled' });
  });

  it('has nothing to be done while it waits for its business', async () => {
    const id = await newPayout(world.harness, world.tenant.key, payoutBody(world.payee));
    expect(await read(id)).toMatchObject({
      state: 'pending_approval',
      standstill: null,
      attempts: [],
      permittedActs: [],
    });
  });

  it('shows a contradiction until it is examined', async () => {
    const id = await handedOver('ok');
    await tell(id, { type: 'settled', amountMinor: 1n, currency: 'USD' });
    const { contradictions, permittedActs, standstill } = await read(id);
    expect(standstill.reason).toBe('provider_contradicts');
    expect(permittedActs).toContain('examine_contradiction');
    expect(contradictions).toMatchObject([{ payoutId: id, kind: 'amount', said: '1' }]);
    await ask(
      `mutation ($businessId: ID!, $id: ID!) { operatorContradictionExamine(businessId: $businessId, environment: sandbox,
        contradictionId: $id, finding: as_recorded, evidence: "ticket", reason: "case") { leftOpen } }`,
      { businessId: world.tenant.businessId, id: contradictions[0].contradictionId },
    );
    const after = await read(id);
    expect(after.contradictions).toEqual([]);
    expect(after.permittedActs).not.toContain('examine_contradiction');
  });

  it('offers a second person alone to confirm a resolution', async () => {
    const id = await handedOver('unknown_lost');
    await resolve(id);
    // The order waits for the worker, so that there is neither a second one nor anything to confirm.
    expect((await read(id)).permittedActs).toEqual(['look_up']);
    await work(id);
    const own = await read(id);
    expect(own.permittedActs).toEqual(['look_up', 'decline_resolution']);
    expect(own.standstill.reason).toBe('resolution_to_confirm');
    expect(own.resolution).toMatchObject({
      orderedBy: ada.id,
      payoutId: id,
      outcome: 'not_paid',
      evidence: 'their support',
      reason: 'case 17',
    });
    expect((await read(id, grace.key)).permittedActs).toEqual([
      'look_up',
      'confirm_resolution',
      'decline_resolution',
    ]);
  });

  it('comes with its jobs and with what operators did about it', async () => {
    const id = await handedOver('unknown_lost');
    const other = await handedOver('unknown_lost');
    for (const each of [id, other]) {
      await sql(
        `SELECT graphile_worker.add_job('disburse_payout', json_build_object('tenantId', $1::text, 'payoutId', $2::text),
           job_key => 'disburse ' || $2, max_attempts => 3)`,
        [world.tenant.tenantId, each],
      );
      await resolve(each);
    }
    const { operatorJobs, operatorActions } = await ask(page, { id });
    const tasks = operatorJobs.edges.map(({ node }: { node: { task: string } }) => node.task);
    expect(tasks.toSorted()).toEqual(['disburse_payout', 'resolve_payout']);
    expect(operatorActions.edges).toMatchObject([
      { node: { person: 'ada', action: 'resolve_payout', reason: 'case 17' } },
    ]);
  });
});

describe('an unknown id', () => {
  it.each([newId('payout'), newId('beneficiary'), 'pay_1', ''])('%s is null', async (id) => {
    expect(await read(id)).toBeNull();
  });
});

describe('a search', () => {
  const search =
    'query ($what: String!) { operatorFind(what: $what) { kind id state payoutId of { businessId environment } } }';
  const find = async (what: string) => (await ask(search, { what })).operatorFind;

  it('finds a payout by any id that leads to it, and by its reference', async () => {
    const { key } = world.tenant;
    const body = payoutBody(world.payee, { external_ref: 'INV 2026/17' });
    const id = await newPayout(world.harness, key, body);
    const hit = {
      kind: 'payout',
      id,
      payoutId: id,
      of: { businessId: world.tenant.businessId, environment: 'sandbox' },
    };
    expect(await find(` ${id} `)).toMatchObject([hit]);
    expect(await find('INV 2026/17')).toMatchObject([hit]);
    expect(await find('INV 2026')).toEqual([]);
    // As a bank gives its reference back.
    expect(await find(id.replace('_', '-').toUpperCase())).toMatchObject([hit]);

    const paid = await handedOver('ok');
    const attempt = await attemptOf(paid);
    expect(await find(attempt.provider_payout_id ?? '')).toMatchObject([{ id: paid }]);
    expect(await find(attempt.id)).toMatchObject([{ kind: 'attempt', payoutId: paid }]);
    const [event] = await sql<{ id: string }>('SELECT id FROM event WHERE payout_id = $1', [paid]);
    expect(await find(event?.id ?? '')).toMatchObject([{ kind: 'event', payoutId: paid }]);
  });

  it('finds a reference that two businesses have in both, and what is no payout', async () => {
    const one = await newPayout(
      world.harness,
      world.tenant.key,
      payoutBody(world.payee, { external_ref: 'shared' }),
    );
    const other = await makeTenant(world.harness);
    const payee = await makePayee(world.harness, other.key);
    const two = await newPayout(
      world.harness,
      other.key,
      payoutBody(payee, { external_ref: 'shared' }),
    );
    const ids = (await find('shared')).map(({ id }: { id: string }) => id);
    expect(ids).toEqual([two, one]);
    expect(await find(payee.beneficiaryId)).toMatchObject([
      { kind: 'beneficiary', payoutId: null, of: { businessId: other.businessId } },
    ]);
    expect(await find(newId('payout'))).toEqual([]);
  });

  it('is refused without a text', async () => {
    const { body } = await world.harness.graphql(ada.key, search, { what: '  ' });
    expect(body.errors[0].extensions.code).toBe('validation_failed');
  });
});

const documents = {
  operatorPayout: '{ operatorPayout(id: "pay_1") { payoutId } }',
  operatorFind: '{ operatorFind(what: "pay_1") { id } }',
};

it.each(Object.entries(documents))(
  '%s is refused to every role of a business',
  async (_name, query) => {
    const refused = async (key: string | undefined) =>
      (await world.harness.graphql(key, query)).body.errors[0].extensions.code;
    for (const role of roles) {
      expect(await refused(await world.tenant.keyWithRole(role)), role).toBe('forbidden');
    }
    expect(await refused(undefined)).toBe('unauthorized');
  },
);

describe('a payout that is paid through a bank', () => {
  const banks = useBankWorld();

  it('waits for a file, and then has its place in it', async () => {
    const { key } = await issueOperatorKey(banks.harness.database.pool, 'ada');
    const readThere = async (id: string) =>
      (await banks.harness.graphql(key, page, { id })).body.data.operatorPayout;
    const id = await banks.waiting();
    const waits = await readThere(id);
    expect(waits).toMatchObject({ standstill: null, attempts: [] });
    expect(waits.waitsForFileSince).not.toBeNull();
    expect(waits.connectionId).toMatch(/^bcn_/);
    await banks.close();
    const [batch] = await banks.batches();
    const placed = await readThere(id);
    expect(placed).toMatchObject({
      waitsForFileSince: null,
      standstill: null,
      connectionId: waits.connectionId,
      scheme: waits.scheme,
      attempts: [{ number: 1, bankPlace: { batchId: batch?.id, position: 1, status: 'closed' } }],
    });
  });
});
