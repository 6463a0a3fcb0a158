import { beforeAll, expect, test } from 'vitest';
import { makePayee, makeTenant, payoutBody, type TestPayee } from '../support/factory.ts';
import { useHarness, useTenant } from '../support/use-harness.ts';

/** What a person is told of a payout before they decide on it. */

const harness = useHarness({ worker: false });
const tenant = useTenant(harness);
let preparer: string;
let approver: string;
let payee: TestPayee;

async function create(to: TestPayee, more: Record<string, unknown> = {}, key = preparer) {
  const body = payoutBody(to, more);
  const answer = await harness.rest('POST', '/v1/payouts', { key, body });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.payout.id as string;
}

async function ask(fields: string, id: string, key = approver) {
  const query = `query ($id: ID!) { payout(id: $id) { ${fields} } }`;
  const { body, text } = await harness.graphql(key, query, { id });
  expect(body.errors, text).toBeUndefined();
  return body.data.payout;
}

const demandTwoPeople = (demanded: boolean) =>
  harness.database.pool.query('UPDATE business SET distinct_approver = $2 WHERE id = $1', [
    tenant.businessId,
    demanded,
  ]);

const move = (id: string, state: string) =>
  harness.database.pool.query(
    `BEGIN; SET LOCAL session_replication_role = replica;
     UPDATE payout SET state = '${state}' WHERE id = '${id}'; COMMIT`,
  );

beforeAll(async () => {
  preparer = await tenant.keyWithRole('preparer');
  approver = await tenant.keyWithRole('approver');
  payee = await makePayee(harness, preparer);
});

const approval = 'approval { permitted obstacles fourEyes createdByYou }';

test('an approver may approve, and is told who made it', async () => {
  const id = await create(payee);
  const told = await ask(
    `${approval} createdBy { type you name member { id role email removedAt } }`,
    id,
  );
  expect(told).toEqual({
    approval: { permitted: true, obstacles: [], fourEyes: null, createdByYou: false },
    createdBy: {
      type: 'member',
      you: false,
      name: null,
      member: {
        id: expect.stringMatching(/^mem_/),
        role: 'preparer',
        email: expect.stringContaining('@example.com'),
        removedAt: null,
      },
    },
  });
  expect((await ask('createdBy { you }', id, preparer)).createdBy.you).toBe(true);
});

test('four eyes are told with their ground, to the creator and to anybody else', async () => {
  const before = await create(payee, {}, tenant.key);
  await demandTwoPeople(true);
  const under = await create(payee, {}, tenant.key);
  const asCreator = async (id: string) => (await ask(approval, id, tenant.key)).approval;
  expect(await asCreator(before)).toEqual({
    permitted: false,
    obstacles: ['four_eyes'],
    fourEyes: 'business_setting',
    createdByYou: true,
  });
  await demandTwoPeople(false);
  expect(await asCreator(before)).toMatchObject({ permitted: true, fourEyes: null });
  // What was created under the demand stays bound to it.
  expect(await asCreator(under)).toMatchObject({
    permitted: false,
    obstacles: ['four_eyes'],
    fourEyes: 'created_under',
  });
  expect((await ask(approval, under)).approval).toEqual({
    permitted: true,
    obstacles: [],
    fourEyes: 'created_under',
    createdByYou: false,
  });
});

test('what is told is what the approval then does, for each role', async () => {
  for (const role of ['owner', 'admin', 'preparer', 'approver', 'developer', 'viewer'] as const) {
    const key = await tenant.keyWithRole(role);
    const id = await create(payee);
    const told = (await ask(approval, id, key)).approval;
    const { body } = await harness.graphql(
      key,
      `mutation { payoutApprove(payoutId: "${id}") { payout { id } } }`,
    );
    expect(told.permitted).toBe(body.errors === undefined);
    if (!told.permitted) {
      expect(told.obstacles).toEqual(['role']);
      expect(body.errors[0].extensions.code).toBe('forbidden');
    }
    const after = (await ask(approval, id)).approval.obstacles;
    expect(after).toEqual(told.permitted ? ['not_waiting'] : []);
  }
});

test('the destination is masked, with the time since when it is so, and a change tells itself', async () => {
  const to = await makePayee(harness, preparer);
  const id = await create(to);
  const fields = `${approval} destination { accountHolderName country currency maskedAccount since changedAt }
    changesSinceCreation { kind at bankAccountId author { type } reason }`;
  const before = await ask(fields, id);
  expect(before).toMatchObject({
    destination: {
      accountHolderName: 'Ada Lovelace',
      country: 'US',
      currency: 'USD',
      maskedAccount: '****6789',
      changedAt: null,
    },
    changesSinceCreation: [],
  });
  const path = `/v1/beneficiaries/${to.beneficiaryId}/bank-accounts/${to.bankAccountId}`;
  const changed = await harness.rest('PUT', path, {
    key: preparer,
    body: {
      account_holder_name: 'Ada Lovelace',
      country: 'US',
      currency: 'USD',
      routing_code: '021000021',
      account_number: '000998877665',
    },
  });
  expect(changed.status, changed.text).toBe(200);
  const renamed = await harness.rest('PUT', `/v1/beneficiaries/${to.beneficiaryId}`, {
    key: preparer,
    body: { last_name: 'Byron' },
  });
  expect(renamed.status, renamed.text).toBe(200);
  const after = await ask(fields, id);
  // The payout goes where it was created for, and the approver is not shown another account.
  expect(after.destination).toEqual({
    ...before.destination,
    changedAt: expect.stringMatching(/Z$/),
  });
  expect(after.approval).toMatchObject({ permitted: false, obstacles: ['account_changed'] });
  expect(after.changesSinceCreation.map(({ kind }: { kind: string }) => kind)).toEqual([
    'payee_renamed',
    'payee_reacknowledgment_required',
    'account_changed',
  ]);
  expect(after.changesSinceCreation.at(-1)).toMatchObject({
    at: after.destination.changedAt,
    bankAccountId: to.bankAccountId,
  });
});

test('similar payouts come with what they have in common, within thirty days', async () => {
  const to = await makePayee(harness, preparer);
  const long = await create(to);
  await harness.database.pool.query(
    `BEGIN; SET LOCAL session_replication_role = replica;
     UPDATE payout SET created_at = created_at - interval '31 days' WHERE id = '${long}'; COMMIT`,
  );
  const other = await create(to, { amount_minor: 300 });
  const double = await create(to, { external_ref: 'INV 1' });
  const id = await create(to, { external_ref: 'INV 1' });
  const later = await create(to);
  const { similarPayouts } = await ask(
    'similarPayouts { count sameAmount nearest { payout { id } sameAmount sameReference sameAccount } }',
    id,
  );
  const like = (same: string, sameAmount: boolean, sameReference: boolean) => ({
    payout: { id: same },
    sameAmount,
    sameReference,
    sameAccount: true,
  });
  expect(similarPayouts).toEqual({
    count: 3,
    sameAmount: 2,
    nearest: [like(double, true, true), like(later, true, false), like(other, false, false)],
  });
});

test('payouts that replaced each other are one chain, whichever is asked for', async () => {
  const to = await makePayee(harness, preparer);
  const first = await create(to);
  await move(first, 'failed');
  const second = await create(to, { replaces_payout_id: first });
  await move(second, 'returned');
  const third = await create(to, { replaces_payout_id: second });
  const chain = [first, second, third].map((id) => ({ id }));
  for (const id of [first, second, third]) {
    expect((await ask('replacementChain { id }', id)).replacementChain).toEqual(chain);
  }
  const alone = await create(to);
  expect((await ask('replacementChain { id }', alone)).replacementChain).toEqual([{ id: alone }]);
});

test('a payout whose predecessor is examined cannot be approved', async () => {
  const to = await makePayee(harness, preparer);
  const first = await create(to);
  await move(first, 'failed');
  const id = await create(to, { replaces_payout_id: first });
  await harness.database.pool.query(
    `BEGIN; SET LOCAL session_replication_role = replica;
     INSERT INTO provider_contradiction (tenant_id, subject_id, payout_id, provider, kind, said, expected, source)
     VALUES ('${tenant.tenantId}', 'dat_x', '${first}', 'simulator', 'outcome', 'paid', 'failed', 'event'); COMMIT`,
  );
  expect((await ask(approval, id)).approval).toMatchObject({
    permitted: false,
    obstacles: ['predecessor_examined'],
  });
});

test('a queue of many payouts costs as many statements as one of few', async () => {
  const query = `query ($first: Int) { payouts(first: $first, filter: { state: [pending_approval] }) { edges { node {
    id createdBy { member { email } } ${approval} destination { maskedAccount since }
    changesSinceCreation { kind } similarPayouts { count nearest { payout { id } } } replacementChain { id }
  } } } }`;
  const counts = [];
  for (const first of [1, 10]) {
    const { result, sent } = await harness.sql.during(() =>
      harness.graphql(approver, query, { first }),
    );
    expect(result.body.errors, result.text).toBeUndefined();
    expect(result.body.data.payouts.edges).toHaveLength(first);
    counts.push(sent.length);
  }
  // Whether one replaces another is asked about only where one does.
  expect(Math.abs((counts[1] ?? 0) - (counts[0] ?? 0))).toBeLessThanOrEqual(1);
  expect(counts[1]).toBeLessThan(40);
});

test("another tenant's member sees nothing of it", async () => {
  const id = await create(payee);
  const other = await makeTenant(harness);
  expect(await ask(`${approval} createdBy { you }`, id, other.key)).toBeNull();
});

test('a dry run of rows names what was made earlier under their keys, however long ago', async () => {
  const id = await create(payee, { idempotency_key: 'row 1' });
  await harness.database.pool.query(
    `UPDATE payout_idempotency SET created_at = now() - interval '2 days' WHERE payout_id = $1`,
    [id],
  );
  const row = (idempotencyKey: string) => ({
    beneficiaryId: payee.beneficiaryId,
    bankAccountId: payee.bankAccountId,
    amountMinor: 125_000,
    currency: 'USD',
    purposeOfPayment: 'contractor_payment',
    idempotencyKey,
  });
  const mutation = `mutation ($payouts: [PayoutCreateInput]!) { payoutBulkCreate(payouts: $payouts, dryRun: true) {
    index status payout { id } earlier { id } error { code } } }`;
  const payouts = [row('row 1'), row('row 2'), { ...row('row 3'), amountMinor: 0 }, null];
  const { result, sent } = await harness.sql.during(() =>
    harness.graphql(preparer, mutation, { payouts }),
  );
  expect(result.body.errors, result.text).toBeUndefined();
  const rows = result.body.data.payoutBulkCreate;
  expect(rows).toEqual([
    { index: 0, status: 'created', payout: null, earlier: { id }, error: null },
    { index: 1, status: 'created', payout: null, earlier: null, error: null },
    { index: 2, status: 'failed', payout: null, earlier: null, error: { code: 'INVALID_MONEY' } },
    { index: 3, status: 'failed', payout: null, earlier: null, error: expect.anything() },
  ]);
  expect(sent.filter(({ name }) => name === 'latest_payouts_by_keys')).toHaveLength(1);
});
